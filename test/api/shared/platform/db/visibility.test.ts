import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { periodRows } from '../../../../../src/payroll/accounting_periods/rows.ts';
import { absencesByIds } from '../../../../../src/absence/absences/absences.ts';
import { actionsByIds } from '../../../../../src/working_time/punches/actions.ts';
import { noWorkspaceId } from '../../../../../src/platform/core/ids.ts';
import { may, type Actor, type WorkspaceActor } from '../../../../../src/platform/core/permissions.ts';
import { actorIn, actorRows } from '../../../../../src/platform/db/actors.ts';
import {
  administeredBy,
  confirmableBy,
  plannedBy,
  readableBy,
  readableDataProfile,
  readableShift,
  readableWorkspace,
} from '../../../../../src/platform/db/visibility.ts';
import { forAccount } from '../../../../../src/platform/db/transactions.ts';
import { notificationsByIds } from '../../../../../src/integration/notifications/inbox.ts';
import { shiftRows } from '../../../../../src/planning/shifts/rows.ts';
import { factsOf as factsOfTimeTracking } from '../../../../../src/working_time/time_trackings/rows.ts';
import { timeTrackingsByIds } from '../../../../../src/working_time/time_trackings/time_trackings.ts';
import { factsOfUser } from '../../../../../src/organisation/users/rows.ts';
import { usersByIds } from '../../../../../src/organisation/users/users.ts';
import { createWorkspace } from '../../../../../src/organisation/workspaces/workspaces.ts';
import { findViolation } from '../../../../../src/working_time/working_time_violations/working_time_violations.ts';
import { insertAbsence, insertAccountingPeriod, insertArea, insertTimeTracking } from '../../../../support/records.ts';
import { insertShift } from '../../../../support/shifts/shifts.ts';
import { newWorld, type RoleName, type World } from '../../../../support/world.ts';

/*
 * The table of rights and its SQL twin give the same result for every actor and every record of a random company.
 */

/** A random company. Numbers refer to users, areas and records, modulo their count. */
const companies = fc.record({
  roles: fc.array(fc.constantFrom<RoleName>('employee', 'areaAdmin', 'areaAdmin', 'workspaceAdmin', 'accountAdmin'), {
    minLength: 3,
    maxLength: 6,
  }),
  /** The members of each area. */
  areas: fc.array(fc.array(fc.nat(9), { maxLength: 4 }), { minLength: 1, maxLength: 4 }),
  records: fc.array(
    fc.record({
      user: fc.nat(9),
      area: fc.option(fc.nat(9)),
      followers: fc.array(fc.nat(9), { maxLength: 2 }),
      isWarning: fc.boolean(),
    }),
    { minLength: 4, maxLength: 10 },
  ),
});
type Company = typeof companies extends fc.Arbitrary<infer T> ? T : never;

interface Founded {
  readonly world: World;
  readonly actors: readonly WorkspaceActor[];
  /** The same users, and the enterprise itself, outside any workspace. */
  readonly outside: readonly Actor[];
}

async function found({ roles, areas, records }: Company, requiresFourEyes: boolean): Promise<Founded> {
  const world = await newWorld();
  const { db, accountId, workspaceId, admin } = world;
  const now = new Date('2026-01-05T08:00:00Z');
  const other = await forAccount(db, accountId, (tx) =>
    createWorkspace(tx, { accountId, userId: admin.id }, { name: 'Other' }, now),
  );
  await db
    .updateTable('workspaces')
    .set({ require_four_eyes: requiresFourEyes })
    .where('account_id', '=', accountId)
    .execute();
  const users: number[] = [];
  for (const role of roles) users.push((await world.addMember(role)).id);
  const userAt = (position: number): number => users[position % users.length]!;
  const areaIds: number[] = [];
  for (const id of users) await insertAccountingPeriod(world, id);
  for (const [index, members] of areas.entries()) {
    // Some areas belong to another workspace, where their members have no role.
    const place = index % 3 === 2 ? { ...world, workspaceId: other.id } : world;
    areaIds.push(await insertArea(place, `Area ${index}`, [...new Set(members.map(userAt))]));
  }
  for (const { user, area, followers, isWarning } of records) {
    const [userId, followerIds] = [userAt(user), [...new Set(followers.map(userAt))]];
    const own = area === null ? {} : { area_id: areaIds[area % areaIds.length]! };
    const trackingId = await insertTimeTracking(world, userId, own);
    await insertShift(world, { area_id: null, ...own, visible: [true, false, null][user % 3] });
    const absenceId = await insertAbsence(world, userId);
    for (const user_id of followerIds) {
      const follower = { account_id: accountId, user_id };
      await db.insertInto('time_tracking_followers').values({ ...follower, time_tracking_id: trackingId }).execute(); // prettier-ignore
      await db
        .insertInto('absence_followers')
        .values({ ...follower, absence_id: absenceId })
        .execute();
    }
    const record = {
      account_id: accountId,
      workspace_id: workspaceId,
      user_id: userId,
      created_at: now,
      updated_at: now,
    };
    await db.insertInto('actions').values({ ...record, id: randomUUID(), action_type: 'start', action_time: now }).execute(); // prettier-ignore
    await db
      .insertInto('notifications')
      .values({
        ...record,
        type: isWarning ? 'trigger_warning' : 'notification',
        time_tracking_id: isWarning ? trackingId : null,
        title: 'Title',
        message: 'Message',
      })
      .execute();
    const violated = { rule: `rule ${trackingId}`, date: '2026-01-05', limit_s: 0, value_s: 1, elsewhere_s: 0 };
    await db
      .insertInto('working_time_violations')
      .values({ ...record, ...violated, time_tracking_id: trackingId })
      .execute();
  }
  const rowsIn = (place: number) => actorRows(db, accountId, place).execute();
  const enterprise: Actor = { accountId, userId: null, username: 'API', rank: 4, areaIds: [], workspace: null };
  return {
    world,
    actors: (await rowsIn(workspaceId)).map((row) => actorIn(row) as WorkspaceActor),
    outside: [...(await rowsIn(noWorkspaceId)).map(actorIn), enterprise],
  };
}

const idsOf = <T extends { id: number | string }>(rows: readonly T[]): T['id'][] => rows.map(({ id }) => id).sort();

let founded: Founded[];
beforeAll(async () => {
  founded = [];
  for (const [index, company] of fc.sample(companies, { numRuns: 5, seed: 20_260_105 }).entries())
    founded.push(await found(company, index % 2 === 0));
});

/** For every actor, the rows that the SQL returns and those that the table allows. */
async function compare(
  actors: (company: Founded) => readonly Actor[],
  verdicts: (actor: never, world: World) => Promise<{ bySql: (number | string)[]; byTable: (number | string)[] }>,
) {
  const sizes = new Set<number>();
  for (const company of founded) {
    for (const actor of actors(company)) {
      const { bySql, byTable } = await verdicts(actor as never, company.world);
      expect({ actor, ids: bySql }).toEqual({ actor, ids: byTable });
      sizes.add(bySql.length);
    }
  }
  // If all results were equal, the test would show nothing.
  expect(sizes.size).toBeGreaterThan(1);
}

const inside = ({ actors }: Founded) => actors;
const everywhere = ({ actors, outside }: Founded) => [...actors, ...outside];

describe('the SQL twin of the table of rights', () => {
  it('gives the time trackings that the actor may read, and those they administer', async () => {
    for (const [condition, act] of [
      [readableBy, 'read'],
      [administeredBy, 'change_user'],
      [confirmableBy, 'confirm'],
    ] as const) {
      await compare(inside, async (actor: WorkspaceActor, { db }) => {
        const of = db.selectFrom('time_trackings').select('id').where('account_id', '=', actor.accountId);
        const all = await timeTrackingsByIds(db, actor, idsOf(await of.execute()));
        return {
          bySql: idsOf(await of.where(condition(actor, 'time_tracking')).execute()),
          byTable: idsOf(all.filter((row) => may(actor, act, 'time_tracking', factsOfTimeTracking(row)))),
        };
      });
    }
  });

  it('gives the absences that the actor may read, and those they decide about', async () => {
    for (const [condition, act] of [
      [readableBy, 'read'],
      [confirmableBy, 'decide'],
    ] as const) {
      await compare(everywhere, async (actor: Actor, { db }) => {
        const of = db.selectFrom('absences').select('id').where('account_id', '=', actor.accountId);
        const all = await absencesByIds(db, actor, idsOf(await of.execute()));
        return {
          bySql: idsOf(await of.where(condition(actor, 'absence')).execute()),
          byTable: idsOf(all.filter((row) => may(actor, act, 'absence', row))),
        };
      });
    }
  });

  it('gives the shifts that the actor may read, and those they plan', async () => {
    for (const [condition, act] of [
      [readableShift, 'read'],
      [plannedBy, 'update'],
    ] as const)
      await compare(inside, async (actor: WorkspaceActor, { db }) => {
        const of = db.selectFrom('shifts').select('id').where('account_id', '=', actor.accountId);
        const all = await shiftRows(db, actor.accountId).execute();
        return {
          bySql: idsOf(await of.where(condition(actor)).execute()),
          byTable: idsOf(all.filter((row) => may(actor, act, 'shift', row))),
        };
      });
  });

  it('gives the data profiles that the actor may see', () =>
    compare(everywhere, async (actor: Actor, { db, accountId }) => {
      for (const least_rank of [1, 2, 3, 4] as const)
        await db
          .insertInto('data_profiles')
          .values({ account_id: accountId, title: 'Title', least_rank, created_at: new Date(), updated_at: new Date() })
          .execute();
      const of = db.selectFrom('data_profiles').select(['id', 'least_rank']).where('account_id', '=', accountId);
      const facts = { isDefault: false, asksUsers: false };
      return {
        bySql: idsOf(await of.where(readableDataProfile(actor)).execute()),
        byTable: idsOf(
          (await of.execute()).filter(({ least_rank }) =>
            may(actor, 'read', 'data_profile', { ...facts, least_rank: least_rank as 1 }),
          ),
        ),
      };
    }));

  it('gives the actions that the actor may read', () =>
    compare(inside, async (actor: WorkspaceActor, { db }) => {
      const of = db.selectFrom('actions').select('id').where('account_id', '=', actor.accountId);
      const all = await actionsByIds(db, actor, idsOf(await of.execute()));
      return {
        bySql: idsOf(await of.where(readableBy(actor, 'action')).execute()),
        byTable: idsOf(all.filter((row) => may(actor, 'read', 'action', row))),
      };
    }));

  it('gives the accounting periods that the actor may read', () =>
    compare(inside, async (actor: WorkspaceActor, { db }) => {
      const of = db.selectFrom('accounting_periods').select('id').where('account_id', '=', actor.accountId);
      const all = await periodRows(db, actor).execute();
      return {
        bySql: idsOf(await of.where(readableBy(actor, 'accounting_period')).execute()),
        byTable: idsOf(all.filter((row) => may(actor, 'read', 'accounting_period', row))),
      };
    }));

  it('gives the notifications that the actor may read and delete', async () => {
    for (const act of ['read', 'destroy'] as const) {
      await compare(inside, async (actor: WorkspaceActor, { db }) => {
        const of = db.selectFrom('notifications').select('id').where('account_id', '=', actor.accountId);
        const all = await notificationsByIds(db, actor, idsOf(await of.execute()));
        return {
          bySql: idsOf(await of.where(readableBy(actor, 'notification')).execute()),
          byTable: idsOf(all.filter((row) => may(actor, act, 'notification', row))),
        };
      });
    }
  });

  it('gives the working-time violations that the actor may read', () =>
    compare(inside, async (actor: WorkspaceActor, { db }) => {
      const of = db.selectFrom('working_time_violations').select('id').where('account_id', '=', actor.accountId);
      const byTable: number[] = [];
      for (const { id } of await of.execute())
        await findViolation(db, actor, id).then(
          () => byTable.push(id),
          () => {},
        );
      return {
        bySql: idsOf(await of.where(readableBy(actor, 'working_time_violation')).execute()),
        byTable: byTable.sort(),
      };
    }));

  it('gives the users that the actor may read', () =>
    compare(everywhere, async (actor: Actor, { db }) => {
      const of = db.selectFrom('users').select('id').where('account_id', '=', actor.accountId);
      const all = await usersByIds(db, actor, idsOf(await of.execute()));
      return {
        bySql: idsOf(await of.where(readableBy(actor, 'user')).execute()),
        byTable: idsOf(all.filter((row) => may(actor, 'read', 'user', factsOfUser(row)))),
      };
    }));

  it('gives the workspaces that the actor may read', () =>
    compare(everywhere, async (actor: Actor, { db }) => {
      const of = db.selectFrom('workspaces').select('id').where('account_id', '=', actor.accountId);
      return {
        bySql: idsOf(await of.where(readableWorkspace(actor)).execute()),
        byTable: idsOf((await of.execute()).filter((row) => may(actor, 'read', 'workspace', row))),
      };
    }));
});
