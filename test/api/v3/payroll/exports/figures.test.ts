import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { absenceOf } from '../../../../support/absences.ts';
import { insertArea, insertTimeTracking } from '../../../../support/records.ts';
import { service } from '../../../../support/service.ts';
import { record } from '../../../../support/time_trackings.ts';
import { newWorld, type Person, type World } from '../../../../support/world.ts';
import { ask, bytesAt, csvRows, rowsIn, type Operations } from './support.ts';

type Rows = Record<string, string>[];
const total = (rows: Rows, name: string): number => rows.reduce((sum, row) => sum + Number(row[name]), 0);
const hours = (seconds: number): number => Math.round(seconds / 36) / 100;

/** Work and absences of three users, confirmed or not, with breaks and without, one of them running. */
async function newCompany(): Promise<World & { readonly people: readonly Person[]; readonly area: number }> {
  const world = await newWorld();
  const { admin, employee } = world;
  const people = [admin, employee, await world.addMember('employee', 'Kim')];
  const area = await insertArea(world, 'Bar', [employee.id]);
  for (const [index, person] of people.entries()) {
    for (const day of [2, 3, 10, 28]) {
      const minute = String(7 * index + day).padStart(2, '0');
      const date = `2026-03-${String(day).padStart(2, '0')}`;
      const times = { starts_at: `${date}T08:${minute}:11Z`, ends_at: `${date}T16:0${index}:40Z` };
      const pause = { starts_at: `${date}T11:00:00Z`, ends_at: `${date}T11:2${index}:05Z` };
      const confirmed = day === 3 || index === 1;
      const breaks = day === 10 ? {} : { breaks_attributes: [pause] };
      await record(admin, { ...times, ...breaks, confirmed }, { user: person.id, ...(day === 2 && { area }) });
    }
    const leave = { starts_at: '2026-03-16T00:00:00+01:00', ends_at: `2026-03-${17 + index}T23:59:59+01:00` };
    const id = await absenceOf(world, person, leave);
    await absenceOf(world, person, { ...leave, ends_at: '2026-03-16T12:00:00+01:00', full_day: false });
    if (index > 0) await admin.call('confirmAbsence', { params: { absence_id: id } });
  }
  await insertTimeTracking(world, employee.id, { starts_at: new Date(Date.now() - 3_600_000), ends_at: null });
  return { ...world, people, area };
}

/** Makes several exports, and returns the rows of each. */
async function rowsOfAll(person: Person, of: Operations, wanted: readonly { type: string; query: string }[]) {
  const ids: string[] = [];
  for (const { type, query } of wanted) {
    const { status, body } = await ask(person, { export_type: type }, { of, query });
    expect([query, status]).toEqual([query, 201]);
    ids.push(body.data.id);
  }
  await (await service()).jobs.drain();
  const files: Rows[] = [];
  for (const export_id of ids) {
    const { body } = await person.call(`get${of}Export`, { params: { export_id } });
    files.push(rowsIn(await bytesAt(body.data.attributes.file_url)));
  }
  return files;
}

/** Random combinations of filters, always the same ones. */
const combinations = (filters: readonly (readonly [string, readonly string[]])[], count: number): string[] =>
  fc.sample(
    fc
      .tuple(
        ...filters.map(([name, values]) => fc.option(fc.constantFrom(...values).map((value) => `${name}=${value}`))),
      )
      .map((parts) => parts.filter((part) => part !== null).join('&')),
    { numRuns: count, seed: 23 },
  );

describe('the figures of an export', { timeout: 120_000 }, () => {
  it('of time trackings equal the totals of the list, for random filters', async () => {
    const { admin, people, area } = await newCompany();
    const queries = combinations(
      [
        ['filter[user_id]', [`${people[1]!.id}`, `${people[0]!.id},${people[2]!.id}`]],
        ['filter[confirmed]', ['eq:true', 'eq:false']],
        ['filter[starts_at]', ['gte:2026-03-03', 'lt:2026-03-28', 'eq:2026-03-10']],
        ['filter[area_id]', [`${area}`]],
        ['filter[running]', ['0']],
      ],
      8,
    );
    const wanted = queries.flatMap((query) => [
      { type: 'list', query },
      { type: 'sum', query },
    ]);
    const files = await rowsOfAll(admin, 'TimeTracking', wanted);
    for (const [index, query] of queries.entries()) {
      const [list, sums] = [files[2 * index]!, files[2 * index + 1]!];
      const finished = query.includes('running') ? query : `${query}&filter[running]=0`;
      const { meta } = (await admin.call('listTimeTrackings', { query: `${finished}&items=1` })).body;
      // Running work grows while the test runs, so that it is left out here.
      const ended = list.filter((row) => row['Running'] === 'no');
      const running = list.length - ended.length;
      const seconds = (name: string) =>
        total(list, name) -
        total(
          list.filter((row) => row['Running'] === 'yes'),
          name,
        );
      expect([query, ended.length, hours(seconds('Net (s)')), hours(seconds('Gross (s)')), hours(seconds('Breaks (s)'))]).toEqual([query, meta.total_count, meta.total_net_time, meta.total_gross_time, meta.total_break_time]); // prettier-ignore
      expect([total(sums, 'Time trackings'), total(sums, 'Running')]).toEqual([list.length, running]);
      expect(total(sums, 'Confirmed')).toBe(meta.total_confirmed);
      for (const name of ['Net (s)', 'Gross (s)', 'Breaks (s)'])
        expect(Math.abs(total(sums, name) - total(list, name)), name).toBeLessThanOrEqual(5);
    }
  });

  it('of absences equal the totals of the list, for random filters', async () => {
    const { admin, people, area } = await newCompany();
    const queries = combinations(
      [
        ['filter[user_id]', [`${people[1]!.id}`]],
        ['filter[confirmation_status]', ['confirmed', 'pending,confirmed']],
        ['filter[overlapping_with_range]', ['2026-03-17_2026-03-18', '2026-03-16', '2026-04-01_2026-04-02']],
        ['filter[area_id]', [`${area}`]],
      ],
      6,
    );
    const wanted = queries.flatMap((query) => [
      { type: 'list', query },
      { type: 'sum', query },
    ]);
    const files = await rowsOfAll(admin, 'Absence', wanted);
    for (const [index, query] of queries.entries()) {
      const [list, sums] = [files[2 * index]!, files[2 * index + 1]!];
      const { meta } = (await admin.call('listAbsences', { query })).body;
      const states = ['Pending', 'Confirmed', 'Rejected'].map((name) => total(sums, name));
      expect([query, list.length, ...states]).toEqual([query, meta.total_count, meta.pending, meta.confirmed, meta.rejected]); // prettier-ignore
      expect([total(sums, 'Absences'), total(sums, 'Days')]).toEqual([meta.total_count, meta.total_days]);
      expect(hours(total(sums, 'Hours (s)'))).toBe(meta.total_hours);
    }
  });

  it('of sums and timesheets equal the summaries and the days of users', async () => {
    const { admin, people } = await newCompany();
    const range = { from: '2026-03-01', to: '2026-03-31' };
    const sums = await csvRows(admin, { export_type: 'sum', ...range });
    const { body } = await admin.call('listUserSummaries', { query: range });
    expect(sums.map((row) => row['User id'])).toEqual(body.data.map(({ id }: { id: string }) => id));
    for (const [index, { attributes }] of body.data.entries()) {
      const row = sums[index]!;
      const shown = ['Account: net (h)', 'Target (h)', 'Absence credit (h)', 'Change (h)', 'Balance (h)', 'Sunday (h)'];
      const { net, target, absence_credit, change, balance, sunday } = attributes;
      expect(shown.map((name) => Number(row[name]))).toEqual([net, target, absence_credit, change, balance, sunday]);
      expect(Number(row['Net (h)'])).toBe(net);
    }

    const days = await csvRows(admin, { export_type: 'timesheet', ...range });
    expect(days).toHaveLength(31 * people.length);
    for (const person of people) {
      const own = days.filter((row) => row['User id'] === String(person.id));
      const { data } = (await admin.call('getUserDays', { params: { user_id: person.id }, query: range })).body;
      for (const [index, { attributes }] of data.entries()) {
        const row = own[index]!;
        const { date, worked, breaks, target, balance, change } = attributes;
        const shown = ['Net (h)', 'Breaks (h)', 'Target (h)', 'Balance (h)', 'Change (h)'];
        expect([row['Date'], ...shown.map((name) => Number(row[name]))]).toEqual([date, worked, breaks, target, balance, change]); // prettier-ignore
      }
      const summary = body.data.find(({ id }: { id: string }) => id === String(person.id)).attributes;
      expect(hours(total(own, 'Net (s)'))).toBe(summary.net);
      expect(hours(total(own, 'Change (s)'))).toBe(summary.change);
      expect(Number(own.at(-1)!['Balance (h)'])).toBe(summary.balance);
    }
  });
});
