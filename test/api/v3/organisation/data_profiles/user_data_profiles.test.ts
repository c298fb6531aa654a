import { beforeAll, describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { absenceOf } from '../../../../support/absences.ts';
import { insertArea } from '../../../../support/records.ts';
import { bodyOf, newWorld, type World } from '../../../../support/world.ts';
import { defaultProfile, fillIn, newField, newProfile, valuesOf } from './support.ts';

let world: World;
beforeAll(async () => {
  world = await newWorld();
});

const of = (user_id: number, data_profile_id: string) => ({ params: { user_id, data_profile_id } });

describe('getUserDataProfile', () => {
  it('200 with the values of the user, in the order of the fields', async () => {
    const profile = await newProfile(world, { user_checkin: true });
    const [second, first] = [
      await newField(world, profile, { key: 'second', position: 2 }),
      await newField(world, profile, { key: 'first', position: 1, data_type: 'date' }),
    ];
    await fillIn(world.admin, world.employee.id, profile, [[second, '43'], [first, '2026-02-28']]); // prettier-ignore
    const { status, body } = await world.employee.call('getUserDataProfile', {
      ...of(world.employee.id, profile),
      query: { include: 'custom_fields,custom_field_values', permissions: 'true' },
    });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      type: 'data_profile',
      id: profile,
      attributes: {
        permissions: { read: true, update: true, destroy: false },
        user_checkin: true,
        values: { first: '2026-02-28', second: '43' },
      },
    });
    const ids = (name: string): string[] =>
      body.data.relationships[name].data.map(({ id }: { id: string }) => id) as string[];
    expect(ids('custom_fields')).toEqual([first, second]);
    const values = body.included.filter(({ type }: { type: string }) => type === 'custom_field_value');
    expect(values.map(({ id }: { id: string }) => id).sort()).toEqual([...ids('custom_field_values')].sort());
    expect(values.find(({ attributes }: { attributes: { key: string } }) => attributes.key === 'first')).toMatchObject({
      attributes: { value: '2026-02-28', data_type: 'date' },
      relationships: { custom_field: { data: { type: 'custom_field', id: first } } },
    });
    const query = { include: 'users' };
    const unknown = await world.admin.call('getUserDataProfile', { ...of(world.employee.id, profile), query });
    expect(unknown.status).toBe(400);
  });

  it('403 for colleagues, 200 for those who administer the user, 404 for what does not exist', async () => {
    const { id } = await defaultProfile(world);
    const colleague = await world.addMember('employee');
    const areaAdmin = await world.addMember('areaAdmin');
    expect((await colleague.call('getUserDataProfile', of(world.employee.id, id))).status).toBe(403);
    expect((await areaAdmin.call('getUserDataProfile', of(colleague.id, id))).status).toBe(403);
    await insertArea(world, 'Bar', [areaAdmin.id, colleague.id]);
    expect((await areaAdmin.call('getUserDataProfile', of(colleague.id, id))).status).toBe(200);
    const abroad = await newWorld();
    for (const place of [
      of(999999999, id),
      of(abroad.employee.id, id),
      of(world.employee.id, '0'),
      of(world.employee.id, (await defaultProfile(abroad)).id),
    ])
      expect((await world.admin.call('getUserDataProfile', place)).status).toBe(404);
  });
});

describe('updateUserDataProfile', () => {
  const typed = [
    ['string', ['any text', '1'], []],
    ['float', ['7', '-7.5', '0.25'], ['7,5', 'seven', '1e3', '.5', '5.', 'NaN', ' 7']],
    ['boolean', ['true', 'false'], ['TRUE', '1', 'yes', 'null']],
    ['date', ['2026-02-28', '2028-02-29'], ['2026-02-29', '28.02.2026', '2026-2-1', '2026-02-28T00:00:00Z']],
    ['time', ['00:00', '23:59', '07:30'], ['24:00', '7:30', '07:60', '07:30:00', '07.30']],
    ['country_select', ['DE', 'GB', 'TW'], ['de', 'DEU', 'EU', 'UK', 'ZZ', 'XX', 'DD', 'Germany']],
  ] as const;

  it.each(typed)('takes values of the type %s', async (data_type, right, wrong) => {
    const profile = await newProfile(world);
    const field = await newField(world, profile, { key: 'f', data_type });
    for (const value of right) {
      const { status, body } = await fillIn(world.admin, world.employee.id, profile, [[field, value]]);
      expect([value, status, body.data?.attributes.values]).toEqual([value, 200, { f: value }]);
    }
    for (const value of wrong) {
      const refused = await fillIn(world.admin, world.employee.id, profile, [[field, value]]);
      expect([value, refused.status, pointersIn(refused)]).toEqual([
        value,
        400,
        ['custom_field_values_attributes/0/value'],
      ]);
    }
    expect(await valuesOf(world.admin, world.employee.id, profile)).toEqual({ f: right.at(-1) });
    for (const empty of ['', null]) {
      await fillIn(world.admin, world.employee.id, profile, [[field, right[0]]]);
      const cleared = await fillIn(world.admin, world.employee.id, profile, [[field, empty]]);
      expect([cleared.status, cleared.body.data.attributes.values]).toEqual([200, { f: null }]);
    }
  });

  it('400 with all problems at once, and nothing is changed', async () => {
    const profile = await newProfile(world);
    const [size, day] = [
      await newField(world, profile, { key: 'size' }),
      await newField(world, profile, { key: 'day', title: 'Day', data_type: 'date' }),
    ];
    const { fields } = await defaultProfile(world);
    const abroad = await newWorld();
    const foreign = await newField(abroad, await newProfile(abroad));
    const response = await world.admin.call('updateUserDataProfile', {
      ...of(world.employee.id, profile),
      body: bodyOf('data_profile', {
        custom_field_values_attributes: [
          { custom_field_id: size, value: '1' },
          { custom_field_id: day, data_type: 'time', value: 'soon' },
          { custom_field_id: fields['phone'], value: '1' },
          { custom_field_id: foreign, value: '1' },
          { custom_field_id: size, value: '2' },
        ],
      }),
    });
    expect(response.status).toBe(400);
    const pointer = (index: number, member: string) => `custom_field_values_attributes/${index}/${member}`;
    expect(pointersIn(response)).toEqual([
      pointer(1, 'data_type'),
      pointer(1, 'value'),
      pointer(2, 'custom_field_id'),
      pointer(3, 'custom_field_id'),
      pointer(4, 'custom_field_id'),
    ]);
    expect(titlesIn(response)[1]).toBe(
      `${pointer(1, 'value')} "soon" must be a date such as 2027-12-31, because the field "Day" has the data_type date.`,
    );
    expect(await valuesOf(world.admin, world.employee.id, profile)).toEqual({});
    const unshaped = await world.admin.call('updateUserDataProfile', {
      ...of(world.employee.id, profile),
      body: bodyOf('data_profile', { custom_field_values_attributes: [{ value: 1 }, { custom_field_id: size }] }),
    });
    expect([unshaped.status, pointersIn(unshaped).length]).toEqual([400, 3]);
  });

  it('200 for workspace admins, and for users themselves where user_checkin is true; 403 otherwise', async () => {
    const asking = await newProfile(world, { user_checkin: true });
    const closed = await newProfile(world);
    const [asked, kept] = [await newField(world, asking), await newField(world, closed)];
    const { employee } = world;
    const [workspaceAdmin, colleague] = [await world.addMember('workspaceAdmin'), await world.addMember('employee')];
    expect((await fillIn(employee, employee.id, asking, [[asked, '43']])).status).toBe(200);
    expect((await fillIn(employee, employee.id, closed, [[kept, '43']])).status).toBe(403);
    expect((await fillIn(colleague, employee.id, asking, [[asked, '43']])).status).toBe(403);
    expect((await fillIn(workspaceAdmin, employee.id, closed, [[kept, '43']])).status).toBe(200);
    expect((await fillIn(workspaceAdmin, world.admin.id, closed, [[kept, '43']])).status).toBe(403);
    expect((await fillIn(world.admin, workspaceAdmin.id, closed, [[kept, '43']])).status).toBe(200);
    const query = { permissions: 'true' };
    const shown = await employee.call('getUserDataProfile', { ...of(employee.id, closed), query });
    expect(shown.body.data.attributes.permissions.update).toBe(false);
    const hidden = await newProfile(world, { user_checkin: true, least_role: 'workspace_admin' });
    expect((await fillIn(employee, employee.id, hidden, [])).status).toBe(403);
    expect((await fillIn(world.admin, employee.id, '0', [])).status).toBe(404);
  });

  it('412 if a value has changed since it was read, also through the public API', async () => {
    const { id, fields } = await defaultProfile(world);
    const place = of(world.employee.id, id);
    const phone = (value: string, headers: Record<string, string>) =>
      world.admin.call('updateUserDataProfile', {
        ...place,
        headers,
        body: bodyOf('data_profile', {
          custom_field_values_attributes: [{ custom_field_id: fields['phone'], value }],
        }),
      });
    await phone('1', {});
    const { headers } = await world.admin.call('getUserDataProfile', place);
    const changed = { body: { user: { id: world.employee.id, data_profiles: { phone: '2' } } } };
    expect((await world.enterprise('updatePublicUser', changed)).status).toBe(200);
    expect((await phone('3', { 'If-Match': headers['etag']! })).status).toBe(412);
    const [one, other] = await Promise.all(
      ['4', '5'].map(async (value) => {
        const read = await world.admin.call('getUserDataProfile', place);
        return phone(value, { 'If-Match': read.headers['etag']! });
      }),
    );
    expect([one!.status, other!.status]).toContain(200);
  });

  it('stores one value for each field, whoever else stores it at the same time', async () => {
    const profile = await newProfile(world);
    const field = await newField(world, profile, { key: 'f' });
    const stored = await Promise.all(
      ['1', '2', '3', '4'].map((value) => fillIn(world.admin, world.employee.id, profile, [[field, value]])),
    );
    expect(stored.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { body } = await world.admin.call('getUserDataProfile', of(world.employee.id, profile));
    expect(body.data.relationships.custom_field_values.data).toHaveLength(1);
  });

  it.each([false, true])(
    'measures absences again when the contract ends, confirmed ones if that is asked for (%s)',
    async (reset_confirmed_absences) => {
      const own = await newWorld();
      const { id, fields } = await defaultProfile(own);
      const week = { starts_at: '2026-06-01T00:00:00+02:00', ends_at: '2026-06-05T23:59:59+02:00' };
      const absence_id = await absenceOf(own, own.employee, week);
      await own.admin.call('confirmAbsence', { params: { absence_id } });
      await fillIn(own.admin, own.employee.id, id, [[fields['end_of_contract']!, '2026-06-02']], {
        reset_confirmed_absences,
      });
      const { attributes } = (await own.admin.call('getAbsence', { params: { absence_id } })).body.data;
      expect([attributes.days, attributes.confirmation_status]).toEqual(
        reset_confirmed_absences ? [2, 'pending'] : [5, 'confirmed'],
      );
    },
  );

  it('400 for an end of the contract within a closed month', async () => {
    const own = await newWorld();
    const { id, fields } = await defaultProfile(own);
    await own.admin.call('createAccountingPeriods', {
      body: bodyOf('accounting_period', { month: '2026-01', user_ids: [own.employee.id] }),
    });
    const end = (value: string) => fillIn(own.admin, own.employee.id, id, [[fields['end_of_contract']!, value]]);
    const refused = await end('2026-01-20');
    expect([refused.status, titlesIn(refused)[0]]).toEqual([400, expect.stringContaining('2026-01 of user')]);
    expect((await end('2026-02-20')).status).toBe(200);
  });
});
