import { v3 } from '../../platform/http/v3.ts';
import { generateEntitlements } from './generate.ts';
import { presentEntitlement, presentGenerated, presentVacationSummary } from './resource.ts';
import { findVacationSummary } from './summary.ts';
import {
  createEntitlement,
  deleteEntitlement,
  findEntitlement,
  listEntitlements,
  updateEntitlement,
} from './vacation_entitlements.ts';

export const userVacationEntitlementHandlers = v3.part({
  async listUserVacationEntitlements(call) {
    const { db, actor, params, queryOptions, now } = call;
    const { user, rows, paging } = await listEntitlements(db, actor, params.user_id, queryOptions, now);
    return { data: rows.map((row) => presentEntitlement({ row, user }, call)), meta: paging };
  },

  async createUserVacationEntitlement(call) {
    const { db, actor, params, body, now } = call;
    return {
      data: presentEntitlement(await createEntitlement(db, actor, params.user_id, body.data.attributes, now), call),
    };
  },

  async getUserVacationEntitlement(call) {
    const { user_id, vacation_entitlement_id } = call.params;
    const found = await findEntitlement(call.db, call.actor, user_id, vacation_entitlement_id, call.now);
    return { data: presentEntitlement(found, call) };
  },

  async updateUserVacationEntitlement(call) {
    const ref = { user: call.params.user_id, id: call.params.vacation_entitlement_id };
    const updated = await updateEntitlement(call.db, call.actor, ref, call.body.data.attributes, call.now);
    return { data: presentEntitlement(updated, call) };
  },

  async deleteUserVacationEntitlement(call) {
    const ref = { user: call.params.user_id, id: call.params.vacation_entitlement_id };
    return { data: presentEntitlement(await deleteEntitlement(call.db, call.actor, ref, call.now), call) };
  },

  async getVacationSummary({ db, actor, params, query, now }) {
    return { data: presentVacationSummary(await findVacationSummary(db, actor, params.user_id, query.date, now)) };
  },

  async batchVacationEntitlements({ db, actor, body, now }) {
    const { dry_run = false, ...input } = body.data.attributes;
    const generated = await generateEntitlements(db, actor, { ...input, dry_run }, now);
    const created = generated.filter(({ outcome }) => outcome === 'created').length;
    return { data: generated.map(presentGenerated), meta: { dry_run, created } };
  },
});
