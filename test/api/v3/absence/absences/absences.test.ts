import { describe, expect, it } from 'vitest';
import { absenceOf, at, request, rowsIn } from '../../../../support/absences.ts';
import { titlesIn } from '../../../../support/client.ts';
import { bodyOf, newWorld } from '../../../../support/world.ts';

describe('getAbsence', () => {
  it('200 with everything that include can name', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const id = await absenceOf(world, employee, {
      follower_ids: [admin.id],
      notes_attributes: [{ content: 'Anna covers for me.' }],
    });
    await admin.call('confirmAbsence', at(id));
    await employee.call(
      'createAbsenceAttachments',
      at(id, {
        files: [
          { field: 'files', name: 'a.txt', bytes: Buffer.from('text') },
          { field: 'files', name: 'b.txt', bytes: Buffer.from('text') },
        ],
      }),
    );
    const { status, body } = await employee.call(
      'getAbsence',
      at(id, { query: { include: 'absence_type, user,confirmed_by_user,followers,notes,attachments' } }),
    );
    expect(status).toBe(200);
    const kinds = body.included.map(({ type }: { type: string }) => type).sort();
    expect(kinds).toEqual([
      'absence_type',
      'attachment',
      'attachment',
      'note',
      'note',
      'note',
      'user_overview',
      'user_overview',
    ]);
    expect(body.data.attributes).toMatchObject({ attachments_count: 2, system_notes_count: 2, user_notes_count: 1 });
  });

  it('200 with nothing to show for a relationship that is empty', async () => {
    const world = await newWorld();
    const id = await absenceOf(world, world.employee);
    expect(
      (await world.employee.call('getAbsence', at(id, { query: { include: 'followers,confirmed_by_user' } }))).body
        .included,
    ).toEqual([]);
    expect((await world.employee.call('getAbsence', at(id, { query: { include: '' } }))).body).not.toHaveProperty(
      'included',
    );
  });

  it('200 with permissions by state and role', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const follower = await world.addMember('employee', 'follower');
    const id = await absenceOf(world, employee, { follower_ids: [follower.id] });
    const permissions = async (person: typeof admin) =>
      (await person.call('getAbsence', at(id, { query: 'permissions' }))).body.data.attributes.permissions;
    expect(await permissions(employee)).toEqual({ read: true, update: true, destroy: true });
    expect(await permissions(follower)).toEqual({ read: true, update: false, destroy: false });
    await admin.call('confirmAbsence', at(id));
    expect(await permissions(employee)).toEqual({ read: true, update: false, destroy: false });
    expect(await permissions(admin)).toEqual({ read: true, update: true, destroy: true });
  });

  it('200 after its user was deleted, whom it shows as inactive', async () => {
    const world = await newWorld();
    const id = await absenceOf(world, world.employee);
    await world.admin.call('deleteUser', { params: { user_id: world.employee.id } });
    const { body } = await world.admin.call('getAbsence', at(id, { query: { include: 'user' } }));
    expect(body.included[0].attributes).toMatchObject({ username: 'employee', status: 'inactive' });
  });

  it('400 for an unknown include', async () => {
    const world = await newWorld();
    const response = await world.employee.call(
      'getAbsence',
      at(await absenceOf(world, world.employee), { query: { include: 'users' } }),
    );
    expect(response.status).toBe(400);
    expect(titlesIn(response)[0]).toContain('absence_type, user, confirmed_by_user, followers, notes, attachments');
  });

  it('403 for a colleague’s', async () => {
    const world = await newWorld();
    expect((await world.employee.call('getAbsence', at(await absenceOf(world, world.admin)))).status).toBe(403);
  });

  it('404 for an invalid id, an unknown one, and one of another workspace', async () => {
    const world = await newWorld();
    const { body: elsewhere } = await world.admin.call('createWorkspace', {
      body: bodyOf('workspace', { name: 'Elsewhere' }),
    });
    const id = await absenceOf(world, world.employee);
    for (const absence_id of ['abc', '22_22', '0', '99999999999999999999', 999_999_999]) {
      expect((await world.admin.call('getAbsence', at(absence_id))).status).toBe(404);
    }
    expect(
      (await world.admin.call('getAbsence', { params: { workspace_id: elsewhere.data.id, absence_id: id } })).status,
    ).toBe(404);
    expect((await world.stranger.call('getAbsence', at(id))).status).toBe(404);
  });
});

describe('deleteAbsence', () => {
  it('200 and returns it, without notes and attachments; its external id is free', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const attributes = { external_id: 'leave', notes_attributes: [{ content: 'one' }], follower_ids: [admin.id] };
    const id = await absenceOf(world, employee, attributes);
    await employee.call(
      'createAbsenceAttachments',
      at(id, { files: [{ field: 'files', name: 'a.txt', bytes: Buffer.from('a') }] }),
    );
    await admin.call('confirmAbsence', at(id));
    const { status, body } = await admin.call('deleteAbsence', at(id));
    expect(status).toBe(200);
    expect(body.data.attributes).toMatchObject({
      external_id: 'leave',
      confirmation_status: 'confirmed',
      attachments_count: 0,
      system_notes_count: 0,
      user_notes_count: 0,
    });
    expect(body.data.relationships).toMatchObject({ notes: { data: [] }, attachments: { data: [] } });
    expect(await rowsIn(world)).toMatchObject({
      absences: 0,
      notes: 0,
      absence_followers: 0,
      attachments: 0,
      files: 0,
      // The user is told of the deletion.
      notifications: 1,
    });
    expect((await admin.call('getAbsence', at(id))).status).toBe(404);
    expect((await admin.call('deleteAbsence', at(id))).status).toBe(404);
    expect((await request(world, employee, attributes)).status).toBe(200);
  });

  it('403 for the owner once it is decided, and for a follower', async () => {
    const world = await newWorld();
    const follower = await world.addMember('employee', 'follower');
    const id = await absenceOf(world, world.employee, { follower_ids: [follower.id] });
    expect((await follower.call('deleteAbsence', at(id))).status).toBe(403);
    await world.admin.call('confirmAbsence', at(id));
    expect((await world.employee.call('deleteAbsence', at(id))).status).toBe(403);
    await world.admin.call('rejectAbsence', at(id));
    expect((await world.employee.call('deleteAbsence', at(id))).status).toBe(200);
  });

  it('one of two concurrent requests deletes it', async () => {
    const world = await newWorld();
    const id = await absenceOf(world, world.employee);
    const responses = await Promise.all([
      world.admin.call('deleteAbsence', at(id)),
      world.employee.call('deleteAbsence', at(id)),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 404]);
  });
});
