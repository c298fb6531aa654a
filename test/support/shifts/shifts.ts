import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { Response } from 'supertest';
import type { DB } from '../../../generated/db.ts';
import { insertArea } from '../records.ts';
import { bodyOf, newWorld, type Person, type World } from '../world.ts';

/** Eight hours of a Monday. */
export const monday = { starts_at: '2026-06-08T08:00:00+02:00', ends_at: '2026-06-08T16:00:00+02:00' };

/** A shift as an answer shows it. */
export interface ShownShift {
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships: Readonly<Record<string, { readonly data: unknown }>>;
}

/** A world with two areas, of which an area admin administers the bar. */
export interface RosterWorld extends World {
  readonly bar: number;
  readonly kitchen: number;
  readonly barAdmin: Person;
}

export async function newRoster(): Promise<RosterWorld> {
  const world = await newWorld();
  const barAdmin = await world.addMember('areaAdmin');
  return {
    ...world,
    barAdmin,
    bar: await insertArea(world, 'Bar', [barAdmin.id]),
    kitchen: await insertArea(world, 'Kitchen', []),
  };
}

/** A shift, straight into the database. */
export async function insertShift(
  { db, accountId, workspaceId }: World,
  attributes: Partial<Insertable<DB['shifts']>>,
): Promise<number> {
  const now = new Date('2026-01-05T16:00:00Z');
  const times = { starts_at: new Date(monday.starts_at), ends_at: new Date(monday.ends_at) };
  const own = {
    account_id: accountId,
    workspace_id: workspaceId,
    uuid: randomUUID(),
    created_at: now,
    updated_at: now,
  };
  const { id } = await db
    .insertInto('shifts')
    .values({ ...times, ...own, ...attributes })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export const createShift = (person: Person, attributes: object): Promise<Response> =>
  person.call('createShift', { body: bodyOf('event', { ...monday, ...attributes }) });

/** A shift that exists. */
export async function newShift(person: Person, attributes: object): Promise<ShownShift> {
  const { status, body } = await createShift(person, attributes);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.data;
}

export const updateShift = (person: Person, shift_id: string, attributes: object): Promise<Response> =>
  person.call('updateShift', { params: { shift_id }, body: bodyOf('event', attributes) });

export const shiftsSeenBy = async (person: Person, query = ''): Promise<string[]> =>
  (await person.call('listShifts', { query: `${query}&items=100` })).body.data.map(({ id }: ShownShift) => id);
