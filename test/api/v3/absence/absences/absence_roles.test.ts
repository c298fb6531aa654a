import { describe, expect, it } from 'vitest';
import { absenceOf, at, twoWeeks, typeOf } from '../../../../support/absences.ts';
import type { RequestOptions } from '../../../../support/client.ts';
import { insertArea } from '../../../../support/records.ts';
import { bodyOf, newWorld, type Person, type World } from '../../../../support/world.ts';

/** All roles in relation to an absence. */
const people = [
  'owner',
  'follower',
  'colleague',
  'chef',
  'barkeeper',
  'workspaceAdmin',
  'accountAdmin',
  'stranger',
] as const;
type Name = (typeof people)[number];

async function company() {
  const world = await newWorld();
  const persons: Record<Name, Person> = {
    owner: world.employee,
    follower: await world.addMember('employee', 'follower'),
    colleague: await world.addMember('employee', 'colleague'),
    // An area admin of the owner, and one of another area.
    chef: await world.addMember('areaAdmin', 'chef'),
    barkeeper: await world.addMember('areaAdmin', 'barkeeper'),
    workspaceAdmin: await world.addMember('workspaceAdmin'),
    accountAdmin: world.admin,
    stranger: world.stranger,
  };
  await insertArea(world, 'Kitchen', [persons.chef.id, persons.owner.id]);
  await insertArea(world, 'Bar', [persons.barkeeper.id, persons.colleague.id]);
  return { world, persons };
}

interface Case {
  /** The status for each person, in the order of `people`. */
  readonly statuses: readonly number[];
  readonly options: (ids: {
    absence: string;
    note: string;
    type: string;
    owner: number;
    vacation: number;
  }) => RequestOptions;
  /** The earlier decisions about the absence. */
  readonly before?: string;
}

const file = [{ field: 'files', name: 'a.txt', bytes: Buffer.from('a') }];
const onNote = ({ absence, note }: { absence: string; note: string }) => ({
  params: { absence_id: absence, user_note_id: note },
});
const content = bodyOf('note', { content: 'x' });
const empty = { body: bodyOf('absence', {}) };

/* The note in these cases is the owner's; the absence is theirs, pending unless decided before, and followed by the follower. */
const cases: Record<string, Case> = {
  'createAbsence for the owner': {
    statuses: [200, 403, 403, 200, 403, 200, 200, 404],
    options: ({ owner, vacation }) => ({
      body: bodyOf('absence', { ...twoWeeks, absence_type_id: vacation, user_id: owner }),
    }),
  },
  'createAbsence for themselves': {
    statuses: [200, 200, 200, 200, 200, 200, 200, 404],
    options: ({ vacation }) => ({ body: bodyOf('absence', { ...twoWeeks, absence_type_id: vacation }) }),
  },
  listAbsences: { statuses: [200, 200, 200, 200, 200, 200, 200, 404], options: () => ({}) },
  getAbsence: { statuses: [200, 200, 403, 200, 403, 200, 200, 404], options: ({ absence }) => at(absence) },
  'updateAbsence while pending': {
    statuses: [200, 403, 403, 200, 403, 200, 200, 404],
    options: ({ absence }) => at(absence, empty),
  },
  'updateAbsence once confirmed': {
    statuses: [403, 403, 403, 200, 403, 200, 200, 404],
    options: ({ absence }) => at(absence, empty),
    before: 'confirmAbsence',
  },
  'updateAbsence once rejected': {
    statuses: [403, 403, 403, 200, 403, 200, 200, 404],
    options: ({ absence }) => at(absence, empty),
    before: 'resetAbsence',
  },
  'deleteAbsence while pending': {
    statuses: [200, 403, 403, 200, 403, 200, 200, 404],
    options: ({ absence }) => at(absence),
  },
  'deleteAbsence once confirmed': {
    statuses: [403, 403, 403, 200, 403, 200, 200, 404],
    options: ({ absence }) => at(absence),
    before: 'confirmAbsence',
  },
  confirmAbsence: { statuses: [403, 403, 403, 200, 403, 200, 200, 404], options: ({ absence }) => at(absence) },
  rejectAbsence: { statuses: [403, 403, 403, 200, 403, 200, 200, 404], options: ({ absence }) => at(absence) },
  resetAbsence: { statuses: [403, 403, 403, 200, 403, 200, 200, 404], options: ({ absence }) => at(absence) },
  batchAbsences: {
    // The error names the users that the area admin does not administer.
    statuses: [403, 403, 403, 200, 400, 200, 200, 404],
    options: ({ owner, vacation }) => ({
      body: bodyOf('batch_action', { ...twoWeeks, action: 'create', absence_type_id: vacation, user_ids: [owner] }),
    }),
  },
  listAbsenceAttachments: { statuses: [200, 200, 403, 200, 403, 200, 200, 404], options: ({ absence }) => at(absence) },
  createAbsenceAttachments: {
    statuses: [201, 201, 403, 201, 403, 201, 201, 404],
    options: ({ absence }) => at(absence, { files: file }),
  },
  listAbsenceNotes: { statuses: [200, 200, 403, 200, 403, 200, 200, 404], options: ({ absence }) => at(absence) },
  createAbsenceNote: {
    statuses: [201, 201, 403, 201, 403, 201, 201, 404],
    options: ({ absence }) => at(absence, { body: content }),
  },
  updateAbsenceNote: {
    statuses: [200, 403, 403, 403, 403, 403, 403, 404],
    options: (ids) => ({ ...onNote(ids), body: content }),
  },
  deleteAbsenceNote: { statuses: [200, 403, 403, 200, 403, 200, 200, 404], options: onNote },
  'getAbsencesCalculation for the owner': {
    statuses: [200, 403, 403, 200, 403, 200, 200, 404],
    options: ({ owner }) => ({
      query: { starts_at: '2026-07-06T00:00:00Z', ends_at: '2026-07-07T00:00:00Z', user_id: owner },
    }),
  },
  listAbsenceTypes: { statuses: [200, 200, 200, 200, 200, 200, 200, 404], options: () => ({}) },
  createAbsenceType: {
    statuses: [403, 403, 403, 403, 403, 201, 201, 404],
    options: () => ({ body: bodyOf('absence_type', { title: 'Moving house', kind: 'special' }) }),
  },
  updateAbsenceType: {
    statuses: [403, 403, 403, 403, 403, 200, 200, 404],
    options: ({ type }) => ({
      params: { absence_type_id: type },
      body: bodyOf('absence_type', { title: 'Moving day' }),
    }),
  },
  deleteAbsenceType: {
    statuses: [403, 403, 403, 403, 403, 200, 200, 404],
    options: ({ type }) => ({ params: { absence_type_id: type } }),
  },
};

async function recordsFor(world: World, persons: Record<Name, Person>, before: string | undefined) {
  const absence = await absenceOf(world, persons.owner, {
    follower_ids: [persons.follower.id],
    notes_attributes: [{ content: 'mine' }],
  });
  const { body: notes } = await persons.owner.call('listAbsenceNotes', at(absence));
  const { body: type } = await world.admin.call('createAbsenceType', {
    body: bodyOf('absence_type', { title: 'Special', kind: 'special' }),
  });
  if (before) await world.admin.call(before, at(absence));
  return {
    absence,
    note: notes.data[1].id as string,
    type: type.data.id as string,
    owner: persons.owner.id,
    vacation: await typeOf(world),
  };
}

let here: ReturnType<typeof company> | undefined;

describe('every role on every operation', () => {
  it.each(Object.entries(cases))('%s', async (name, { statuses, options, before }) => {
    const { world, persons } = await (here ??= company());
    const operation = name.split(' ')[0]!;
    const answers: [Name, number][] = [];
    let records = await recordsFor(world, persons, before);
    for (const person of people) {
      const { status } = await persons[person].call(operation, options(records));
      answers.push([person, status]);
      // Each attempt has its own records.
      if (status < 400 && !/^(list|get)/.test(operation)) records = await recordsFor(world, persons, before);
    }
    expect(answers).toEqual(people.map((person, index) => [person, statuses[index]]));
  });
});
