import { randomUUID } from 'node:crypto';
import { updateAbsenceType } from '../../absence/absence_types/absence_types.ts';
import { accountEvents, findAccount } from '../../organisation/accounts/accounts.ts';
import { createApiToken } from '../../access/api_tokens/api_tokens.ts';
import { createArea, updateArea } from '../../organisation/areas/areas.ts';
import { createAccountFor } from '../../access/auth/auth.ts';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import { rank } from '../../platform/core/ranks.ts';
import { hashPassword, tokenHash } from '../../platform/core/secrets.ts';
import type { Db } from '../../platform/db/connection.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { forNoAccount } from '../../platform/db/transactions.ts';
import { jobActor } from '../../platform/events/record.ts';
import { updateUser } from '../../organisation/users/user_changes.ts';
import { createTag } from '../../organisation/tags/tags.ts';
import { createWorkspace, inWorkspace, updateWorkspace } from '../../organisation/workspaces/workspaces.ts';
import { createAbsences } from './absences.ts';
import { createCompleteTracking } from './complete_tracking.ts';
import { demoCredentials } from './credentials.ts';
import { setFixedIds } from './fixed_ids.ts';
import { createIntegration } from './integration.ts';
import { createSettings } from './settings.ts';
import { createShifts } from './shifts.ts';
import { createFieldValues, createHotelStaff, createLeaver, createStaff } from './staff.ts';
import { createTimeAccounts } from './time_account.ts';
import { createWorkingTime, firstWorkday } from './working_time.ts';

/** Creates the demo organisation, unless it exists or its credentials were removed. Returns whether it was created. */
export async function createDemo(db: Db, now: Date, onCreate: () => void = () => {}): Promise<boolean> {
  const hash = tokenHash(demoCredentials.apiKey);
  // Hashing a password is slow on purpose, so an early look avoids it. The insertion below decides.
  if (await db.selectFrom('api_keys').select('id').where('hash', '=', hash).executeTakeFirst()) return false;
  onCreate();
  const password_hash = await hashPassword(demoCredentials.password);
  return forNoAccount(db, async (transaction) => {
    const key = await transaction
      .insertInto('api_keys')
      .values({ id: randomUUID(), name: 'Demo', hash, created_at: now })
      .onConflict((conflict) => conflict.column('hash').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!key) return false;
    await createOrganisation(transaction, password_hash, now);
    return true;
  });
}

async function createOrganisation(db: OpenTransaction, password_hash: string, now: Date): Promise<void> {
  const { accountId, userId } = await createAccountFor(
    db,
    { email: demoCredentials.admin, username: 'Alex Admin', password_hash, isConfirmed: true },
    now,
  );
  const before = await findAccount(db, { accountId });
  const after = await db
    .updateTable('accounts')
    .set({ account_name: 'Harbour Group', phone: '+49 40 123456', country: 'DE' })
    .where('id', '=', accountId)
    .returningAll()
    .executeTakeFirstOrThrow();
  accountEvents.record(db, jobActor(accountId), 'updated', { before, after }, now);
  await createApiToken(db, jobActor(accountId), { name: 'Demo' }, now, demoCredentials.apiToken);
  const actor = await actorIn(db, accountId, userId);
  await updateWorkspace(
    db,
    actor,
    {
      name: 'Harbour Restaurant',
      phone: '+49 40 123456',
      external_id: 'harbour',
      allow_employees_tag_working_sessions: true,
    },
    now,
  );
  const hotel = await createWorkspace(
    db,
    { accountId, userId },
    { name: 'Lighthouse Hotel', external_id: 'lighthouse', holiday_region: 'DE-BE' },
    now,
  );
  await setAbsenceTypeExternalIds(db, actor, now);

  const tags = await createTags(db, actor, { 'Early shift': 'early', 'Late shift': 'late', Event: 'event' }, now);
  const kitchen = await createArea(db, actor, { name: 'Kitchen', color: '#F44336', external_id: 'kitchen' }, now);
  const service = await createArea(db, actor, { name: 'Service', color: '#2196F3', external_id: 'service' }, now);
  await createArea(db, actor, { name: 'Terrace', color: '#8BC34A', external_id: 'terrace' }, now);
  const staff = await createStaff(db, actor, password_hash, now);
  for (const [index, id] of staff.entries()) {
    const area_ids = [index % 2 === 0 ? kitchen.id : service.id];
    await updateUser(db, actor, id, { area_ids, tag_ids: [tags[index % tags.length]!] }, now);
  }
  await updateArea(db, actor, service.id, { user_ids: [userId, ...staff.slice(1)] }, now);
  await createFieldValues(db, actor, staff[0]!, {
    phone: '+49 40 654321',
    start_of_work: firstWorkday(now, actor.workspace.time_zone),
    cost_center: '4100',
  });
  const places = { areas: [kitchen.id, service.id], tags } as const;
  await createCompleteTracking(db, actor, staff, places, now);
  await createAbsences(db, actor, staff, now);
  await createWorkingTime(db, actor, staff, places, now);
  await setFixedIds(db, actor);
  await createTimeAccounts(db, actor, { carrier: staff[0]!, partTimer: staff[1]!, cyclist: staff[2]! }, now);
  await createShifts(db, actor, staff, places, now);
  await createHotelStaff(db, inWorkspace(actor, hotel), now);
  await createLeaver(db, actor, now);
  await createSettings(db, actor, staff[1]!, now);
  await createIntegration(db, actor, staff[1]!, now);
}

/** The account admin in their first workspace. */
async function actorIn(db: Db, accountId: number, userId: number): Promise<WorkspaceActor> {
  const workspace = await db
    .selectFrom('workspaces')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('id')
    .executeTakeFirstOrThrow();
  return { accountId, userId, username: 'Alex Admin', rank: rank.accountAdmin, areaIds: [], workspace };
}

const setAbsenceTypeExternalIds = async (db: OpenTransaction, actor: WorkspaceActor, now: Date): Promise<void> => {
  const types = await db
    .selectFrom('absence_types')
    .select(['id', 'kind'])
    .where('account_id', '=', actor.accountId)
    .where('workspace_id', '=', actor.workspace.id)
    .execute();
  for (const { id, kind } of types) await updateAbsenceType(db, actor, id, { external_id: kind }, now);
};

async function createTags(
  db: OpenTransaction,
  actor: WorkspaceActor,
  titles: Readonly<Record<string, string>>,
  now: Date,
): Promise<number[]> {
  const ids: number[] = [];
  for (const [title, external_id] of Object.entries(titles))
    ids.push((await createTag(db, actor, { title, color: '#4CAF50', external_id }, now)).id);
  return ids;
}
