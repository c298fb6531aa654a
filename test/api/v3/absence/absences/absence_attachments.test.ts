import { describe, expect, it } from 'vitest';
import { absenceOf, at, rowsIn } from '../../../../support/absences.ts';
import { bodyOf, newWorld, type Person } from '../../../../support/world.ts';

const write = (absence_id: string, content: unknown) => at(absence_id, { body: bodyOf('note', { content }) });
const onNote = (absence_id: string, user_note_id: string, rest: object = {}) => ({
  params: { absence_id, user_note_id },
  ...rest,
});
const countersOf = async (person: Person, id: string) => {
  const { attachments_count, system_notes_count, user_notes_count } = (await person.call('getAbsence', at(id))).body
    .data.attributes;
  return [system_notes_count, user_notes_count, attachments_count];
};
const pdf = Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj\n<<>>\nendobj\n');
const upload = (absence_id: string, ...files: [string, Buffer][]) =>
  at(absence_id, { files: files.map(([name, bytes]) => ({ field: 'files', name, bytes })) });

describe('createAbsenceAttachments', () => {
  it('201 with several files, whose types are found from their bytes', async () => {
    const world = await newWorld();
    const id = await absenceOf(world, world.employee);
    const { status, body } = await world.employee.call(
      'createAbsenceAttachments',
      upload(id, ['ärztlich.pdf', pdf], ['note.html', Buffer.from('<b>hello</b>')]),
    );
    expect(status).toBe(201);
    expect(body.data.map(({ attributes }: { attributes: object }) => attributes)).toMatchObject([
      { author: 'employee', file_name: 'ärztlich.pdf', file_content_type: 'application/pdf' },
      { author: 'employee', file_name: 'note.html', file_content_type: 'text/plain' },
    ]);
    expect(body.data[0].attributes.file_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/files\//);
    expect(await countersOf(world.employee, id)).toEqual([1, 0, 2]);
  });

  it('201 with one file alone', async () => {
    const world = await newWorld();
    const id = await absenceOf(world, world.employee);
    expect((await world.employee.call('createAbsenceAttachments', upload(id, ['one.pdf', pdf]))).status).toBe(201);
    expect(await countersOf(world.employee, id)).toEqual([1, 0, 1]);
  });

  it('400 without a file, or under another name', async () => {
    const world = await newWorld();
    const id = await absenceOf(world, world.employee);
    expect((await world.employee.call('createAbsenceAttachments', at(id, { form: { title: 'nothing' } }))).status).toBe(
      400,
    );
    expect(
      (
        await world.employee.call(
          'createAbsenceAttachments',
          at(id, { files: [{ field: 'file', name: 'a.pdf', bytes: pdf }] }),
        )
      ).status,
    ).toBe(400);
    expect(await rowsIn(world)).toMatchObject({ attachments: 0, files: 0 });
  });

  it('403 for a colleague, 404 for an unknown absence and a stranger; nothing is stored', async () => {
    const world = await newWorld();
    const id = await absenceOf(world, world.admin);
    expect((await world.employee.call('createAbsenceAttachments', upload(id, ['a.pdf', pdf]))).status).toBe(403);
    expect((await world.admin.call('createAbsenceAttachments', upload('999999999', ['a.pdf', pdf]))).status).toBe(404);
    expect((await world.stranger.call('createAbsenceAttachments', upload(id, ['a.pdf', pdf]))).status).toBe(404);
    expect(await rowsIn(world)).toMatchObject({ attachments: 0, files: 0 });
  });
});

it('writes nothing on an absence that is being deleted', async () => {
  const world = await newWorld();
  const { admin, employee } = world;
  for (let round = 0; round < 4; round++) {
    const id = await absenceOf(world, employee);
    const [attached, noted, deleted] = await Promise.all([
      employee.call('createAbsenceAttachments', upload(id, ['a.pdf', pdf])),
      employee.call('createAbsenceNote', write(id, 'x')),
      admin.call('deleteAbsence', at(id)),
    ]);
    expect(deleted.status).toBe(200);
    for (const { status } of [attached, noted]) expect([201, 404]).toContain(status);
  }
  expect(await rowsIn(world)).toMatchObject({ absences: 0, notes: 0, attachments: 0, files: 0 });
});

describe('listAbsenceAttachments', () => {
  it('200 with addresses that serve the file', async () => {
    const world = await newWorld();
    const id = await absenceOf(world, world.employee);
    await world.employee.call('createAbsenceAttachments', upload(id, ['b.pdf', pdf], ['a.txt', Buffer.from('hello')]));
    const { status, body } = await world.admin.call('listAbsenceAttachments', at(id, { query: { sort: 'file_name' } }));
    expect(status).toBe(200);
    expect(body.data.map(({ attributes }: { attributes: { file_name: string } }) => attributes.file_name)).toEqual([
      'a.txt',
      'b.pdf',
    ]);
    const filtered = await world.admin.call(
      'listAbsenceAttachments',
      at(id, { query: { 'filter[file_content_type]': 'eq:application/pdf' } }),
    );
    expect(filtered.body.meta.total_count).toBe(1);
  });

  it('400 for an invalid page, 403 for a colleague, 404 for an unknown absence', async () => {
    const world = await newWorld();
    const id = await absenceOf(world, world.admin);
    expect((await world.admin.call('listAbsenceAttachments', at(id, { query: { page: 0 } }))).status).toBe(400);
    expect((await world.employee.call('listAbsenceAttachments', at(id))).status).toBe(403);
    expect((await world.employee.call('listAbsenceAttachments', at('abc'))).status).toBe(404);
  });
});

it('counts notes and attachments rightly after every kind of change', async () => {
  const world = await newWorld();
  const { admin, employee } = world;
  const id = await absenceOf(world, employee, { notes_attributes: [{ content: 'one' }] });
  const counters = () => countersOf(employee, id);
  expect(await counters()).toEqual([1, 1, 0]);
  const { body } = await admin.call('createAbsenceNote', write(id, 'two'));
  expect(await counters()).toEqual([1, 2, 0]);
  await admin.call('updateAbsenceNote', { ...write(id, 'zwei'), ...onNote(id, body.data.id) });
  expect(await counters()).toEqual([1, 2, 0]);
  await admin.call('confirmAbsence', at(id));
  expect(await counters()).toEqual([2, 2, 0]);
  await admin.call('rejectAbsence', at(id));
  expect(await counters()).toEqual([3, 2, 0]);
  await admin.call('resetAbsence', at(id));
  expect(await counters()).toEqual([4, 2, 0]);
  await employee.call('createAbsenceAttachments', upload(id, ['a.pdf', pdf], ['b.pdf', pdf]));
  expect(await counters()).toEqual([4, 2, 2]);
  await admin.call(
    'updateAbsence',
    at(id, { body: bodyOf('absence', { full_day: true, notes_attributes: [{ content: 'three' }] }) }),
  );
  expect(await counters()).toEqual([4, 3, 2]);
  await admin.call('updateAbsence', at(id, { body: bodyOf('absence', { use_custom_values: true, days: 1 }) }));
  expect(await counters()).toEqual([5, 3, 2]);
  await admin.call('deleteAbsenceNote', onNote(id, body.data.id));
  expect(await counters()).toEqual([5, 2, 2]);
});
