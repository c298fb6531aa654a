import { describe, expect, it } from 'vitest';
import { deleteAbsence, findAbsence } from '../../../../src/absence/absences/absences.ts';
import { createAbsence, type NewAbsence } from '../../../../src/absence/absences/create.ts';
import { decideAbsence } from '../../../../src/absence/absences/decide.ts';
import { updateAbsence } from '../../../../src/absence/absences/update.ts';
import { AppError } from '../../../../src/platform/core/errors.ts';
import type { Actor } from '../../../../src/platform/core/permissions.ts';
import { rank } from '../../../../src/platform/core/ranks.ts';
import type { OpenTransaction } from '../../../../src/platform/db/open_transaction.ts';
import { forAccount } from '../../../../src/platform/db/transactions.ts';
import { at, typeOf } from '../../../support/absences.ts';
import { bodyOf, newWorld, type World } from '../../../support/world.ts';

/* The verbs, called as the public API calls them: for a whole enterprise, without a user or a workspace. */

const now = new Date('2026-03-02T08:00:00Z');
const enterprise = ({ accountId }: World): Actor => ({
  accountId,
  userId: null,
  username: 'API',
  rank: rank.accountAdmin,
  areaIds: [],
  workspace: null,
});
const create = (world: World, actor: Actor, input: NewAbsence, at: Date) =>
  forAccount(world.db, world.accountId, (tx) => createAbsence(tx, actor, input, at));
const days = { starts_at: '2026-03-02', ends_at: '2026-03-06' };

async function named(world: World) {
  const { db, accountId, employee } = world;
  await db
    .updateTable('absence_types')
    .set({ external_id: 'vacation' })
    .where('account_id', '=', accountId)
    .where('id', '=', await typeOf(world))
    .execute();
  await db
    .updateTable('users')
    .set({ external_id: 'erin' })
    .where('account_id', '=', accountId)
    .where('id', '=', employee.id)
    .execute();
  return {
    absence_type: { external_id: 'vacation', prefix: 'absence_type_' },
    user: { external_id: 'erin', prefix: 'user_' },
  };
}

const problemsOf = async (work: Promise<unknown>): Promise<string[]> => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw new Error('This was not refused.');
  return [String(error.status), ...error.problems.map(({ pointer }) => pointer)];
};

describe('an enterprise', () => {
  it('creates an absence in the workspace of its type, from plain days', async () => {
    const world = await newWorld();
    const row = await create(
      world,
      enterprise(world),
      { ...(await named(world)), ...days, time_zone: 'New York', external_id: 'leave-7' },
      now,
    );
    expect(row).toMatchObject({
      workspace_id: world.workspaceId,
      user_id: world.employee.id,
      title: 'Urlaub',
      starts_at: new Date('2026-03-01T23:00:00Z'),
      ends_at: new Date('2026-03-06T22:59:59Z'),
      full_day: false,
      time_zone: 'America/New_York',
      created_by: null,
      created_by_user_id: null,
      confirmation_status: 'pending',
      absence_type_external_id: 'vacation',
    });
    const { body } = await world.employee.call('listAbsenceNotes', at(row.id));
    expect(body.data[0].attributes.content).toBe(
      'API created the absence: 2026-03-02 00:00 to 2026-03-06 23:59, Urlaub.',
    );
  });

  it('finds, changes, decides and deletes it by either name', async () => {
    const world = await newWorld();
    const actor = enterprise(world);
    const { id } = await create(
      world,
      actor,
      { ...(await named(world)), ...days, full_day: true, external_id: 'leave-7' },
      now,
    );
    const ref = { external_id: 'leave-7', prefix: '' };
    const inTransaction = <Result>(work: (tx: OpenTransaction) => Promise<Result>) =>
      forAccount(world.db, world.accountId, work);
    expect(await findAbsence(world.db, actor, ref)).toMatchObject({ id, days: 5, hours: 40 });
    expect(
      await inTransaction((tx) =>
        updateAbsence(tx, actor, ref, { ends_at: '2026-03-04', use_custom_values: true, days: 1, hours: 2 }, now),
      ),
    ).toMatchObject({
      days: 1,
      hours: 2,
    });
    expect(await inTransaction((tx) => decideAbsence(tx, actor, id, 'confirmed', now))).toMatchObject({
      confirmation_status: 'confirmed',
      confirmed_at: now,
      confirmed_by_user_id: null,
    });
    expect(await inTransaction((tx) => decideAbsence(tx, actor, ref, 'rejected', now))).toMatchObject({
      confirmation_status: 'rejected',
      confirmed_at: null,
    });
    expect(await inTransaction((tx) => decideAbsence(tx, actor, { id, prefix: '' }, 'pending', now))).toMatchObject({
      confirmation_status: 'pending',
    });
    expect((await world.employee.call('getAbsence', at(id))).body.data.attributes).toMatchObject({
      confirmed: null,
      system_notes_count: 5,
    });
    // The change and three decisions.
    expect((await world.employee.call('listNotifications')).body.data).toHaveLength(4);
    await inTransaction((tx) => deleteAbsence(tx, actor, ref, now));
    expect(await problemsOf(findAbsence(world.db, actor, id))).toEqual(['404', 'base']);
  });

  it('gets errors that use the names of its request', async () => {
    const world = await newWorld();
    const actor = enterprise(world);
    const { absence_type, user } = await named(world);
    const nobody = { external_id: 'nobody', prefix: 'user_' };
    const nothing = { external_id: 'nothing', prefix: 'absence_type_' };
    expect(
      await problemsOf(
        create(world, actor, { absence_type: nothing, user: nobody, ...days, time_zone: 'Nowhere' }, now),
      ),
    ).toEqual(['400', 'absence_type_external_id', 'user_external_id', 'time_zone']);
    const other = { id: world.admin.id, external_id: 'erin', prefix: 'user_' };
    expect(await problemsOf(create(world, actor, { absence_type, user: other, ...days }, now))).toEqual([
      '400',
      'user_id',
    ]);
    await create(world, actor, { absence_type, user, ...days, external_id: 'leave-7' }, now);
    expect(
      await problemsOf(create(world, actor, { absence_type, user, ...days, external_id: 'leave-7' }, now)),
    ).toEqual(['400', 'external_id']);
    expect(
      await problemsOf(
        forAccount(world.db, world.accountId, (tx) =>
          updateAbsence(
            tx,
            actor,
            { external_id: 'leave-7', prefix: '' },
            { time_zone: 'Nowhere', ends_at: '2026-03-01' },
            now,
          ),
        ),
      ),
    ).toEqual(['400', 'ends_at', 'time_zone']);
  });

  it('cannot use another enterprise or a deleted location', async () => {
    const world = await newWorld();
    const stranger = enterprise(await newWorld());
    const { id } = await create(world, enterprise(world), { ...(await named(world)), ...days }, now);
    expect(await problemsOf(findAbsence(world.db, stranger, id))).toEqual(['404', 'base']);
    expect(
      await problemsOf(
        create(world, stranger, { absence_type: await typeOf(world), user: world.employee.id, ...days }, now),
      ),
    ).toEqual(['400', 'absence_type_id', 'user_id']);
    await world.admin.call('createWorkspace', { body: bodyOf('workspace', { name: 'Elsewhere' }) });
    await world.admin.call('deleteWorkspace');
    expect(await problemsOf(findAbsence(world.db, enterprise(world), id))).toEqual(['404', 'base']);
  });
});
