import { beforeAll, describe, expect, it } from 'vitest';
import { pointersIn } from '../../../../support/client.ts';
import { givePassword, newEmail, password, signIn } from '../../../../support/people.ts';
import { bodyOf, newWorld, type Person, type World } from '../../../../support/world.ts';

let world: World;
let workspaceAdmin: Person;
beforeAll(async () => {
  world = await newWorld();
  workspaceAdmin = await world.addMember('workspaceAdmin');
});

const update = (person: Person, user: { id: number }, attributes: object) =>
  person.call('updateUser', { params: { user_id: user.id }, body: bodyOf('user', attributes) });

describe('updateUser', () => {
  it('200 changes only the given attributes', async () => {
    const user = await world.addMember('employee');
    const attributes = {
      username: 'Renamed', checkin_complete: true, tablet_pin: '4711', abbreviation: 'RN', hour_holidays: true, time_zone: 'London', initial_time_account: 1.25, start_of_accounting: '2025-12-31',
      saldo_type: 3, salary: 20.5, hours_on_vacation_day: 6, home_office: true, calc_holiday_options: 'a', custom_holiday_hours: 2, calc_vacation_options: 'b', working_sessions_creator: true,
      staff_number: '7', external_id: 'ext', birthday: '1990-01-01', identifier_pin: 'PIN7', locale: 'en', avatar: 'https://example.com/a.png',
    }; // prettier-ignore
    const { status, body } = await update(workspaceAdmin, user, {
      ...attributes,
      time_tracking_method_id: 7,
      wage_type_ids: ['1'],
    });
    expect(status).toBe(200);
    expect(body.data.attributes).toMatchObject({ ...attributes, email: user.email });
    expect(body.data.relationships.roles.data).toEqual([{ type: 'role', id: '1' }]);
    expect((await update(workspaceAdmin, user, { username: 'Again' })).body.data.attributes).toMatchObject({
      ...attributes,
      username: 'Again',
    });
    expect((await update(workspaceAdmin, user, {})).body.data.attributes).toMatchObject({
      ...attributes,
      username: 'Again',
    });
  });

  it('200 where null and blank clear what can be cleared', async () => {
    const user = await world.addMember('employee');
    const cleared = {
      email: null,
      avatar: null,
      time_zone: null,
      birthday: null,
      locale: null,
      checkin_complete: null,
      time_tracking_method_id: null,
    };
    await update(workspaceAdmin, user, {
      checkin_complete: true,
      time_zone: 'London',
      birthday: '1990-01-01',
      locale: 'en',
      avatar: 'https://example.com/a.png',
      staff_number: '7',
    });
    const { body } = await update(workspaceAdmin, user, cleared);
    const shown = {
      email: '',
      avatar: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/images\/avatar\.png$/),
      time_zone: null,
      birthday: null,
      locale: null,
      checkin_complete: null,
    };
    expect(body.data.attributes).toMatchObject(shown);
    await update(workspaceAdmin, user, {
      checkin_complete: true,
      time_zone: 'London',
      birthday: '1990-01-01',
      locale: 'en',
    });
    const blank = await update(
      workspaceAdmin,
      user,
      Object.fromEntries(Object.keys(cleared).map((name) => [name, ''])),
    );
    expect(blank.status).toBe(200);
    expect(blank.body.data.attributes).toMatchObject(shown);
    expect(
      (await update(workspaceAdmin, user, { staff_number: '', tablet_pin: null })).body.data.attributes,
    ).toMatchObject({
      staff_number: '',
      tablet_pin: null,
    });
  });

  it('400 where null or blank would clear what cannot be cleared', async () => {
    const names = [
      'username', 'hour_holidays', 'initial_time_account', 'start_of_accounting', 'saldo_type', 'salary', 'hours_on_vacation_day', 'home_office', 'calc_holiday_options',
      'working_sessions_creator', 'identifier_pin', 'area_ids', 'role_ids', 'tag_ids', 'absence_type_ids',
    ]; // prettier-ignore
    for (const value of [null, '', ' ']) {
      const response = await update(
        workspaceAdmin,
        world.employee,
        Object.fromEntries(names.map((name) => [name, value])),
      );
      expect(response.status).toBe(400);
      expect([...new Set(pointersIn(response))].sort()).toEqual([...names].sort());
    }
  });

  it('400 names every problem with the data at once, and writes nothing', async () => {
    const [user, other] = [await world.addMember('employee'), await world.addMember('employee')];
    await update(workspaceAdmin, other, { external_id: 'other', identifier_pin: 'OTHR' });
    const bad = {
      username: 'Never',
      email: other.email,
      external_id: 'other',
      identifier_pin: 'OTHR',
      time_zone: 'Atlantis',
      avatar: 'data:image/png;base64,AAAA',
      area_ids: [0],
      tag_ids: ['x'],
    };
    const response = await update(workspaceAdmin, user, bad);
    expect(response.status).toBe(400);
    expect(pointersIn(response).sort()).toEqual([
      'area_ids',
      'avatar',
      'email',
      'external_id',
      'identifier_pin',
      'tag_ids',
      'time_zone',
    ]);
    const { body } = await workspaceAdmin.call('getUser', { params: { user_id: user.id } });
    expect(body.data.attributes).toMatchObject({ username: 'employee', email: user.email, external_id: null });
  });

  it('200 keeps their own address, external id and PIN', async () => {
    const user = await world.addMember('employee');
    await update(workspaceAdmin, user, { external_id: 'mine', identifier_pin: 'MINE' });
    expect(
      (
        await update(workspaceAdmin, user, {
          email: user.email.toUpperCase(),
          external_id: 'mine',
          identifier_pin: 'MINE',
        })
      ).status,
    ).toBe(200);
  });

  it('200 replaces areas, tags and absence types of this workspace, and leaves those of others alone', async () => {
    const { db, admin, employee, accountId, workspaceId } = await newWorld();
    const { body: hill } = await admin.call('createWorkspace', { body: bodyOf('workspace', { name: 'Hill' }) });
    const elsewhere = { workspace_id: hill.data.id };
    const areas = [];
    for (const [name, params] of [
      ['Bar', {}],
      ['Kitchen', {}],
      ['Garden', elsewhere],
    ] as const)
      areas.push((await admin.call('createArea', { params, body: bodyOf('area', { name }) })).body.data.id);
    const stamps = { account_id: accountId, created_at: new Date(), updated_at: new Date() };
    const tags = await db
      .insertInto('tags')
      .values(['One', 'Two'].map((title) => ({ ...stamps, workspace_id: workspaceId, title })))
      .returning('id')
      .execute();
    await db
      .insertInto('area_members')
      .values({ account_id: accountId, area_id: areas[2], user_id: employee.id })
      .execute();

    const { body } = await update(admin, employee, {
      area_ids: [areas[0]],
      tag_ids: tags.map(({ id }) => id),
      absence_type_ids: [],
    });
    expect(body.data.relationships).toMatchObject({
      areas: { data: [{ id: areas[0] }] },
      tags: { data: tags.map(({ id }) => ({ id: String(id) })) },
      absence_types: { data: [] },
    });
    const again = await update(admin, employee, {
      area_ids: [areas[1], areas[1]],
      tag_ids: [tags[0]!.id],
      filter_ids: [tags[1]!.id],
    });
    expect(again.body.data.relationships).toMatchObject({
      areas: { data: [{ id: areas[1] }] },
      tags: { data: [{ id: String(tags[0]!.id) }] },
    });
    const me = await employee.call('getCurrentUser');
    expect(me.body.data.relationships.areas.data.map(({ id }: { id: string }) => id)).toEqual([areas[1], areas[2]]);
  });

  it('403 for those below a workspace admin, also on themselves, and for higher ranks', async () => {
    const areaAdmin = await world.addMember('areaAdmin');
    for (const person of [world.employee, areaAdmin])
      expect((await update(person, person, { username: 'Me' })).status).toBe(403);
    expect((await update(workspaceAdmin, world.admin, { username: 'Lower' })).status).toBe(403);
    expect((await update(workspaceAdmin, workspaceAdmin, { username: 'Me' })).status).toBe(200);
  });

  it('404 for an unknown user and one of another workspace', async () => {
    expect((await update(workspaceAdmin, world.stranger, { username: 'X' })).status).toBe(404);
    expect((await update(workspaceAdmin, { id: 0 }, { username: 'X' })).status).toBe(404);
    expect((await update(world.stranger, world.employee, { username: 'X' })).status).toBe(404);
  });
});

describe('an address', () => {
  it('that was changed signs in, and the old one is free', async () => {
    const { db, admin, employee } = await newWorld();
    await givePassword(db, employee);
    const email = newEmail();
    await update(admin, employee, { email });
    expect((await signIn({ email, password })).status).toBe(200);
    expect((await signIn({ email: employee.email, password })).status).toBe(401);
    expect(
      (await admin.call('createUser', { body: bodyOf('user', { username: 'Heir', email: employee.email }) })).status,
    ).toBe(201);
  });

  it('403 for a workspace admin who changes it, if the user administers another workspace', async () => {
    const { db, admin, employee, addMember, accountId } = await newWorld();
    const { body: hill } = await admin.call('createWorkspace', { body: bodyOf('workspace', { name: 'Hill' }) });
    const row = {
      account_id: accountId,
      workspace_id: Number(hill.data.id),
      user_id: employee.id,
      role: 3,
      identifier_pin: 'X',
      created_at: new Date(),
    };
    await db.insertInto('memberships').values(row).execute();
    const person = await addMember('workspaceAdmin');
    expect((await update(person, employee, { email: newEmail() })).status).toBe(403);
    expect((await update(person, employee, { email: employee.email, username: 'Renamed' })).status).toBe(200);
    expect((await update(admin, employee, { email: newEmail() })).status).toBe(200);
  });

  it('403 for a workspace admin who changes it, if the user has a role above employee; 200 for themselves', async () => {
    const { admin, addMember } = await newWorld();
    const [person, peer, areaAdmin] = [
      await addMember('workspaceAdmin'),
      await addMember('workspaceAdmin', 'Peer'),
      await addMember('areaAdmin'),
    ];
    for (const other of [peer, areaAdmin]) {
      expect((await update(person, other, { email: newEmail() })).status).toBe(403);
      expect((await update(admin, other, { email: newEmail() })).status).toBe(200);
    }
    expect((await update(person, person, { email: newEmail() })).status).toBe(200);
  });
});
