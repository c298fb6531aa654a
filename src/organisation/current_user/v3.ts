import { may } from '../../platform/core/permissions.ts';
import { included, type LoadContext } from '../../platform/http/answers/jsonapi.ts';
import { v3, type Schemas } from '../../platform/http/v3.ts';
import { userLoaders } from '../users/includes.ts';
import { presentUser } from '../users/resource.ts';
import type { UserRow } from '../users/rows.ts';
import { findSelf } from '../users/users.ts';
import { ownAdminPin } from './admin_pin.ts';
import { assumeRole, switchRole } from './assumed_roles.ts';
import { updateOwnPreferences } from './own_preferences.ts';

const shown = async (row: UserRow, call: LoadContext) => ({
  data: presentUser(row, call),
  ...(await included(call, [row], userLoaders)),
});

type Included = NonNullable<Schemas['UserIncluded']>[number];

export const currentUserHandlers = v3.part({
  async getCurrentUser(call) {
    const { data, included: related } = await shown(await findSelf(call.db, call.actor), call);
    return {
      data: await withPin(data, call),
      ...(related ? { included: related.map((record) => withAdministration(record, call)) } : {}),
    };
  },

  async updateCurrentUser(call) {
    const row = await updateOwnPreferences(call.db, call.actor, call.body.data.attributes, call.now);
    return { data: await withPin(presentUser(row, call), call) };
  },

  async getCurrentWorkspaceUser(call) {
    return shown(await findSelf(call.db, call.actor), call);
  },

  async updateCurrentWorkspaceUser(call) {
    const actor = await assumeRole(call.db, call.actor, call.body.data.attributes.assumed_role, call.now);
    return { data: presentUser(await findSelf(call.db, actor), { ...call, actor }) };
  },

  async switchRole({ db, actor, now }) {
    await switchRole(db, actor, now);
    return { headers: { 'Cache-Control': 'no-store' } };
  },
});

const withPin = async (
  user: Schemas['User'],
  { db, actor }: Pick<LoadContext, 'db' | 'actor'>,
): Promise<Schemas['User']> => ({
  ...user,
  attributes: { ...user.attributes, admin_pin: await ownAdminPin(db, actor) },
});

/** Workspaces say whether the caller administers them. */
const withAdministration = (record: Included, { actor }: Pick<LoadContext, 'actor'>): Included =>
  record.type === 'workspace'
    ? {
        ...record,
        attributes: {
          ...record.attributes,
          is_admin: may(actor, 'see_admin_features', 'workspace', { id: Number(record.id) }),
        },
      }
    : record;
