import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createAbsence } from '../../../src/absence/absences/create.ts';
import { decideAbsence } from '../../../src/absence/absences/decide.ts';
import { updateAbsence } from '../../../src/absence/absences/update.ts';
import type { Actor } from '../../../src/platform/core/permissions.ts';
import type { OpenTransaction } from '../../../src/platform/db/open_transaction.ts';
import { forAccount } from '../../../src/platform/db/transactions.ts';
import { timeAccountJobs } from '../../../src/days/balance/jobs.ts';
import { absenceOf, fullDays, request, shownAbsence, typeOf } from '../../support/absences.ts';
import { employeeIn } from '../../support/punches.ts';
import { service } from '../../support/service.ts';
import { bodyOf, newWorld, type World } from '../../support/world.ts';
import { create as createTargetHour, monToWed } from '../../api/v3/time_account/target_hours/support.ts';
import { isSomebodyWaiting } from '../../support/database/distribution.ts';

/*
 * An absence and the target hours that it is measured by change at the same moment. The second transaction must see the first.
 */

/** Keeps a transaction open after its work until another request waits for it or is finished. */
async function holding<Result>(
  { db, accountId }: World,
  work: (tx: OpenTransaction) => Promise<unknown>,
  other: () => Promise<Result>,
): Promise<Result> {
  let meanwhile: Promise<Result> | undefined;
  await forAccount(db, accountId, async (tx) => {
    await work(tx);
    let isDone = false;
    meanwhile = other().finally(() => (isDone = true));
    while (!isDone && !(await isSomebodyWaiting(db))) await new Promise(setImmediate);
  });
  return meanwhile!;
}

const week = fullDays('2026-07-06', '2026-07-12');
const shorten = ({ admin, employee }: World) =>
  createTargetHour(admin, employee.id, { start_date: '2026-07-01', ...monToWed });
const daysInAll = async ({ db, accountId }: World): Promise<number[]> =>
  (await db.selectFrom('absences').select('days').where('account_id', '=', accountId).execute()).map(
    ({ days }) => days,
  );

describe('target hours that change at once with', () => {
  it('a new absence leave no old amount', async () => {
    const world = await newWorld();
    const input = { ...week, absence_type: await typeOf(world) };
    const actor = employeeIn(world, world.employee.id);
    const { status } = await holding(
      world,
      (tx) => createAbsence(tx, actor, input, new Date()),
      () => shorten(world),
    );
    expect([status, await daysInAll(world)]).toEqual([201, [3]]);
  });

  it('a changed absence leave no old amount', async () => {
    const world = await newWorld();
    const id = await absenceOf(world, world.employee, { ...week, use_custom_values: true, days: 9, hours: 9 });
    const actor = employeeIn(world, world.employee.id);
    await holding(
      world,
      (tx) => updateAbsence(tx, actor, id, { use_custom_values: false }, new Date()),
      () => shorten(world),
    );
    expect(await shownAbsence(world, id)).toMatchObject({ days: 3, hours: 24 });
  });

  it('the confirmation of an absence leave its amount', async () => {
    const world = await newWorld();
    const id = await absenceOf(world, world.employee, week);
    const admin: Actor = { ...employeeIn(world, world.admin.id), rank: 4 };
    await holding(
      world,
      (tx) => decideAbsence(tx, admin, id, 'confirmed', new Date()),
      () => shorten(world),
    );
    expect(await shownAbsence(world, id)).toMatchObject({ confirmation_status: 'confirmed', days: 5 });
  });

  it('a new absence that comes second are those that it is measured by', async () => {
    const world = await newWorld();
    const { status } = await holding(
      world,
      async (tx) => {
        await sql`select from users where account_id = ${world.accountId} and id = ${world.employee.id} for no key update`.execute(
          tx,
        );
        await tx
          .updateTable('target_hours')
          .set({ is_thu: false, is_fri: false })
          .where('account_id', '=', world.accountId)
          .where('user_id', '=', world.employee.id)
          .execute();
      },
      () => request(world, world.employee, week),
    );
    expect([status, await daysInAll(world)]).toEqual([200, [3]]);
  });
});

describe('the job of a workspace that runs at once with', () => {
  it('a new absence that was measured before measures it again', async () => {
    const world = await newWorld();
    const input = { ...fullDays('2026-04-27', '2026-05-03'), absence_type: await typeOf(world) };
    const actor = employeeIn(world, world.employee.id);
    const handler = timeAccountJobs((await service()).database.db, { hasMonthCache: true }, () => new Date())[
      'remeasure_absences'
    ]! as (job: object) => Promise<void>;
    const { accountId, workspaceId } = world;
    await holding(
      world,
      (tx) => createAbsence(tx, actor, input, new Date()),
      async () => {
        await world.admin.call('updateWorkspace', { body: bodyOf('workspace', { holiday_region: 'DE-BE' }) });
        await handler({ accountId, workspaceId, from: null, resetsConfirmed: false, afterUserId: 0 });
      },
    );
    expect(await daysInAll(world)).toEqual([4]);
  });
});
