import { describe, expect, it } from 'vitest';
import { blankAttributes, blankRelationships, colleagueAttributes } from '../../src/users/colleague.ts';
import { operations } from '../support/contract/operations.ts';
import { insertAbsence, insertArea, insertTimeTracking } from '../support/records.ts';
import { newWorld } from '../support/world.ts';

/*
 * Every operation that can include records is asked for all of them by an employee, who shares an area, a tag and followed
 * records with a colleague. Of the colleague, the answers show what colleagues may see, and nothing else.
 */

interface Shown {
  readonly type: string;
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships?: Readonly<Record<string, unknown>>;
}

/** A colleague with a value in every private place, and the ids that the paths of operations need. */
async function sharedRecords() {
  const world = await newWorld();
  const { db, accountId, workspaceId, admin, employee } = world;
  const colleague = await world.addMember('employee', 'Colleague');
  const now = new Date();
  await db
    .updateTable('users')
    .set({ salary: 99, birthday: '1990-01-01', tablet_pin: '4711', staff_number: '7', initial_time_account: 12 })
    .set({ external_id: 'colleague', locale: 'de', time_zone: 'Europe/Berlin', checkin_complete: true, saldo_type: 2 })
    .where('account_id', '=', accountId)
    .where('id', '=', colleague.id)
    .execute();
  const area_id = await insertArea(world, 'Bar', [employee.id, colleague.id]);
  const { id: tag_id } = await db
    .insertInto('tags')
    .values({ account_id: accountId, workspace_id: workspaceId, title: 'Late', created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const user_id of [employee.id, colleague.id])
    await db.insertInto('user_tags').values({ account_id: accountId, user_id, tag_id }).execute();
  const time_tracking_id = await insertTimeTracking(world, employee.id, { area_id });
  await insertTimeTracking(world, colleague.id, { ends_at: null });
  const absence_id = await insertAbsence(world, employee.id);
  const tracked = { account_id: accountId, user_id: colleague.id };
  await db.insertInto('time_tracking_followers').values({ ...tracked, time_tracking_id }).execute(); // prettier-ignore
  await db.insertInto('absence_followers').values({ ...tracked, absence_id }).execute(); // prettier-ignore
  await db.insertInto('time_tracking_tags').values({ account_id: accountId, time_tracking_id, tag_id }).execute();
  return { world, admin, employee, colleague, params: { area_id, tag_id, time_tracking_id, absence_id } };
}

/** The operations of the resource API that can include records, each with all of them. */
const including = operations.flatMap(({ api, id, method, allParameters }) => {
  const parameter = allParameters.find(({ name }) => name === 'include') as { description?: string } | undefined;
  const [, list = ''] = (parameter?.description ?? '').split('`included`');
  const names = [...list.matchAll(/`(\w+)`/g)].map((match) => match[1]!);
  return api === 'v3' && method === 'get' && names.length > 0 ? [{ id, include: names.join(',') }] : [];
});

describe('what a colleague may see of a user', () => {
  it('is the same short list in every list and every include', async () => {
    const { employee, colleague, params } = await sharedRecords();
    const seenIn = new Set<string>();
    for (const { id, include } of including) {
      const { status, body } = await employee.call(id, {
        params: { ...params, user_id: colleague.id, action_id: 1, break_id: 1 },
        query: { include },
      });
      if (status !== 200) continue;
      const records: Shown[] = [body.data, body.included ?? []].flat();
      for (const { type, attributes, relationships } of records.filter((one) => one.id === String(colleague.id))) {
        if (type !== 'user' && type !== 'user_overview') continue;
        seenIn.add(id);
        for (const [name, value] of Object.entries(attributes)) {
          if (!(colleagueAttributes as readonly string[]).includes(name))
            expect({ id, name, value }).toEqual({ id, name, value: blankAttributes[name as 'email'] });
        }
        for (const [name, value] of Object.entries(relationships ?? {}))
          expect({ id, name, value }).toEqual({ id, name, value: blankRelationships[name as 'areas'] });
        expect(attributes).toMatchObject({ username: 'Colleague', status: 'active' });
      }
      // The colleague is the only follower, so that everything included would belong to them.
      if (id === 'listTimeTrackingFollowers') expect(body.included).toEqual([]);
    }
    expect([...seenIn].sort()).toEqual([
      'getAbsence',
      'getArea',
      'getTag',
      'getTimeTracking',
      'listAbsences',
      'listAreas',
      'listTags',
      'listTimeTrackingFollowers',
      'listTimeTrackingTags',
      'listTimeTrackings',
    ]);
  });

  it('cannot be widened by a filter or a sort', async () => {
    const { employee, admin, params } = await sharedRecords();
    const found = async (person: typeof employee, filter: string) =>
      (await person.call('listTimeTrackingFollowers', { params, query: filter })).body.meta.total_count;
    for (const filter of ['filter[staff_number]=eq:7', 'filter[email]=pre:colleague', 'filter[saldo_type]=gt:1']) {
      expect(await found(admin, filter)).toBe(1);
      expect(await found(employee, filter)).toBe(0);
    }
    expect(await found(employee, 'filter[username]=eq:Colleague')).toBe(1);
  });
});
