import { expect } from 'vitest';
import { bodyOf, newWorld, type Person, type World } from './world.ts';

/** The options of `record` beside the attributes. */
export interface Ties {
  readonly user?: number;
  readonly area?: string | number;
  readonly tags?: readonly (string | number)[];
}

const relationshipsOf = ({ user, area, tags }: Ties) => ({
  ...(user === undefined ? {} : { user: { data: { type: 'user_overview', id: user } } }),
  ...(area === undefined ? {} : { area: { data: { type: 'area', id: area } } }),
  ...(tags === undefined ? {} : { tags: { data: tags.map((id) => ({ type: 'tag', id })) } }),
});

/** The body of a time tracking, by default two hours in the morning. */
export const trackingBody = (attributes: object = {}, ties: Ties = {}) =>
  bodyOf(
    'time_tracking',
    { starts_at: '2026-01-05T08:00:00Z', ends_at: '2026-01-05T10:00:00Z', ...attributes },
    relationshipsOf(ties),
  );

/** Records a time tracking and returns it as the answer shows it. */
export async function record(person: Person, attributes: object = {}, ties: Ties = {}) {
  const { status, body } = await person.call('createTimeTracking', { body: trackingBody(attributes, ties) });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data as {
    id: string;
    attributes: Record<string, unknown>;
    relationships: Record<string, { data: { id: string; type: string }[] }>;
  };
}

/** A tracking as a `start` punch leaves it, once it has ended. */
export async function punched(
  { db, accountId, workspaceId }: World,
  userId: number,
  uuid: string,
): Promise<{ id: number; uuid: string }> {
  const span = { starts_at: new Date('2026-01-06T08:00:00Z'), ends_at: new Date('2026-01-06T10:00:00Z') };
  const { id } = await db
    .insertInto('time_trackings')
    .values({
      ...span,
      account_id: accountId,
      workspace_id: workspaceId,
      user_id: userId,
      uuid,
      actual_starts_at: span.starts_at,
      actual_ends_at: span.ends_at,
      created_by: 'actions',
      last_editor_id: userId,
      created_at: span.ends_at,
      updated_at: span.ends_at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, uuid };
}

/** The system notes of a tracking, in order. */
export async function systemNotes(person: Person, trackingId: string): Promise<string[]> {
  const { body } = await person.call('listTimeTrackingNotes', {
    params: { time_tracking_id: trackingId },
    query: 'filter[type]=eq:SystemNote&items=100',
  });
  return body.data.map((note: { attributes: { content: string } }) => note.attributes.content);
}

/** A new area of the world's workspace with these members. */
export async function areaWith({ admin }: World, name: string, members: readonly Person[] = []): Promise<string> {
  const { body } = await admin.call('createArea', { body: bodyOf('area', { name }) });
  const ids = members.map(({ id }) => id);
  if (ids.length > 0)
    await admin.call('updateArea', { params: { area_id: body.data.id }, body: bodyOf('area', { user_ids: ids }) });
  return body.data.id as string;
}

export async function tagTitled({ admin }: World, title: string, attributes: object = {}): Promise<string> {
  const { status, body } = await admin.call('createTag', { body: bodyOf('tag', { title, ...attributes }) });
  expect(status).toBe(201);
  return body.data.id as string;
}

/** Leaves a break of a running tracking open, as a punch does. */
export async function openBreak({ db, accountId }: World, trackingId: string): Promise<void> {
  const open = {
    account_id: accountId,
    time_tracking_id: Number(trackingId),
    starts_at: new Date('2026-01-05T09:00:00Z'),
    created_by: 'actions',
  };
  await db
    .insertInto('breaks')
    .values({ ...open, created_at: new Date(), updated_at: new Date() })
    .execute();
}

/** A UUID that no record has. */
export const unknownUuid = '2b9f4c1e-3c7d-4c55-8a35-6f2f6d1f0a77';

/** A tracking of the employee, and a colleague who may not see it. */
export async function tracked() {
  const world = await newWorld();
  const colleague = await world.addMember('employee', 'colleague');
  const { id } = await record(world.employee);
  return { ...world, world, colleague, id, params: { time_tracking_id: id } };
}
