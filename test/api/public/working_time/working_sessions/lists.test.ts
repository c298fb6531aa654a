import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { listSessionsInRange } from '../../../../../src/working_time/working_sessions/list.ts';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { randomFrom } from '../../../../support/processes/seeded_random.ts';
import { punch } from '../../../../support/punches.ts';
import { actorOf } from '../../../../support/records.ts';
import { service } from '../../../../support/service.ts';
import { record } from '../../../../support/time_trackings.ts';
import { at, newSessions, type Sessions } from './support.ts';

const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000', '');

describe('findWorkingSessions', () => {
  it('200 with one, by id or external id; 404 for one that is unknown, deleted or of another enterprise', async () => {
    const company = await newSessions();
    const other = await newSessions();
    const made = await company.made({ external_id: 'shift-7' });
    const { id } = made;
    expect((await company.find({ id })).body).toEqual(made);
    expect((await company.find({ external_id: 'shift-7', range_start: 'ignored?' })).status).toBe(400);
    expect((await company.find({ external_id: 'shift-7' })).body).toEqual(made);
    for (const query of [{ id }, { external_id: 'shift-7' }]) expect((await other.find(query)).status).toBe(404);
    expect(await other.startsIn({ range_start: '2026-01-01', user_id: company.employee.id })).toEqual([]);
    expect(await other.startsIn({ range_start: '2026-01-01', location_id: company.workspaceId })).toEqual([]);
    expect((await company.find({ id: 'abc' })).status).toBe(400);
    await company.enterprise('deleteWorkingSession', { query: { id } });
    expect((await company.find({ id })).status).toBe(404);
  });

  it('200 shows what was punched and recorded through the resource API, with breaks, tags and a manual pause', async () => {
    const company = await newSessions();
    const { admin, employee, newTag } = company;
    const tag = await newTag('Late');
    const breaks_attributes = [{ starts_at: at('09:00'), ends_at: at('09:15') }];
    const { id } = await record(
      admin,
      {
        starts_at: at('08:00'),
        ends_at: at('10:00'),
        breaks_attributes,
        start_signature_id: '12',
        end_signature_id: 'x',
      },
      { user: employee.id, tags: [tag] },
    );
    const shown = (await company.find({ id })).body;
    expect(shown).toMatchObject({
      breaks: [{ id: expect.any(Number), starts_at: at('09:00'), ends_at: at('09:15') }],
      break_time: 0.25,
      filters: [{ id: tag, title: 'Late', active: true, external_id: null, location_id: company.workspaceId }],
      working_area_id: null,
      last_edit_by: admin.id,
      start_signature_id: 12,
      end_signature_id: null,
    });
    expect((await company.put({ id, manual_pause: 30 })).body.break_time).toBe(0.75);
    await punch(employee, 'start', { action_time: at('13:00') });
    await punch(employee, 'start-break', { action_time: at('14:00') });
    const { body } = await company.find({ range_start: '2026-03-02', range_end: '2026-03-02' });
    expect(body.working_sessions).toHaveLength(2);
    expect(body.working_sessions[1]).toMatchObject({
      starts_at: at('13:00'),
      ends_at: null,
      actual_starts_at: null,
      actual_ends_at: null,
      breaks: [{ starts_at: at('14:00'), ends_at: null }],
    });
  });

  it('200 widens a plain date to the local day, and takes moments as moments', async () => {
    const company = await newSessions();
    for (const [from, to] of [
      ['2026-03-01T22:30:00+01:00', '2026-03-01T23:30:00+01:00'],
      ['2026-03-01T23:30:00+01:00', '2026-03-02T00:30:00+01:00'],
      ['2026-03-02T23:30:00+01:00', '2026-03-02T23:59:59+01:00'],
      ['2026-03-03T00:00:00+01:00', '2026-03-03T01:00:00+01:00'],
    ])
      await company.made({ starts_at: from, ends_at: to });
    const hours = async (query: object) => (await company.startsIn(query)).map((start) => start.slice(8, 16));
    expect(await hours({ range_start: '2026-03-02', range_end: '2026-03-02' })).toEqual(['01T23:30', '02T23:30']);
    expect(await hours({ range_start: '02.03.2026', range_end: '02.03.2026' })).toEqual(['01T23:30', '02T23:30']);
    expect(await hours({ range_start: '2026-03-02T00:30:00 01:00', range_end: at('23:00') })).toEqual([]);
    expect(await hours({ range_start: '2026-03-02T00:29:59+01:00', range_end: '2026-03-02T24:00:00+01:00' })).toEqual([
      '01T23:30',
      '02T23:30',
    ]);
    expect(await hours({ range_start: '2026-03-02' })).toEqual(['01T23:30', '02T23:30', '03T00:00']);
    expect(await hours({ range_start: at('12:00'), range_end: '' })).toEqual(['02T23:30', '03T00:00']);
  });

  it('200 with a running one from the present moment on, and not from tomorrow on', async () => {
    const company = await newSessions();
    await punch(company.employee, 'start');
    await company.made();
    const seconds = Math.floor(Date.now() / 1000);
    const found = (from: number, more: object = {}) => company.startsIn({ range_start: isoOf(from), ...more });
    expect(await found(seconds)).toHaveLength(1);
    expect(await found(seconds, { range_end: isoOf(seconds + 86_400) })).toHaveLength(1);
    expect(await found(seconds, { user_id: company.employee.id })).toHaveLength(1);
    expect(await found(seconds + 86_400)).toEqual([]);
  });

  it('200 with 25 per page, and full addresses of the next one', async () => {
    const company = await newSessions();
    for (let hour = 0; hour < 26; hour++)
      await company.made({ starts_at: isoOf(1772438400 + hour * 3600), ends_at: isoOf(1772442000 + hour * 3600) });
    const query = { range_start: '2026-03-01', user_id: company.employee.id };
    const first = await company.find(query);
    expect([first.body.working_sessions.length, first.body.page_number, first.body.total_pages]).toEqual([25, 1, 2]);
    const next = new URL(first.body.next_page);
    const sent = { api_token: company.apiToken, range_start: '2026-03-01', user_id: String(company.employee.id) };
    expect(Object.fromEntries(next.searchParams)).toEqual({ ...sent, page: '2' });
    const second = await supertest((await service()).url).get(`${next.pathname}${next.search}`);
    expect([second.body.working_sessions.length, second.body.next_page]).toEqual([1, null]);
    const beyond = await company.find({ ...query, page: 3 });
    expect([beyond.status, beyond.body]).toMatchObject([200, { working_sessions: [], page_number: 3, total_pages: 2 }]);
    const inBody = await supertest((await service()).url)
      .get('/public_api/v1/working_sessions')
      .send({ ...sent, page: 2, range_end: null });
    expect(inBody.body.working_sessions).toEqual(second.body.working_sessions);
  });

  it('400 without a start, and for an end before it', async () => {
    const { find } = await newSessions();
    const none = await find({ range_end: '2026-03-01' });
    expect([pointersIn(none), titlesIn(none)]).toEqual([
      ['range_start'],
      ['range_start is required unless id or external_id names one working session.'],
    ]);
    expect(pointersIn(await find({ range_start: '2026-03-02', range_end: '2026-03-01' }))).toEqual(['range_end']);
    expect(pointersIn(await find({ range_start: 'Monday' }))).toEqual(['range_start']);
    expect(pointersIn(await find({ range_start: '2026-03-02', page: 0 }))).toEqual(['page']);
  });

  it('200 leaves out a deleted location, and keeps the work of a deleted user', async () => {
    const company = await newSessions();
    const hotel = await company.newLocation('Hotel');
    const area = (await company.newArea('Desk', {}, hotel.id)).id;
    const kim = (await company.newUser({ location_ids: `${company.workspaceId},${hotel.id}`, external_id: 'kim' })).id;
    await company.made({ user_id: kim });
    const there = await company.made({ user_id: kim, location_id: hotel.id, working_area_id: area, starts_at: at('13:00'), ends_at: at('14:00') }); // prettier-ignore
    expect(await company.startsIn({ range_start: '2026-03-01' })).toEqual([at('08:00'), at('13:00')]);
    expect(await company.startsIn({ range_start: '2026-03-01', location_id: hotel.id })).toEqual([at('13:00')]);
    await company.admin.call('deleteWorkspace', { params: { workspace_id: hotel.id } });
    await company.enterprise('deletePublicUser', { query: { id: kim } });
    expect(await company.startsIn({ range_start: '2026-03-01' })).toEqual([at('08:00')]);
    expect(await company.startsIn({ range_start: '2026-03-01', user_id: kim })).toEqual([at('08:00')]);
    expect(await company.startsIn({ range_start: '2026-03-01', user_external_id: 'nobody' })).toEqual([]);
    expect((await company.find({ id: there.id })).status).toBe(404);
  });
});

/** Sessions of every length around two weeks, in three locations of different zones. */
async function scatter(company: Sessions, random: (below: number) => number) {
  const { db, accountId, workspaceId, employee } = company;
  const ids = [workspaceId];
  for (const time_zone of ['Honolulu', 'Auckland']) ids.push((await company.newLocation(time_zone, { time_zone })).id);
  const users = [employee.id];
  for (let count = 0; count < 6; count++) users.push((await company.newUser()).id);
  const start = Date.parse('2026-03-02T00:00:00Z') / 1000;
  const sessions = users.flatMap((user_id, nth) =>
    Array.from({ length: 25 }, (_, index) => {
      // Many begin at midnight.
      const starts = start + random(14 * 4) * 6 * 3600;
      const length = [1800, 8 * 3600, 86_400, 86_401, 6 * 86_400, 40 * 86_400][random(6)]!;
      // Each user runs one at most in a location.
      const isRunning = index === 0;
      const workspace_id = ids[isRunning ? nth % 3 : random(3)]!;
      return { user_id, workspace_id, starts, ends: isRunning ? null : starts + length };
    }),
  );
  await db
    .insertInto('time_trackings')
    .values(
      sessions.map(({ user_id, workspace_id, starts, ends }) => ({
        account_id: accountId,
        workspace_id,
        user_id,
        starts_at: new Date(starts * 1000),
        ends_at: ends === null ? null : new Date(ends * 1000),
        actual_starts_at: new Date(starts * 1000),
        created_by: 'admin',
        created_at: new Date(),
        updated_at: new Date(),
      })),
    )
    .execute();
  return { ids, users, sessions, start };
}

const firstPage = { page: 1, items: 25, outset: 0, sort: [], filter: {} };

describe('the working sessions in a range', () => {
  it('are those that overlap it, in any length, location and order of requests', async () => {
    const company = await newSessions();
    const next = randomFrom(20260302);
    const random = (below: number) => Math.floor(next() * below);
    const { ids, users, sessions, start } = await scatter(company, random);
    const actor = { ...(await actorOf(company, company.admin)), workspace: null };
    for (let round = 0; round < 40; round++) {
      const from = start + random(16 * 8) * 3 * 3600 - 86_400;
      const to = round % 5 === 0 ? undefined : from + random(5 * 8) * 3 * 3600;
      const location_id = round % 2 === 0 ? undefined : ids[random(3)]!;
      const user_id = round % 3 === 0 ? users[random(users.length)]! : undefined;
      const matching = sessions.filter(
        ({ starts, ends, ...session }) =>
          (ends === null || ends > from) &&
          (to === undefined || starts <= to) &&
          (location_id === undefined || session.workspace_id === location_id) &&
          (user_id === undefined || session.user_id === user_id),
      );
      const query = { range_start: isoOf(from), range_end: to && isoOf(to), location_id, user_id };
      const all = ids.filter((id) => location_id === undefined || id === location_id);
      const range = { range_start: isoOf(from), range_end: to === undefined ? undefined : isoOf(to), userId: user_id };
      const locations = all.map((id) => ({ id, time_zone: 'UTC' }));
      const { paging } = await listSessionsInRange(company.db, actor, locations, range, firstPage, new Date());
      expect([query, paging.total_count]).toEqual([query, matching.length]);
      const found: string[] = [];
      let pages = 1;
      for (let page = 1; page <= pages; page++) {
        const { body } = await company.find(JSON.parse(JSON.stringify({ ...query, page })));
        found.push(
          ...body.working_sessions.map((one: { starts_at: string }) => isoOf(Date.parse(one.starts_at) / 1000)),
        );
        pages = body.total_pages;
      }
      expect([query, pages, found]).toEqual([
        query,
        Math.max(1, Math.ceil(matching.length / 25)),
        matching.map(({ starts }) => isoOf(starts)).sort(),
      ]);
    }
  });
});
