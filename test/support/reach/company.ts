import { randomUUID } from 'node:crypto';
import { addDays } from '../../../src/calendar/dates.ts';
import { joinWorkspace } from '../../../src/users/memberships.ts';
import type { RecordKind } from '../contract/tenant.ts';
import {
  insertAbsence,
  insertAccountingPeriod,
  insertArea,
  insertEntitlement,
  insertTimeTracking,
} from '../records.ts';
import { bodyOf, newWorld, type Person, type RoleName, type World } from '../world.ts';

/** The role of a person in the first workspace, in the second one if they belong to it, and their area. */
export interface Position {
  readonly here: RoleName;
  readonly elsewhere?: 1 | 3;
  readonly area?: 'Bar' | 'Kitchen';
}

/** Every position that rights depend on. */
export const positions = {
  employee: { here: 'employee' },
  'employee of the area': { here: 'employee', area: 'Bar' },
  'employee of both workspaces': { here: 'employee', elsewhere: 1 },
  'employee who administers elsewhere': { here: 'employee', elsewhere: 3 },
  'area admin': { here: 'areaAdmin', area: 'Bar' },
  'area admin of another area': { here: 'areaAdmin', area: 'Kitchen' },
  'workspace admin': { here: 'workspaceAdmin' },
  'workspace admin of both workspaces': { here: 'workspaceAdmin', elsewhere: 3 },
  'account admin': { here: 'accountAdmin' },
} as const satisfies Record<string, Position>;

export type PositionName = keyof typeof positions;

/** A record and the workspace that it is in. */
interface Located {
  readonly workspaceId: number;
  readonly id: string | number;
}

/** An account with two workspaces, somebody who attacks, and those who are attacked. */
export interface Company extends World {
  readonly elsewhereId: number;
  readonly actor: Person;
  readonly targets: readonly Person[];
  readonly areas: Readonly<Record<'Bar' | 'Kitchen' | 'Store', number>>;
  /** The records of every kind. Those at the same position belong together. */
  readonly records: Readonly<Partial<Record<RecordKind, readonly Located[]>>>;
}

export async function newCompany(actorAs: PositionName, targetsAs: readonly PositionName[]): Promise<Company> {
  const world = await newWorld();
  const { body } = await world.admin.call('createWorkspace', { body: bodyOf('workspace', { name: 'Elsewhere' }) });
  const elsewhereId = Number(body.data.id);
  const actor = await hire(world, elsewhereId, actorAs);
  const targets: Person[] = [];
  for (const name of targetsAs) targets.push(await hire(world, elsewhereId, name));
  const people = [actor, ...targets];
  const inArea = (area: 'Bar' | 'Kitchen'): number[] =>
    [actorAs, ...targetsAs].flatMap((name, index) =>
      (positions[name] as Position).area === area ? [people[index]!.id] : [],
    );
  const elsewhere = { ...world, workspaceId: elsewhereId };
  const areas = {
    Bar: await insertArea(world, 'Bar', inArea('Bar')),
    Kitchen: await insertArea(world, 'Kitchen', inArea('Kitchen')),
    Store: await insertArea(elsewhere, 'Store', []),
  };
  const owned: Awaited<ReturnType<typeof recordsOf>>[] = [];
  for (const { id } of targets) owned.push(await recordsOf(world, id));
  for (const [index, name] of targetsAs.entries())
    if ((positions[name] as Position).elsewhere) owned.push(await recordsOf(elsewhere, targets[index]!.id));
  const kind = (of: keyof (typeof owned)[number]['ids']): Located[] =>
    owned.map(({ workspaceId, ids }) => ({ workspaceId, id: ids[of] }));
  const tagged = { account_id: world.accountId, workspace_id: world.workspaceId, title: 'Night' };
  const tag = await world.db
    .insertInto('tags')
    .values({ ...tagged, created_at: new Date(), updated_at: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow();
  const targetHours = await world.db
    .selectFrom('target_hours')
    .select(['id', 'user_id'])
    .where('account_id', '=', world.accountId)
    .execute();
  const targetHourOf = (person: Person): number => targetHours.find(({ user_id }) => user_id === person.id)!.id;
  const entitlementIds = new Map<Person, number>();
  const periodIds = new Map<Person, number>();
  for (const person of people) {
    entitlementIds.set(person, await insertEntitlement(world, person.id));
    periodIds.set(person, await insertAccountingPeriod(world, person.id));
  }
  const inEveryWorkspace = (idOf: (person: Person) => number): Located[] =>
    [world.workspaceId, elsewhereId].flatMap((workspaceId) =>
      people.map((person) => ({ workspaceId, id: idOf(person) })),
    );
  const area = [areas.Bar, areas.Kitchen].map((id) => ({ workspaceId: world.workspaceId, id }));
  return {
    ...world,
    elsewhereId,
    actor,
    targets,
    areas,
    records: {
      user: inEveryWorkspace(({ id }) => id),
      target_hour: inEveryWorkspace(targetHourOf),
      vacation_entitlement: inEveryWorkspace((person) => entitlementIds.get(person)!),
      accounting_period: inEveryWorkspace((person) => periodIds.get(person)!),
      area: [...area, { workspaceId: elsewhereId, id: areas.Store }],
      tag: [{ workspaceId: world.workspaceId, id: tag.id }],
      time_tracking: kind('time_tracking'),
      break: kind('break'),
      action: kind('action'),
      absence: kind('absence'),
      batch: kind('batch'),
      working_time_violation: kind('working_time_violation'),
    },
  };
}

async function hire(world: World, elsewhereId: number, name: PositionName): Promise<Person> {
  const { db, accountId } = world;
  const position: Position = positions[name];
  const person = await world.addMember(position.here, name);
  if (position.elsewhere === undefined) return person;
  await joinWorkspace(db, { accountId, workspaceId: elsewhereId, userId: person.id }, undefined, new Date());
  await db
    .updateTable('memberships')
    .set({ role: position.elsewhere })
    .where('account_id', '=', accountId)
    .where('workspace_id', '=', elsewhereId)
    .where('user_id', '=', person.id)
    .execute();
  return person;
}

/** One record of each kind that belongs to a user. */
async function recordsOf(world: World, userId: number) {
  const { db, accountId, workspaceId } = world;
  const now = new Date('2026-01-05T16:00:00Z');
  const times = { created_at: now, updated_at: now };
  const time_tracking = await insertTimeTracking(world, userId);
  const pause = {
    starts_at: new Date('2026-01-05T10:00:00Z'),
    ends_at: new Date('2026-01-05T10:30:00Z'),
    created_by: 'admin',
  };
  const { id: breakId } = await db
    .insertInto('breaks')
    .values({ account_id: accountId, time_tracking_id: time_tracking, ...pause, ...times })
    .returning('id')
    .executeTakeFirstOrThrow();
  const own = { account_id: accountId, workspace_id: workspaceId, user_id: userId, ...times };
  const [action, batch] = [randomUUID(), randomUUID()];
  const punch = { id: action, action_type: 'start', action_time: now, time_tracking_id: time_tracking };
  await db.insertInto('actions').values({ ...own, ...punch }).execute(); // prettier-ignore
  const work = { id: batch, action: 'notifications.destroy', input: '{}', item_type: 'notification', item_ids: [] };
  await db.insertInto('batches').values({ ...own, ...work, total: 0, state: 'finished' }).execute(); // prettier-ignore
  const absence = await insertAbsence(world, userId);
  // A user has one violation of a rule on a day, in whichever workspace.
  const date = addDays('2026-01-05', workspaceId % 1000);
  const found = { rule: 'long_work', date, limit_s: 36_000, value_s: 37_800, elsewhere_s: 0 };
  const { id: violation } = await db
    .insertInto('working_time_violations')
    .values({ ...own, ...found, time_tracking_id: time_tracking })
    .returning('id')
    .executeTakeFirstOrThrow();
  return {
    workspaceId,
    ids: { time_tracking, break: breakId, action, absence, batch, working_time_violation: violation },
  };
}
