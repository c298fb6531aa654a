import { randomUUID } from 'node:crypto';
import { createApiToken } from '../api_tokens/api_tokens.ts';
import { createArea, updateArea } from '../areas/areas.ts';
import { createAccountFor } from '../auth/auth.ts';
import type { WorkspaceActor } from '../core/permissions.ts';
import { rank } from '../core/ranks.ts';
import { hashPassword, tokenHash } from '../core/secrets.ts';
import type { Db } from '../db/connection.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { forNoAccount } from '../db/transactions.ts';
import { setAreas, setTags } from '../users/assignments.ts';
import { createWorkspace, inWorkspace, updateWorkspace } from '../workspaces/workspaces.ts';
import { createAbsences } from './absences.ts';
import { demoCredentials } from './credentials.ts';
import { createFieldValues, createHotelStaff, createStaff } from './staff.ts';
import { createTimeAccounts } from './time_account.ts';
import { createWorkingTime, firstWorkday } from './working_time.ts';

/** Creates the demo organisation, unless it exists or its credentials were removed. Returns whether it was created. */
export async function createDemo(db: Db, now: Date): Promise<boolean> {
  const hash = tokenHash(demoCredentials.apiKey);
  // Hashing a password is slow on purpose, so an early look avoids it. The insertion below decides.
  if (await db.selectFrom('api_keys').select('id').where('hash', '=', hash).executeTakeFirst()) return false;
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
  await db
    .updateTable('accounts')
    .set({ account_name: 'Harbour Group', phone: '+49 40 123456', country: 'DE' })
    .where('id', '=', accountId)
    .execute();
  await createApiToken(db, { accountId }, { name: 'Demo' }, now, demoCredentials.apiToken);
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
  await setAbsenceTypeExternalIds(db, actor);

  const tags = await createTags(db, actor, ['Early shift', 'Late shift', 'Event'], now);
  const kitchen = await createArea(db, actor, { name: 'Kitchen', color: '#F44336', external_id: 'kitchen' }, now);
  const service = await createArea(db, actor, { name: 'Service', color: '#2196F3', external_id: 'service' }, now);
  const staff = await createStaff(db, actor, password_hash, now);
  for (const [index, id] of staff.entries()) {
    await setAreas(db, actor, id, [index % 2 === 0 ? kitchen.id : service.id]);
    await setTags(db, actor, id, [tags[index % tags.length]!]);
  }
  await updateArea(db, actor, service.id, { user_ids: [userId, ...staff.slice(1)] }, now);
  await createFieldValues(db, actor, staff[0]!, {
    phone: '+49 40 654321',
    start_of_work: firstWorkday(now, actor.workspace.time_zone),
    cost_center: '4100',
  });
  await createWorkingTime(db, actor, staff, { areas: [kitchen.id, service.id], tags }, now);
  await createTimeAccounts(db, actor, { carrier: staff[0]!, partTimer: staff[1]!, cyclist: staff[2]! }, now);
  await createAbsences(db, actor, staff, now);
  await createHotelStaff(db, inWorkspace(actor, hotel), now);
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

const setAbsenceTypeExternalIds = async (db: Db, { accountId, workspace }: WorkspaceActor): Promise<void> => {
  const types = await db
    .selectFrom('absence_types')
    .select(['id', 'kind'])
    .where('account_id', '=', accountId)
    .where('workspace_id', '=', workspace.id)
    .execute();
  for (const { id, kind } of types)
    await db
      .updateTable('absence_types')
      .set({ external_id: kind })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .execute();
};

async function createTags(
  db: Db,
  { accountId, workspace }: WorkspaceActor,
  titles: readonly string[],
  now: Date,
): Promise<number[]> {
  const rows = titles.map((title) => ({
    account_id: accountId,
    workspace_id: workspace.id,
    title,
    color: '#4CAF50',
    created_at: now,
    updated_at: now,
  }));
  return (await db.insertInto('tags').values(rows).returning('id').execute()).map(({ id }) => id);
}
