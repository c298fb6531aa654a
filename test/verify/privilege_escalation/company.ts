import { randomUUID } from 'node:crypto';
import { insertWebhook } from '../../support/contract/webhook.ts';
import { addDays } from '../../../src/days/calendar/dates.ts';
import { joinWorkspace } from '../../../src/organisation/users/memberships.ts';
import type { RecordKind } from '../../support/contract/tenant/tenant.ts';
import {
  insertAbsence,
  insertAccountingPeriod,
  insertArea,
  insertEntitlement,
  insertTimeTracking,
} from '../../support/records.ts';
import { insertShift } from '../../support/shifts/shifts.ts';
import { bodyOf, newWorld, type Person, type RoleName, type World } from '../../support/world.ts';

/** The role of a person in the first workspace, in the second one if they belong to it, and their area. */
export interface Position {
  readonly here: RoleName;
  readonly elsewhere?: 1 | 3;
  readonly area?: 'Bar' | 'Kitchen';
}

/** Every combination of roles and areas that rights depend on. */
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

/** An account with two workspaces, an attacker, and their targets. */
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
  const file = await insertPersonnelFile(world, people);
  const inEveryWorkspace = (idOf: (person: Person) => number): Located[] =>
    [world.workspaceId, elsewhereId].flatMap((workspaceId) =>
      people.map((person) => ({ workspaceId, id: idOf(person) })),
    );
  const shiftIn = async (place: World, areaId: number): Promise<Located> => ({
    workspaceId: place.workspaceId,
    id: await insertShift(place, { area_id: areaId, visible: false }),
  });
  const shift = [
    await shiftIn(world, areas.Bar),
    await shiftIn(world, areas.Kitchen),
    await shiftIn(elsewhere, areas.Store),
  ];
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
      data_profile: inEveryWorkspace(() => file.data_profile),
      custom_field: [{ workspaceId: world.workspaceId, id: file.custom_field }],
      shift,
      tag: [{ workspaceId: world.workspaceId, id: tag.id }],
      time_tracking: kind('time_tracking'),
      break: kind('break'),
      action: kind('action'),
      absence: kind('absence'),
      batch: kind('batch'),
      tagging: kind('tagging'),
      time_tracking_export: kind('time_tracking_export'),
      absence_export: kind('absence_export'),
      data_export: kind('data_export'),
      working_time_violation: kind('working_time_violation'),
      wage_type: [{ workspaceId: world.workspaceId, id: await insertWageType(world) }],
      webhook: [{ workspaceId: world.workspaceId, id: await insertWebhook(world) }],
    },
  };
}

async function insertWageType({ db, accountId, workspaceId }: World): Promise<number> {
  const { id } = await db
    .insertInto('wage_types')
    .values({
      account_id: accountId,
      workspace_id: workspaceId,
      number: 100,
      title: 'Hours',
      source: 'net',
      unit: 'hours',
      created_at: new Date(),
      updated_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A data profile that only workspace admins see, with a value about everybody. */
async function insertPersonnelFile({ db, accountId }: World, people: readonly Person[]) {
  const stamps = { created_at: new Date(), updated_at: new Date() };
  const { id: data_profile } = await db
    .insertInto('data_profiles')
    .values({ account_id: accountId, title: 'Personnel file', least_rank: 3, ...stamps })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: custom_field } = await db
    .insertInto('custom_fields')
    .values({ account_id: accountId, data_profile_id: data_profile, key: 'warnings', title: 'Warnings', position: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const values = people.map(({ id }) => ({ account_id: accountId, custom_field_id: custom_field, user_id: id, value: '1' })); // prettier-ignore
  await db.insertInto('custom_field_values').values(values).execute();
  return { data_profile, custom_field };
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

const insertDataExport = async ({ db, accountId, admin }: World, userId: number): Promise<number> =>
  (
    await db
      .insertInto('data_exports')
      .values({
        account_id: accountId,
        user_id: userId,
        requested_by_user_id: admin.id,
        created_at: new Date(),
        updated_at: new Date(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;

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
  // A user has one violation per rule and day, over all workspaces.
  const date = addDays('2026-01-05', workspaceId % 1000);
  const found = { rule: 'long_work', date, limit_s: 36_000, value_s: 37_800, elsewhere_s: 0 };
  const { id: violation } = await db
    .insertInto('working_time_violations')
    .values({ ...own, ...found, time_tracking_id: time_tracking })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: tag_id } = await db
    .insertInto('tags')
    .values({ account_id: accountId, workspace_id: workspaceId, title: randomUUID(), ...times })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: tagging } = await db
    .insertInto('time_tracking_tags')
    .values({ account_id: accountId, time_tracking_id: time_tracking, tag_id })
    .returning('id')
    .executeTakeFirstOrThrow();
  const asked = { export_type: 'list', format: 'csv', locale: 'en', input: '{}' };
  const exportOf = async (resource: string): Promise<number> =>
    (
      await db
        .insertInto('exports')
        .values({ ...own, ...asked, resource })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  const exported = {
    time_tracking_export: await exportOf('time_trackings'),
    absence_export: await exportOf('absences'),
    data_export: await insertDataExport(world, userId),
  };
  return {
    workspaceId,
    ids: {
      time_tracking,
      break: breakId,
      action,
      absence,
      batch,
      tagging,
      working_time_violation: violation,
      ...exported,
    },
  };
}
