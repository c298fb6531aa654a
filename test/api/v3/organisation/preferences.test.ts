import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../support/client.ts';
import { bodyOf, newWorld, type Person } from '../../../support/world.ts';

const of = ({ id }: Person, preferenceId?: number) => ({
  params: { user_id: id, ...(preferenceId ? { preference_id: preferenceId } : {}) },
});

const valueOf = (value: object) => ({ body: bodyOf('preference', { value }) });

const valuesOf = async (person: Person): Promise<Record<string, Record<string, boolean>>> => {
  const { status, body } = await person.call('listPreferences', of(person));
  expect(status).toBe(200);
  return Object.fromEntries(
    body.data.map(({ attributes }: { attributes: { key: string; value: object } }) => [
      attributes.key,
      attributes.value,
    ]),
  );
};

describe('listPreferences', () => {
  it('200 with every column of every list switched on', async () => {
    const { employee } = await newWorld();
    const values = await valuesOf(employee);
    const on = (...columns: string[]) => Object.fromEntries(columns.map((column) => [column, true]));
    expect(values).toEqual({
      absence_list: on('days', 'info', 'tags', 'type', 'areas', 'dates', 'hours', 'status', 'employee', 'confirmed_by'),
      employee_list: on('tags', 'areas', 'email', 'roles', 'status', 'username', 'workspace', 'custom_field'),
      time_tracking_list: on('days', 'tags', 'type', 'dates', 'employee'),
    });
  });

  it('200 filtered and sorted', async () => {
    const { employee } = await newWorld();
    const query = { 'filter[key]': 'ct:list', sort: '-key', items: 1 };
    const { body } = await employee.call('listPreferences', { ...of(employee), query });
    expect(body.data).toMatchObject([{ id: '3', type: 'preference', attributes: { key: 'time_tracking_list' } }]);
    expect(body.meta).toMatchObject({ total_count: 3, total_pages: 3 });
  });

  it('400 for a bad page', async () => {
    const { employee } = await newWorld();
    expect((await employee.call('listPreferences', { ...of(employee), query: { page: 0 } })).status).toBe(400);
  });

  it('403 for the preferences of others, also for admins, 404 for those who are no users of the account', async () => {
    const { admin, employee, stranger } = await newWorld();
    expect((await admin.call('listPreferences', of(employee))).status).toBe(403);
    expect((await employee.call('listPreferences', of(admin))).status).toBe(403);
    for (const user_id of [stranger.id, '0', 'me'])
      expect((await employee.call('listPreferences', { params: { user_id } })).status).toBe(404);
  });
});

describe('updatePreference', () => {
  it('200 replaces the value as a whole and keeps columns of the client, for this user alone', async () => {
    const { admin, employee } = await newWorld();
    const others = await valuesOf(admin);
    const value = { starts_at: true, days: false, lunar_phase: true };
    const { status, body } = await employee.call('updatePreference', { ...of(employee, 1), ...valueOf(value) });
    expect(status).toBe(200);
    expect(body.data).toEqual({ id: '1', type: 'preference', attributes: { key: 'absence_list', value } });
    await employee.call('updatePreference', { ...of(employee, 2), ...valueOf({}) });
    expect(await valuesOf(employee)).toEqual({ ...others, absence_list: value, employee_list: {} });
    expect(await valuesOf(admin)).toEqual(others);
  });

  it('400 names the column whose value is no boolean, and stores nothing', async () => {
    const { employee } = await newWorld();
    const before = await valuesOf(employee);
    const response = await employee.call('updatePreference', {
      ...of(employee, 1),
      ...valueOf({ days: 'true', hours: 1, ends_at: null, starts_at: true }),
    });
    expect(response.status).toBe(400);
    expect(pointersIn(response).sort()).toEqual(['value/days', 'value/ends_at', 'value/hours']);
    const noValue = await employee.call('updatePreference', { ...of(employee, 1), body: bodyOf('preference', {}) });
    expect(noValue.status).toBe(400);
    expect(titlesIn(noValue)[0]).toContain('value');
    expect(await valuesOf(employee)).toEqual(before);
  });

  it('403 for the preferences of others, 404 for a preference that does not exist', async () => {
    const { admin, employee } = await newWorld();
    expect((await admin.call('updatePreference', { ...of(employee, 1), ...valueOf({}) })).status).toBe(403);
    expect((await employee.call('updatePreference', { ...of(employee, 4), ...valueOf({}) })).status).toBe(404);
  });
});

describe('deletePreference', () => {
  it('200 sets it back to its default, as often as it is asked for', async () => {
    const { employee } = await newWorld();
    const before = await valuesOf(employee);
    await employee.call('updatePreference', { ...of(employee, 3), ...valueOf({ tags: false }) });
    for (const _ of [1, 2]) {
      const { status, body } = await employee.call('deletePreference', of(employee, 3));
      expect(status).toBe(200);
      expect(body.data.attributes).toEqual({ key: 'time_tracking_list', value: before.time_tracking_list });
    }
    expect(await valuesOf(employee)).toEqual(before);
  });

  it('403 for the preferences of others, 404 for a preference that does not exist', async () => {
    const { admin, employee } = await newWorld();
    expect((await admin.call('deletePreference', of(employee, 1))).status).toBe(403);
    expect((await employee.call('deletePreference', of(employee, 9))).status).toBe(404);
  });
});
