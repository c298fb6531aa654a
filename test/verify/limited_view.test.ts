import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { blankAttributes, limitedAttributes } from '../../src/organisation/users/limited_view.ts';
import { operations } from '../support/contract/operations.ts';
import { insertAbsence } from '../support/records.ts';
import { sharedRecords } from '../support/shared_records.ts';
import { bodyOf, type Person } from '../support/world.ts';

/*
 * An employee shares an area, a tag and followed records with a colleague. They call every operation that can include records,
 * with every include. The responses show only those attributes of the colleague that colleagues may see.
 */

interface Shown {
  readonly type: string;
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships?: Readonly<Record<string, { readonly data: unknown }>>;
}

/** The operations of the resource API that can include records, each with all of them. */
const including = operations.flatMap(({ api, id, method, allParameters }) => {
  const parameter = allParameters.find(({ name }) => name === 'include') as { description?: string } | undefined;
  const [, list = ''] = (parameter?.description ?? '').split('`included`');
  const names = [...list.matchAll(/`(\w+)`/g)].map((match) => match[1]!);
  return api === 'v3' && method === 'get' && names.length > 0 ? [{ id, include: names.join(',') }] : [];
});

/** A user as an operation shows them. */
interface ShownUser extends Pick<Shown, 'attributes' | 'relationships'> {
  readonly id: string;
}

/** Calls every operation with all its includes, and collects what the responses show of one user. */
async function usersIn(
  person: Person,
  params: Readonly<Record<string, number>>,
  userId: number,
  filter = '',
): Promise<ShownUser[]> {
  const found: ShownUser[] = [];
  for (const { id, include } of including) {
    const { status, body } = await person.call(id, {
      params: { ...params, user_id: userId, action_id: 1, break_id: 1, data_profile_id: 1 },
      query: `include=${include}&${id === 'listUsers' ? filter : ''}`,
    });
    if (status !== 200) continue;
    const records: Shown[] = [body.data, body.included ?? []].flat();
    for (const { type, id: recordId, attributes, relationships } of records)
      if ((type === 'user' || type === 'user_overview') && recordId === String(userId))
        found.push({ id, attributes, ...(relationships ? { relationships } : {}) });
  }
  return found;
}

/** Every attribute and relationship beyond the short list is blank. */
function expectColleague({ id, attributes, relationships }: ShownUser): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (!(limitedAttributes as readonly string[]).includes(name))
      expect({ id, name, value }).toEqual({ id, name, value: blankAttributes[name as 'email'] });
  }
  for (const [name, value] of Object.entries(relationships ?? {}))
    expect({ id, name, value }).toEqual({ id, name, value: { data: Array.isArray(value.data) ? [] : null } });
}

describe('what a colleague may see of a user', () => {
  it('is the same short list in every list and every include', async () => {
    const { employee, colleague, params } = await sharedRecords();
    const shown = await usersIn(employee, params, colleague.id);
    for (const one of shown) {
      expectColleague(one);
      expect(one.attributes).toMatchObject({ username: 'Colleague', status: 'active' });
    }
    expect([...new Set(shown.map(({ id }) => id))].sort()).toEqual([
      'getAbsence',
      'getArea',
      'getShift',
      'getTag',
      'getTimeTracking',
      'listAbsences',
      'listAreas',
      'listShifts',
      'listTags',
      'listTimeTrackingFollowers',
      'listTimeTrackingTags',
      'listTimeTrackings',
    ]);
  });

  it('leaves out what belongs to the user, such as custom fields, which an admin sees', async () => {
    const { employee, admin, params } = await sharedRecords();
    const { include } = including.find(({ id }) => id === 'listTimeTrackingFollowers')!;
    const includedFor = async (person: Person): Promise<Shown[]> =>
      (await person.call('listTimeTrackingFollowers', { params, query: { include } })).body.included;
    expect((await includedFor(admin)).map(({ attributes }) => attributes['value'])).toContain('private');
    // The colleague is the only follower, so that everything included would belong to them.
    expect(await includedFor(employee)).toEqual([]);
  });

  it('cannot be widened by a filter or a sort', async () => {
    const { employee, admin, params } = await sharedRecords();
    const found = async (person: Person, filter: string) =>
      (await person.call('listTimeTrackingFollowers', { params, query: filter })).body.meta.total_count;
    const { area_id, tag_id } = params;
    for (const filter of [
      'filter[staff_number]=eq:7',
      'filter[email]=pre:colleague',
      'filter[saldo_type]=gt:1',
      `filter[areas]=${area_id}`,
      `filter[tags]=${tag_id}`,
    ]) {
      expect({ filter, count: await found(admin, filter) }).toEqual({ filter, count: 1 });
      expect({ filter, count: await found(employee, filter) }).toEqual({ filter, count: 0 });
    }
    expect(await found(employee, 'filter[username]=eq:Colleague')).toBe(1);
  });

  it('is what admins see of users who left their workspace, and may work in another one', async () => {
    const { world, colleague, params } = await sharedRecords();
    const { db, accountId, workspaceId } = world;
    const ofColleague = { account_id: accountId, user_id: colleague.id };
    const now = new Date();
    const action = { ...ofColleague, workspace_id: workspaceId, action_type: 'start', action_time: now, created_at: now, updated_at: now }; // prettier-ignore
    await db.insertInto('actions').values({ ...action, id: randomUUID() }).execute(); // prettier-ignore
    await insertAbsence(world, colleague.id);
    const admin = await world.addMember('workspaceAdmin', 'Admin');
    const before = await usersIn(admin, params, colleague.id);
    expect(before.some(({ attributes }) => attributes['salary'] === 99)).toBe(true);

    const { body } = await world.admin.call('createWorkspace', { body: bodyOf('workspace', { name: 'Hill' }) });
    const elsewhere = { ...ofColleague, workspace_id: Number(body.data.id), identifier_pin: 'HILL', created_at: now };
    await db.insertInto('memberships').values(elsewhere).execute();
    const removed = await admin.call('deleteUser', { params: { user_id: colleague.id } });
    expect(removed.body.data.attributes).toMatchObject({ salary: 99, status: 'active' });

    const after = await usersIn(admin, params, colleague.id, 'filter[status]=eq:deleted');
    expect([...new Set(after.map(({ id }) => id))].sort()).toEqual([
      'getShift',
      'listAbsences',
      'listActions',
      'listNotifications',
      'listShifts',
      'listTimeTrackings',
      'listUsers',
    ]);
    for (const shown of after) expectColleague(shown);
  });
});
