import { beforeAll, describe, expect, it } from 'vitest';
import { entityTag } from '../../../../../../src/platform/http/answers/etag.ts';
import { queryOptionsOf } from '../../../../../../src/platform/http/requests/query_options.ts';
import { presentTimeTracking } from '../../../../../../src/working_time/time_trackings/resource.ts';
import { findTimeTracking } from '../../../../../../src/working_time/time_trackings/time_trackings.ts';
import { pointersIn, titlesIn } from '../../../../../support/client.ts';
import { operations, type ApiOperation } from '../../../../../support/contract/operations.ts';
import { newTenant, type Tenant } from '../../../../../support/contract/tenant/tenant.ts';
import { validRequests } from '../../../../../support/contract/valid_requests.ts';
import { actorOf, insertAbsence, insertArea, insertTimeTracking } from '../../../../../support/records.ts';
import { linksAt } from '../../../../../../src/platform/core/links.ts';
import { bodyOf, newWorld, type Person } from '../../../../../support/world.ts';

const ofV3 = operations.filter(({ api }) => api === 'v3');
const takesIfMatch = ({ allParameters }: ApiOperation) => allParameters.some(({ name }) => name === 'If-Match');
const showOf = ({ path }: ApiOperation) => ofV3.find((one) => one.path === path && one.method === 'get')!;
const conditional = ofV3.filter(takesIfMatch).map((operation) => ({ id: operation.id, operation }));

let tenant: Tenant;
/** Nothing but creations happens to it. */
let fresh: Tenant;
beforeAll(async () => {
  tenant = await newTenant('Tagged');
  fresh = await newTenant('Fresh');
});

/** Sends a valid request with If-Match. */
const write = (operation: ApiOperation, tag: string) =>
  tenant.admin.call(operation.id, { ...validRequests(operation, tenant)[0]!, headers: { 'If-Match': tag } });

/** The tag of the record that the operation would change. */
const tagFor = async (operation: ApiOperation): Promise<string> => {
  const { params } = validRequests(operation, tenant)[0]!;
  const { status, headers } = await tenant.admin.call(showOf(operation).id, { params });
  expect([operation.id, status, headers['etag']]).toEqual([operation.id, 200, expect.stringMatching(/^"[\w-]{27}"$/)]);
  return headers['etag']!;
};

describe('every write to a record that can be shown', () => {
  it('takes If-Match', () => {
    const writes = ofV3.filter(
      (one) => ['patch', 'put', 'delete'].includes(one.method) && showOf(one)?.id.startsWith('get'),
    );
    expect(writes.length).toBeGreaterThan(15);
    expect(writes.filter((one) => !takesIfMatch(one)).map(({ id }) => id)).toEqual([]);
    expect(writes).toHaveLength(conditional.length);
  });

  it.each(conditional)('$id is refused with another tag, a weak tag and an invalid tag', async ({ operation }) => {
    const tag = await tagFor(operation);
    for (const other of ['"older"', `W/${tag}`, `"a", W/${tag} ,"b"`, '""']) {
      const response = await write(operation, other);
      expect([other, response.status, pointersIn(response)]).toEqual([other, 412, ['If-Match']]);
      expect(response.headers['etag']).toBe(tag);
    }
    for (const malformed of ['older', `${tag},`, '*, "a"', '"a" "b"', 'w/"a"']) {
      const response = await write(operation, malformed);
      expect([malformed, response.status, pointersIn(response)]).toEqual([malformed, 400, ['If-Match']]);
      expect(titlesIn(response)[0]).toMatch(/^If-Match must be \* or quoted tags, separated by commas, but was/);
    }
    expect(await tagFor(operation)).toBe(tag);
  });

  it.each(conditional.filter(({ operation }) => operation.method === 'patch'))(
    '$id changes the record if its tag is among those sent, and returns the next one',
    async ({ operation }) => {
      const first = await tagFor(operation);
      const response = await write(operation, `"older" , ${first}`);
      expect([response.status, response.text]).toEqual([200, response.text]);
      const second = await tagFor(operation);
      const isTagged = hasTag(operation.responses);
      if (isTagged) expect(response.headers['etag']).toBe(second);
      const again = await write(operation, '*');
      expect(again.status).toBe(200);
      if (isTagged) expect(again.headers['etag']).toBe(await tagFor(operation));
    },
  );

  it.each(
    ofV3.filter(({ id, responses }) => /^create/.test(id) && hasTag(responses)).map((one) => ({ id: one.id, one })),
  )('$id returns the tag that the record is shown with', async ({ one: operation }) => {
    const request = validRequests(operation, fresh)[0]!;
    const { status, body, headers } = await fresh.admin.call(operation.id, request);
    expect([operation.id, Math.floor(status / 100), status >= 400 ? body : '']).toEqual([operation.id, 2, '']);
    const show = conditional
      .map((one) => showOf(one.operation))
      .find(({ id }) => id.replace('get', 'create') === operation.id)!;
    const [own] = /\w+(?=\}$)/.exec(show.path)!;
    const shown = await fresh.admin.call(show.id, { params: { ...request.params, [own]: body.data.id } });
    expect([operation.id, shown.headers['etag']]).toEqual([operation.id, headers['etag']]);
  });
});

function hasTag(responses: ApiOperation['responses']): boolean {
  return Object.entries(responses).some(
    ([status, one]) => status.startsWith('2') && 'ETag' in ((one as { headers?: object }).headers ?? {}),
  );
}

const tagOf = async (person: Person, operation: string, params: object, query = ''): Promise<string> =>
  (await person.call(operation, { params: params as never, query })).headers['etag']!;

describe('the tag of a record', () => {
  it('does not depend on what else the request asks for', async () => {
    const { admin, employee, ...world } = await newWorld();
    const params = { time_tracking_id: await insertTimeTracking({ admin, employee, ...world }, employee.id) };
    const tag = await tagOf(admin, 'getTimeTracking', params);
    for (const query of ['permissions=true', 'include=user,notes', 'fields=starts_at', 'permissions=read&fields=id'])
      expect([query, await tagOf(admin, 'getTimeTracking', params, query)]).toEqual([query, tag]);
  });

  it('does not change while time passes, although the times of a running time tracking grow', async () => {
    const world = await newWorld();
    const { db, admin, employee, accountId } = world;
    const starts_at = new Date('2026-01-05T07:00:00Z');
    const time_tracking_id = await insertTimeTracking(world, employee.id, { starts_at, ends_at: null });
    const open = { account_id: accountId, time_tracking_id, starts_at, created_by: 'admin', created_at: starts_at };
    await db.insertInto('breaks').values({ ...open, ends_at: null, updated_at: starts_at }).execute(); // prettier-ignore
    const actor = await actorOf(world, admin);
    const row = await findTimeTracking(db, actor, time_tracking_id);
    const context = { actor, queryOptions: queryOptionsOf({}), links: linksAt('', { file: () => '' }) };
    const [first, later] = ['08', '09'].map((hour) =>
      presentTimeTracking(row, { ...context, now: new Date(`2026-01-05T${hour}:00:00Z`) }),
    );
    expect(first!.attributes).toMatchObject({ gross_time: 1, break_time: 1, break_duration: 3600 });
    expect(later!.attributes).toMatchObject({ gross_time: 2, break_time: 2, break_duration: 7200 });
    expect(entityTag(later!)).toBe(entityTag(first!));
    expect(entityTag(first!)).toBe(await tagOf(admin, 'getTimeTracking', { time_tracking_id }));
  });

  it('does not change with the signature in the address of a file', () => {
    const user = (expires: string) => ({
      id: '1',
      type: 'user',
      attributes: { avatar: `/files/1/2?expires=${expires}&signature=s-${expires}`, name: 'Kim' },
    });
    expect(entityTag(user('1'))).toBe(entityTag(user('2')));
    expect(entityTag({ ...user('1'), attributes: { avatar: '/files/1/3' } })).not.toBe(entityTag(user('1')));
  });

  it('changes with notes, tags, breaks and followers, also within a second', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const params = { time_tracking_id: await insertTimeTracking(world, employee.id) };
    const tags = [await tagOf(admin, 'getTimeTracking', params)];
    const changes: [string, object][] = [
      ['createTimeTrackingNote', bodyOf('note', { content: 'Late.' })],
      ['createTimeTrackingTag', bodyOf('tag', { title: 'Night' })],
      ['createBreak', bodyOf('break', { starts_at: '2026-01-05T10:00:00Z', ends_at: '2026-01-05T10:30:00Z' })],
      ['createTimeTrackingFollowers', bodyOf('follower', { follower_ids: [admin.id] })],
    ];
    for (const [operation, body] of changes) {
      const { status, text } = await admin.call(operation, { params, body });
      expect([operation, Math.floor(status / 100), text]).toEqual([operation, 2, text]);
      tags.push(await tagOf(admin, 'getTimeTracking', params));
    }
    expect(new Set(tags).size).toBe(tags.length);
  });

  it('can be read by a page of another origin', async () => {
    const { admin } = await newWorld();
    const { headers } = await admin.call('getWorkspace', { headers: { Origin: 'https://example.com' } });
    expect(headers['access-control-expose-headers']).toContain('ETag');
  });
});

describe('If-Match', () => {
  it('404 for a missing record, whatever the tag', async () => {
    const { admin } = await newWorld();
    const headers = { 'If-Match': '*' };
    expect((await admin.call('deleteArea', { params: { area_id: 4711 }, headers })).status).toBe(404);
  });

  it('deletes a record only in the version that the client has seen', async () => {
    const world = await newWorld();
    const { admin } = world;
    const params = { area_id: await insertArea(world, 'Bar', []) };
    const seen = await tagOf(admin, 'getArea', params);
    await admin.call('updateArea', { params, body: bodyOf('area', { name: 'Kitchen' }) });
    expect((await admin.call('deleteArea', { params, headers: { 'If-Match': seen } })).status).toBe(412);
    const current = await tagOf(admin, 'getArea', params);
    expect((await admin.call('deleteArea', { params, headers: { 'If-Match': current } })).status).toBe(200);
  });

  it('of eight writers with the same tag lets exactly one win, also against one without a tag', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const absence = { absence_id: await insertAbsence(world, employee.id) };
    const tracking = { time_tracking_id: await insertTimeTracking(world, employee.id) };
    const area = { area_id: await insertArea(world, 'Bar', []) };
    /** Each number makes a different change. */
    const records = [
      { noun: 'Area', params: area, type: 'area', shows: 'name', change: (n: number) => ({ name: `Area ${n}` }) },
      {
        noun: 'Absence',
        params: absence,
        type: 'absence',
        shows: 'hours',
        change: (n: number) => ({ use_custom_values: true, hours: n + 1, days: 1 }),
      },
      {
        noun: 'TimeTracking',
        params: tracking,
        type: 'time_tracking',
        shows: 'ends_at',
        change: (n: number) => ({ ends_at: new Date(Date.UTC(2026, 0, 5, 16, n)).toISOString() }),
      },
    ];
    for (let round = 0; round < 20; round++) {
      const { noun, params, type, shows, change } = records[round % records.length]!;
      const send = (count: number, headers: Record<string, string>) =>
        admin.call(`update${noun}`, {
          params: params as never,
          body: bodyOf(type, change(round * 10 + count)),
          headers,
        });
      const tag = await tagOf(admin, `get${noun}`, params);
      const answers = await Promise.all(Array.from({ length: 8 }, (_, count) => send(count, { 'If-Match': tag })));
      const statuses = answers.map(({ status }) => status).sort();
      expect([noun, round, statuses]).toEqual([noun, round, [200, ...Array<number>(7).fill(412)]]);
      // The write without a tag overwrites the other one, or the other one is refused because of it. It is never lost.
      const next = await tagOf(admin, `get${noun}`, params);
      const [, blind] = await Promise.all([send(8, { 'If-Match': next }), send(9, {})]);
      expect([blind.status, blind.text]).toEqual([200, blind.text]);
      const shown = await admin.call(`get${noun}`, { params: params as never });
      expect(shown.body.data.attributes[shows]).toBe(blind.body.data.attributes[shows]);
    }
  }, 120_000);
});
