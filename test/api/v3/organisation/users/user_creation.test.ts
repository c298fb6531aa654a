import { beforeAll, describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { newEmail } from '../../../../support/people.ts';
import { bodyOf, newWorld, type Person, type World } from '../../../../support/world.ts';

let world: World;
let workspaceAdmin: Person;
beforeAll(async () => {
  world = await newWorld();
  workspaceAdmin = await world.addMember('workspaceAdmin');
});

const create = (attributes: object, person: Person = workspaceAdmin) =>
  person.call('createUser', { body: bodyOf('user', attributes) });

describe('createUser', () => {
  it('201 with nothing but a name, and all defaults', async () => {
    const { status, body } = await create({ username: 'Robin' });
    expect(status).toBe(201);
    const placeholder = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/images\/avatar\.png$/);
    expect(body.data.attributes).toEqual({
      permissions: null, email: '', username: 'Robin', tablet_pin: null, abbreviation: null, hour_holidays: false, time_zone: null, initial_time_account: 0,
      checkin_complete: null, start_of_accounting: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), saldo_type: 0, salary: 0, recognition_color_variant: expect.any(Number),
      hours_on_vacation_day: 8, home_office: false, calc_holiday_options: 'target', custom_holiday_hours: 0, calc_vacation_options: 'target', working_sessions_creator: false,
      staff_number: null, external_id: null, birthday: null, identifier_pin: expect.stringMatching(/^[A-Z0-9]{4}$/), locale: null, status: 'active', assumed_role: 'employee',
      running_time_tracking: null, remaining_vacation_days_this_year: 0, avatar: placeholder, avatar_thumb_url: placeholder, avatar_medium_url: placeholder,
      holiday_region: null, holiday_region_from: null,
      mail_notifications: false,
    }); // prettier-ignore
    expect(body.data.attributes.recognition_color_variant).toBeGreaterThanOrEqual(1);
    expect(body.data.attributes.recognition_color_variant).toBeLessThanOrEqual(8);
    expect(body.data.relationships).toMatchObject({
      account: { data: null },
      areas: { data: [] },
      roles: { data: [{ type: 'role', id: '1' }] },
      workspaces: { data: [{ type: 'workspace', id: String(world.workspaceId) }] },
      current_absence: { data: null },
      tags: { data: [] },
      custom_field_values: { data: [] },
      last_action: { data: null },
    });
    expect(body.data.relationships.absence_types.data).toHaveLength(4);
  });

  it('201 with every attribute', async () => {
    const { db, admin, accountId, workspaceId } = await newWorld();
    const area = await admin.call('createArea', { body: bodyOf('area', { name: 'Bar' }) });
    const { id: tag } = await db
      .insertInto('tags')
      .values({
        account_id: accountId,
        workspace_id: workspaceId,
        title: 'Late',
        created_at: new Date(),
        updated_at: new Date(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const types = await db
      .selectFrom('absence_types')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .orderBy('id')
      .execute();
    const attributes = {
      username: 'Robin', email: newEmail(), tablet_pin: '4711', avatar: 'https://example.com/r.png', abbreviation: 'RB', hour_holidays: true, time_zone: 'London',
      initial_time_account: -12.5, start_of_accounting: '2026-02-01', saldo_type: 7, salary: 17.25, hours_on_vacation_day: 7.5, home_office: true, calc_holiday_options: 'custom',
      custom_holiday_hours: 6, calc_vacation_options: 'custom', working_sessions_creator: true, staff_number: '1005', external_id: 'robin', birthday: '1992-11-03',
      identifier_pin: 'R0B1N', locale: 'en',
    }; // prettier-ignore
    const references = {
      time_tracking_method_id: 'm1', filter_ids: [tag], wage_type_ids: [1, 'x'], default_break_ids: ['2'], absence_type_ids: [String(types[0]!.id)], public_holiday_ids: [], area_ids: [area.body.data.id],
    }; // prettier-ignore
    const { status, body } = await create({ ...attributes, ...references }, admin);
    expect(status).toBe(201);
    expect(body.data.attributes).toMatchObject(attributes);
    expect(body.data.relationships).toMatchObject({
      areas: { data: [{ type: 'area', id: area.body.data.id }] },
      tags: { data: [{ type: 'tag', id: String(tag) }] },
      absence_types: { data: [{ type: 'absence_type', id: String(types[0]!.id) }] },
    });
    const row = await db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', Number(body.data.id))
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({
      time_tracking_method_id: 'm1',
      wage_type_ids: ['1', 'x'],
      default_break_ids: ['2'],
      public_holiday_ids: [],
      password_hash: null,
    });
  });

  it('201 where null and blank mean "not given", for every attribute', async () => {
    const names = [
      'email', 'avatar', 'hour_holidays', 'time_zone', 'initial_time_account', 'start_of_accounting', 'saldo_type', 'salary', 'hours_on_vacation_day', 'home_office', 'calc_holiday_options',
      'custom_holiday_hours', 'calc_vacation_options', 'working_sessions_creator', 'birthday', 'identifier_pin', 'locale', 'time_tracking_method_id', 'filter_ids', 'wage_type_ids',
      'default_break_ids', 'absence_type_ids', 'public_holiday_ids', 'area_ids',
    ]; // prettier-ignore
    const [plain, withNull, withBlank] = [
      await create({ username: 'Robin' }),
      await create({ username: 'Robin', ...Object.fromEntries(names.map((name) => [name, null])) }),
      await create({ username: 'Robin', ...Object.fromEntries(names.map((name) => [name, ' '])) }),
    ];
    for (const { status, body } of [withNull, withBlank]) {
      expect(status).toBe(201);
      const own = { identifier_pin: expect.any(String), recognition_color_variant: expect.any(Number) };
      expect(body.data.attributes).toEqual({ ...plain.body.data.attributes, ...own });
      expect(body.data.relationships).toEqual(plain.body.data.relationships);
    }
  });

  it('201 keeps blanks in text', async () => {
    const { body } = await create({
      username: 'Robin',
      tablet_pin: '',
      abbreviation: '',
      staff_number: '',
      external_id: '',
    });
    expect(body.data.attributes).toMatchObject({ tablet_pin: '', abbreviation: '', staff_number: '', external_id: '' });
    expect((await create({ username: 'Robin', external_id: '' })).status).toBe(201);
  });

  it('400 names every problem of form at once', async () => {
    const bad = {
      username: '', email: 'nobody', tablet_pin: 5, avatar: 'data:image/svg+xml;base64,PHN2Zy8+', hour_holidays: 'yes', initial_time_account: 1e9, start_of_accounting: '2026-02-30', saldo_type: -1,
      salary: 'much', hours_on_vacation_day: -1, calc_holiday_options: 'x'.repeat(256), birthday: '03.11.1992', external_id: 'x'.repeat(256), area_ids: '1', locale: 'e',
    }; // prettier-ignore
    const response = await create(bad);
    expect(response.status).toBe(400);
    expect([...new Set(pointersIn(response))].sort()).toEqual(Object.keys(bad).sort());
    expect(titlesIn(response)).toContain(
      'start_of_accounting must be a day that exists, like 2026-01-30, but was "2026-02-30".',
    );
  });

  it('400 names every problem with the data at once', async () => {
    const email = newEmail();
    await create({ username: 'Robin', email, external_id: 'taken', identifier_pin: 'TAKEN' });
    const response = await create({
      username: 'Robin', email: email.toUpperCase(), external_id: 'taken', identifier_pin: 'TAKEN', time_zone: 'Atlantis', avatar: 'data:image/png;base64,AAAA',
      area_ids: [0], filter_ids: ['abc'], absence_type_ids: [999999999],
    }); // prettier-ignore
    expect(response.status).toBe(400);
    expect(pointersIn(response).sort()).toEqual([
      'absence_type_ids',
      'area_ids',
      'avatar',
      'email',
      'external_id',
      'filter_ids',
      'identifier_pin',
      'time_zone',
    ]);
    expect(titlesIn(response).join()).not.toContain('TAKEN');
  });

  it('400 for references into other workspaces', async () => {
    const other = await newWorld();
    const area = await other.admin.call('createArea', { body: bodyOf('area', { name: 'Bar' }) });
    const [type] = await other.db
      .selectFrom('absence_types')
      .select('id')
      .where('workspace_id', '=', other.workspaceId)
      .execute();
    expect(
      pointersIn(await create({ username: 'Robin', area_ids: [area.body.data.id], absence_type_ids: [type!.id] })),
    ).toEqual(['area_ids', 'absence_type_ids']);
  });

  it.each(['email', 'external_id', 'identifier_pin'])(
    '400 for all but one of many with one %s at once',
    async (name) => {
      const value = name === 'email' ? newEmail() : `race ${name}`;
      const responses = await Promise.all(
        Array.from({ length: 4 }, () => create({ username: 'Robin', [name]: value })),
      );
      expect(responses.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
      for (const response of responses.filter(({ status }) => status === 400))
        expect(pointersIn(response)).toEqual([name]);
    },
  );

  it('403 for those below a workspace admin, 404 for a stranger', async () => {
    expect((await create({ username: 'Robin' }, await world.addMember('areaAdmin'))).status).toBe(403);
    expect((await create({ username: 'Robin' }, world.employee)).status).toBe(403);
    expect((await create({ username: 'Robin' }, world.stranger)).status).toBe(404);
  });
});
