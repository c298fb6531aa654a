import { may } from '../../platform/core/permissions.ts';
import { v3 } from '../../platform/http/v3.ts';
import { factsOfUser } from '../../organisation/users/rows.ts';
import { presentTimeAccountEntry } from './resource.ts';
import { createTimeAccountEntry, deleteTimeAccountEntry, listTimeAccountEntries } from './time_account_entries.ts';

export const timeAccountEntryHandlers = v3.part({
  async listTimeAccountEntries(call) {
    const { rows, paging, user } = await listTimeAccountEntries(
      call.db,
      call.actor,
      call.params.user_id,
      call.queryOptions,
    );
    const can_create_time_account_entries = may(call.actor, 'change_time_account', 'user', factsOfUser(user));
    return {
      data: rows.map((row) => presentTimeAccountEntry({ row, user }, call)),
      meta: { ...paging, can_create_time_account_entries },
    };
  },

  async createTimeAccountEntry(call) {
    const { attributes } = call.body.data;
    const created = await createTimeAccountEntry(call.db, call.actor, call.params.user_id, attributes, call.now);
    return { data: presentTimeAccountEntry(created, call) };
  },

  async deleteTimeAccountEntry(call) {
    const { user_id, time_account_entry_id } = call.params;
    const deleted = await deleteTimeAccountEntry(call.db, call.actor, user_id, time_account_entry_id, call.now);
    return { data: presentTimeAccountEntry(deleted, call) };
  },
});
