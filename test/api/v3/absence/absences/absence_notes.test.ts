import { describe, expect, it } from 'vitest';
import { absenceOf, at, rowsIn } from '../../../../support/absences.ts';
import { pointersIn } from '../../../../support/client.ts';
import { insertArea } from '../../../../support/records.ts';
import { bodyOf, newWorld } from '../../../../support/world.ts';

const write = (absence_id: string, content: unknown) => at(absence_id, { body: bodyOf('note', { content }) });
const onNote = (absence_id: string, user_note_id: string, rest: object = {}) => ({
  params: { absence_id, user_note_id },
  ...rest,
});

describe('createAbsenceNote', () => {
  it('201 as a user_note of the caller', async () => {
    const world = await newWorld();
    const id = await absenceOf(world, world.employee);
    const { status, body } = await world.admin.call('createAbsenceNote', write(id, 'Please hand over the keys.'));
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      type: 'user_note',
      attributes: { content: 'Please hand over the keys.', type: 'UserNote', author: 'admin', author_role: 'admin' },
      relationships: { attachments: { data: [] } },
    });
    expect(body.data.attributes.created_at).toMatch(/\+0[12]:00$/);
  });

  it('201 for owner, follower and area admin; 403 for a colleague; 404 for a stranger and an unknown absence', async () => {
    const world = await newWorld();
    const { admin, employee, stranger } = world;
    const [follower, chef, colleague] = [
      await world.addMember('employee', 'follower'),
      await world.addMember('areaAdmin'),
      await world.addMember('employee', 'colleague'),
    ];
    await insertArea(world, 'Kitchen', [chef.id, employee.id]);
    const id = await absenceOf(world, employee, { follower_ids: [follower.id] });
    for (const person of [employee, follower, chef, admin])
      expect((await person.call('createAbsenceNote', write(id, 'x'))).status).toBe(201);
    expect((await colleague.call('createAbsenceNote', write(id, 'x'))).status).toBe(403);
    expect((await stranger.call('createAbsenceNote', write(id, 'x'))).status).toBe(404);
    expect((await admin.call('createAbsenceNote', write('999999999', 'x'))).status).toBe(404);
  });

  it('400 for a blank, too long or missing text, and another type', async () => {
    const world = await newWorld();
    const id = await absenceOf(world, world.employee);
    const before = await rowsIn(world);
    for (const content of ['', ' ', null, 5, 'x'.repeat(10_001)]) {
      const response = await world.employee.call('createAbsenceNote', write(id, content));
      expect(response.status).toBe(400);
      expect(new Set(pointersIn(response))).toEqual(new Set(['content']));
    }
    expect(
      pointersIn(
        await world.employee.call('createAbsenceNote', at(id, { body: bodyOf('user_note', { content: 'x' }) })),
      ),
    ).toEqual(['type']);
    expect(await rowsIn(world)).toEqual(before);
  });
});

describe('listAbsenceNotes', () => {
  it('200 with notes of both kinds, in order, by type and with permissions', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const id = await absenceOf(world, employee, { notes_attributes: [{ content: 'Anna covers for me.' }] });
    await admin.call('createAbsenceNote', write(id, 'Thanks.'));
    const { status, body } = await employee.call(
      'listAbsenceNotes',
      at(id, { query: { permissions: 'true', include: 'attachments' } }),
    );
    expect(status).toBe(200);
    expect(body.data.map(({ type }: { type: string }) => type)).toEqual(['note', 'note', 'note']);
    expect(body.data.map(({ attributes }: { attributes: object }) => attributes)).toMatchObject([
      { type: 'SystemNote', permissions: { read: true, update: false, destroy: false } },
      { type: 'UserNote', author_role: 'employee', permissions: { read: true, update: true, destroy: true } },
      { type: 'UserNote', author_role: 'admin', permissions: { read: true, update: false, destroy: false } },
    ]);
    expect(body.data[0].attributes).not.toHaveProperty('author');
    expect(body.included).toEqual([]);
    const contents = async (query: Record<string, string>) =>
      (await employee.call('listAbsenceNotes', at(id, { query }))).body.data.map(
        ({ attributes }: { attributes: { content: string } }) => attributes.content,
      );
    expect(await contents({ 'filter[type]': 'eq:UserNote' })).toEqual(['Anna covers for me.', 'Thanks.']);
    expect(await contents({ 'filter[content]': 'ct:ANNA' })).toEqual(['Anna covers for me.']);
    expect(await contents({ 'filter[author_role]': 'eq:admin' })).toEqual(['Thanks.']);
    expect(await contents({ sort: '-id', items: '1' })).toEqual(['Thanks.']);
  });

  it('400 for an invalid page', async () => {
    const world = await newWorld();
    expect(
      (
        await world.employee.call(
          'listAbsenceNotes',
          at(await absenceOf(world, world.employee), { query: { items: 0 } }),
        )
      ).status,
    ).toBe(400);
  });

  it('403 for a colleague, 404 for an unknown absence', async () => {
    const world = await newWorld();
    expect((await world.employee.call('listAbsenceNotes', at(await absenceOf(world, world.admin)))).status).toBe(403);
    expect((await world.employee.call('listAbsenceNotes', at('abc'))).status).toBe(404);
  });
});

describe('updateAbsenceNote', () => {
  it('200 for its author, 403 for everybody else, even an admin', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const id = await absenceOf(world, employee);
    const { body } = await employee.call('createAbsenceNote', write(id, 'one'));
    const changed = await employee.call('updateAbsenceNote', { ...write(id, 'two'), ...onNote(id, body.data.id) });
    expect(changed.status).toBe(200);
    expect(changed.body.data).toMatchObject({ type: 'user_note', id: body.data.id, attributes: { content: 'two' } });
    expect((await admin.call('updateAbsenceNote', { ...write(id, 'three'), ...onNote(id, body.data.id) })).status).toBe(
      403,
    );
    const { body: notes } = await employee.call('listAbsenceNotes', at(id));
    expect(notes.data[1].attributes.content).toBe('two');
  });

  it('400 for a blank text', async () => {
    const world = await newWorld();
    const id = await absenceOf(world, world.employee);
    const { body } = await world.employee.call('createAbsenceNote', write(id, 'one'));
    expect(
      pointersIn(await world.employee.call('updateAbsenceNote', { ...write(id, ''), ...onNote(id, body.data.id) })),
    ).toContain('content');
  });

  it('404 for a system note, a note of another absence, an unknown one; 403 where the absence is not the caller’s to read', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const [id, other] = [await absenceOf(world, employee), await absenceOf(world, employee)];
    const { body: notes } = await employee.call('listAbsenceNotes', at(id));
    const { body: foreign } = await employee.call('createAbsenceNote', write(other, 'x'));
    for (const note of [notes.data[0].id, foreign.data.id, '999999999', 'abc']) {
      expect((await employee.call('updateAbsenceNote', { ...write(id, 'y'), ...onNote(id, note) })).status).toBe(404);
    }
    const admins = await absenceOf(world, admin, { notes_attributes: [{ content: 'x' }] });
    const { body: adminsNotes } = await admin.call('listAbsenceNotes', at(admins));
    expect(
      (await employee.call('updateAbsenceNote', { ...write(admins, 'y'), ...onNote(admins, adminsNotes.data[1].id) }))
        .status,
    ).toBe(403);
  });
});

describe('deleteAbsenceNote', () => {
  it('200 for its author and for an admin of the user, 403 for others, then 404', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const [follower, barkeeper] = [await world.addMember('employee', 'follower'), await world.addMember('areaAdmin')];
    await insertArea(world, 'Bar', [barkeeper.id]);
    const id = await absenceOf(world, employee, { follower_ids: [follower.id, barkeeper.id] });
    const notes: string[] = [];
    for (const content of ['one', 'two'])
      notes.push((await employee.call('createAbsenceNote', write(id, content))).body.data.id);
    for (const person of [follower, barkeeper])
      expect((await person.call('deleteAbsenceNote', onNote(id, notes[0]!))).status).toBe(403);
    const { status, body } = await employee.call('deleteAbsenceNote', onNote(id, notes[0]!));
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ type: 'user_note', attributes: { content: 'one' } });
    expect((await admin.call('deleteAbsenceNote', onNote(id, notes[1]!))).status).toBe(200);
    expect((await employee.call('deleteAbsenceNote', onNote(id, notes[0]!))).status).toBe(404);
    const system = (await employee.call('listAbsenceNotes', at(id))).body.data[0].id;
    expect((await admin.call('deleteAbsenceNote', onNote(id, system))).status).toBe(404);
  });
});
