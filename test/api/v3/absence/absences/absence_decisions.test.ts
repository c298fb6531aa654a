import { describe, expect, it } from 'vitest';
import { absenceOf, at, rowsIn } from '../../../../support/absences.ts';
import { pointersIn } from '../../../../support/client.ts';
import { insertArea } from '../../../../support/records.ts';
import { newWorld, type Person } from '../../../../support/world.ts';

type Operation = 'confirmAbsence' | 'rejectAbsence' | 'resetAbsence';
const operations: readonly Operation[] = ['confirmAbsence', 'rejectAbsence', 'resetAbsence'];

/** The state that each operation leads to, according to the contract. The last two are as the contract defines them. */
const outcome = {
  confirmAbsence: { confirmation_status: 'confirmed', confirmed: true },
  rejectAbsence: { confirmation_status: 'pending', confirmed: null },
  resetAbsence: { confirmation_status: 'rejected', confirmed: false },
};
const note = {
  confirmAbsence: 'admin confirmed the absence.',
  rejectAbsence: 'admin set the absence back to pending.',
  resetAbsence: 'admin rejected the absence.',
};
const news = {
  confirmAbsence: {
    title: 'Your absence was confirmed',
    message: 'admin confirmed your absence "Urlaub", 2026-07-06 to 2026-07-17.',
  },
  rejectAbsence: {
    title: 'Your absence was set back to pending',
    message: 'admin set your absence "Urlaub", 2026-07-06 to 2026-07-17 back to pending.',
  },
  resetAbsence: {
    title: 'Your absence was rejected',
    message: 'admin rejected your absence "Urlaub", 2026-07-06 to 2026-07-17.',
  },
};
/** The operation that leads to each state a decision can start from. */
const states: readonly [string, Operation][] = [
  ['pending', 'rejectAbsence'],
  ['confirmed', 'confirmAbsence'],
  ['rejected', 'resetAbsence'],
];

describe.each(operations)('%s', (operation) => {
  it.each(states)('200 from %s, with its state, note, notification and acting user', async (state, before) => {
    const world = await newWorld();
    const { admin, employee } = world;
    const id = await absenceOf(world, employee, { follower_ids: [employee.id] });
    const other = await world.addMember('workspaceAdmin', 'other admin');
    expect((await other.call(before, at(id))).body.data.attributes.confirmation_status).toBe(state);
    await world.db.deleteFrom('notifications').where('account_id', '=', world.accountId).execute();

    const { status, body } = await admin.call(operation, at(id));
    expect(status).toBe(200);
    expect(body.data.attributes).toMatchObject({ ...outcome[operation], system_notes_count: 3, user_notes_count: 0 });
    const isConfirmed = operation === 'confirmAbsence';
    expect(body.data.attributes.confirmed_at).toEqual(isConfirmed ? expect.stringMatching(/Z$/) : null);
    expect(body.data.relationships.confirmed_by_user.data).toEqual(
      isConfirmed ? { type: 'user_overview', id: String(admin.id) } : null,
    );
    expect((await employee.call('getAbsence', at(id))).body.data).toEqual(body.data);

    const { body: notes } = await employee.call('listAbsenceNotes', at(id, { query: { sort: '-id' } }));
    expect(notes.data[0].attributes).toMatchObject({ type: 'SystemNote', content: note[operation] });
    const { body: inbox } = await employee.call('listNotifications');
    expect(inbox.data[0]).toMatchObject({
      type: 'notification',
      attributes: news[operation],
      relationships: { entity: { data: { type: 'absence', id } } },
    });
  });

  it('400 for an Idempotency-Key that is too long, and then nothing is decided', async () => {
    const world = await newWorld();
    const id = await absenceOf(world, world.employee);
    const response = await world.admin.call(operation, at(id, { headers: { 'Idempotency-Key': 'x'.repeat(256) } }));
    expect(response.status).toBe(400);
    expect(pointersIn(response)).toEqual(['Idempotency-Key']);
    expect((await world.employee.call('getAbsence', at(id))).body.data.attributes.confirmation_status).toBe('pending');
  });

  it('200 and notifies the followers of the absence, but not the actor', async () => {
    const world = await newWorld();
    const follower = await world.addMember('employee', 'follower');
    const id = await absenceOf(world, world.admin, {
      user_id: world.employee.id,
      follower_ids: [follower.id, world.admin.id],
    });
    await world.admin.call(operation, at(id));
    const inbox = async (person: Person) => (await person.call('listNotifications')).body.data;
    expect(await inbox(follower)).toHaveLength(1);
    expect(await inbox(world.employee)).toHaveLength(1);
    expect(await inbox(world.admin)).toHaveLength(0);
  });

  it('200 for an area admin of the user, 403 for any other, and for everybody else', async () => {
    const world = await newWorld();
    const { employee } = world;
    const [chef, barkeeper, follower] = [
      await world.addMember('areaAdmin'),
      await world.addMember('areaAdmin'),
      await world.addMember('employee', 'follower'),
    ];
    await insertArea(world, 'Kitchen', [chef.id, employee.id]);
    await insertArea(world, 'Bar', [barkeeper.id]);
    const id = await absenceOf(world, employee, { follower_ids: [follower.id, barkeeper.id] });
    const before = await rowsIn(world);
    for (const person of [employee, follower, barkeeper])
      expect((await person.call(operation, at(id))).status).toBe(403);
    expect(await rowsIn(world)).toEqual(before);
    expect((await chef.call(operation, at(id))).status).toBe(200);
  });

  it('404 for an unknown absence and for a stranger', async () => {
    const world = await newWorld();
    expect((await world.admin.call(operation, at('abc'))).status).toBe(404);
    expect((await world.admin.call(operation, at(999_999_999))).status).toBe(404);
    expect((await world.stranger.call(operation, at(await absenceOf(world, world.employee)))).status).toBe(404);
  });
});

describe('confirmAbsence', () => {
  it('200 with what the body asks to include', async () => {
    const world = await newWorld();
    const id = await absenceOf(world, world.employee);
    const { status, body } = await world.admin.call(
      'confirmAbsence',
      at(id, { body: { include: 'absence_type, user, confirmed_by_user' } }),
    );
    expect(status).toBe(200);
    expect(body.included.map(({ type }: { type: string }) => type)).toEqual([
      'absence_type',
      'user_overview',
      'user_overview',
    ]);
    expect((await world.admin.call('confirmAbsence', at(id, { body: {} }))).body).not.toHaveProperty('included');
  });

  it('400 for an unknown include, and then nothing is decided', async () => {
    const world = await newWorld();
    const id = await absenceOf(world, world.employee);
    const before = await rowsIn(world);
    const response = await world.admin.call('confirmAbsence', at(id, { body: { include: 'nothing' } }));
    expect(response.status).toBe(400);
    expect(pointersIn(response)).toEqual(['include']);
    expect((await world.admin.call('confirmAbsence', at(id, { body: { include: 5 } }))).status).toBe(400);
    expect((await world.employee.call('getAbsence', at(id))).body.data.attributes.confirmation_status).toBe('pending');
    expect(await rowsIn(world)).toEqual(before);
  });

  it('200 twice: the later decision counts, and both are noted', async () => {
    const world = await newWorld();
    const other = await world.addMember('workspaceAdmin', 'other admin');
    const id = await absenceOf(world, world.employee);
    await world.admin.call('confirmAbsence', at(id));
    const { body } = await other.call('confirmAbsence', at(id));
    expect(body.data.relationships.confirmed_by_user.data.id).toBe(String(other.id));
    expect(body.data.attributes.system_notes_count).toBe(3);
  });

  it('two concurrent decisions leave one consistent absence and two notes', async () => {
    const world = await newWorld();
    const other = await world.addMember('workspaceAdmin', 'other admin');
    for (let round = 0; round < 5; round++) {
      const id = await absenceOf(world, world.employee);
      const responses = await Promise.all([
        world.admin.call('confirmAbsence', at(id)),
        other.call('resetAbsence', at(id)),
      ]);
      expect(responses.map(({ status }) => status)).toEqual([200, 200]);
      // Each saw its own decision; the second saw both notes.
      expect(responses.map(({ body }) => body.data.attributes.confirmation_status)).toEqual(['confirmed', 'rejected']);
      expect(responses.map(({ body }) => body.data.attributes.system_notes_count).sort()).toEqual([2, 3]);
      const { attributes, relationships } = (await world.employee.call('getAbsence', at(id))).body.data;
      expect(attributes.system_notes_count).toBe(3);
      expect([
        attributes.confirmed === true,
        attributes.confirmed_at !== null,
        relationships.confirmed_by_user.data !== null,
      ]).toEqual(Array.from({ length: 3 }, () => attributes.confirmation_status === 'confirmed'));
      const last = responses.findIndex(({ body }) => body.data.attributes.system_notes_count === 3);
      expect(attributes.confirmation_status).toBe(['confirmed', 'rejected'][last]);
    }
    expect((await world.employee.call('listNotifications')).body.data).toHaveLength(10);
  });
});
