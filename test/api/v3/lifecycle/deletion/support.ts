import { expect } from 'vitest';
import { absenceOf, at } from '../../../../support/absences.ts';
import { png } from '../../../../support/images.ts';
import { areaWith, record } from '../../../../support/time_trackings.ts';
import { bodyOf, newWorld, type Person, type World } from '../../../../support/world.ts';

export const named = (id: string | number) => ({ params: { time_tracking_id: id } });
export const restore = (person: Person, id: string | number) => person.call('restoreTimeTracking', named(id));
export const remove = async (person: Person, id: string) =>
  expect((await person.call('deleteTimeTracking', named(id))).status).toBe(200);

export interface Listed {
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships: Readonly<Record<string, unknown>>;
}

export const deletedOf = async (person: Person, query = ''): Promise<Listed[]> => {
  const { status, body } = await person.call('listDeletedRecords', { query });
  expect(status).toBe(200);
  return body.data;
};

/** A time tracking with every kind of related record. */
export async function carrier() {
  const world = await newWorld();
  const { admin, employee } = world;
  const colleague = await world.addMember('employee', 'colleague');
  const area = await areaWith(world, 'Bar', [employee]);
  const tag = (await admin.call('createTag', { body: bodyOf('tag', { title: 'Late' }) })).body.data.id as string;
  const breaks_attributes = [{ starts_at: '2026-01-05T08:30:00Z', ends_at: '2026-01-05T09:00:00Z' }];
  const ties = { user: employee.id, area, tags: [tag] };
  const { id } = await record(admin, { external_id: 'import-7', breaks_attributes }, ties);
  const path = { params: { time_tracking_id: id } };
  await admin.call('createTimeTrackingNote', { ...path, body: bodyOf('note', { content: 'Was late.' }) });
  await admin.call('createTimeTrackingFollowers', {
    ...path,
    body: bodyOf('follower', { follower_ids: [colleague.id] }),
  });
  await admin.call('createTimeTrackingAttachments', {
    ...path,
    files: [{ field: 'files', name: 'a.png', bytes: png }],
  });
  await admin.call('confirmTimeTracking', path);
  return { world, admin, employee, colleague, area, tag, id };
}

export const shown = async (person: Person, id: string) =>
  (await person.call('getTimeTracking', { ...named(id), query: 'include=notes,attachments,breaks' })).body;

export const removeAbsence = async (person: Person, id: string) =>
  expect((await person.call('deleteAbsence', at(id))).status).toBe(200);

export const confirmed = async (world: World) => {
  const id = await absenceOf(world, world.employee, { external_id: 'away' });
  expect((await world.admin.call('confirmAbsence', at(id))).status).toBe(200);
  return id;
};
