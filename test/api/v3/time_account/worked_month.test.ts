import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { operationsOf, readContract } from '../../../../src/platform/http/contract_document.ts';
import { bodyOf, newWorld, type World } from '../../../support/world.ts';
import { absent, asked, book, confirm, ledger, setEmployee, work } from './support.ts';

/* The guide to time accounts shows a month. Here the month happens, and the service returns the numbers of the guide. */

const guide = readFileSync(path.resolve(import.meta.dirname, '../../../../openapi/guides/time_account.md'), 'utf8');

/** The rows of the table whose first column has this title, with the titles of the columns as keys. */
function tableOf(title: string): Record<string, string>[] {
  const lines = guide.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${title} |`));
  const after = lines.slice(start);
  const end = after.findIndex((line) => !line.startsWith('|'));
  const [titles, , ...rows] = after.slice(0, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  return rows.map((row) => Object.fromEntries(row.map((cell, index) => [titles![index]!.replaceAll('`', ''), cell])));
}

const dateOf = (day: number): string => `2026-05-${String(day).padStart(2, '0')}`;

/** The dates of `6–8, 11–13`. */
const datesOf = (days: string): string[] =>
  days.split(', ').flatMap((range) => {
    const [first, last = first] = range.split('–').map(Number) as [number, number?];
    return Array.from({ length: last - first + 1 }, (_, index) => dateOf(first + index));
  });

const shownDays = tableOf('May').flatMap(({ May, 'what happens': happens, ...amounts }) =>
  datesOf(May!).map((date) => ({
    date,
    happens: happens!,
    amounts: Object.fromEntries(Object.entries(amounts).map(([name, cell]) => [name, Number(cell)])),
  })),
);

/** The times of `work 22:00 to 06:00, break 02:00 to 02:30`. Those before the start of the work are on the next day. */
function shiftOf({ date, happens }: { date: string; happens: string }) {
  const times = [...happens.matchAll(/\d\d:\d\d/g)].map(([time]) => time);
  const next = dateOf(Number(date.slice(-2)) + 1);
  return times.map((time) => `${time < times[0]! ? next : date}T${time}:00+02:00`) as [string, string, string, string];
}

async function workOn(world: World, day: { date: string; happens: string }): Promise<void> {
  const [from, to, starts_at, ends_at] = shiftOf(day);
  const id = await work(world, from, to, { breaks_attributes: [{ starts_at, ends_at }] });
  if (!day.happens.includes('not confirmed')) await confirm(world, id);
}

async function absentWhere(world: World, word: string, kind: string): Promise<void> {
  const dates = shownDays.flatMap(({ date, happens }) => (happens.includes(word) ? [date] : [])).sort();
  await absent(world, kind, dates[0]!, dates.at(-1)!);
}

/** Gives the employee vacation days for a year, which can be used until 31 March of the next one. */
const entitle = (world: World, year: number, planned_days: number) =>
  asked(world, 'createUserVacationEntitlement', {
    params: { user_id: world.employee.id },
    body: bodyOf('vacation_entitlement', {
      title: `Vacation ${year}`,
      planned_days,
      starts_at: `${year}-01-01`,
      ends_at: `${year}-12-31`,
      transfer_remaining: true,
      end_of_transfer_period: `${year + 1}-03-31`,
    }),
  });

/** The month of the guide. */
async function playedMonth(): Promise<World> {
  const world = await newWorld();
  await asked(world, 'updateWorkspace', { body: bodyOf('workspace', { holiday_region: 'DE-BE' }) });
  await setEmployee(world, { start_of_accounting: '2026-05-01', initial_time_account: 10 });
  await entitle(world, 2025, 2);
  await entitle(world, 2026, 30);
  for (const day of shownDays) {
    if (day.happens.startsWith('work')) await workOn(world, day);
    const payout = /payout of (\d+) hours/.exec(day.happens);
    if (payout) await book(world, day.date, -Number(payout[1]), 'payout');
  }
  await absentWhere(world, 'vacation', 'vacation');
  await absentWhere(world, 'sick', 'sickness');
  return world;
}

/** What an operation returns about the month. */
async function answerOf(world: World, operationId: string): Promise<object> {
  const id = String(world.employee.id);
  const params = { user_id: id };
  const may = { from: '2026-05-01', to: '2026-05-31' };
  if (operationId === 'findEvaluations') {
    const query = { user_id: id, range_start: '2026-05-29', range_end: '2026-05-29' };
    return (await world.enterprise(operationId, { query })).body.evaluations[0];
  }
  if (operationId === 'listUserSummaries')
    return (await asked(world, operationId, { query: { ...may, 'filter[user_id]': id } })).data[0].attributes;
  return (await asked(world, operationId, { params, query: { date: may.to } })).data.attributes;
}

describe('the worked month in the guide', () => {
  let world: World;
  beforeAll(async () => {
    world = await playedMonth();
  });

  it('has the days that the service returns', async () => {
    const days = await ledger(world, '2026-05-01', '2026-05-31');
    const shown = new Map(shownDays.map((day) => [day.date, day]));
    expect(shown.size).toBe(shownDays.length);
    expect(days).toHaveLength(31);
    for (const day of days) {
      const date = day['date'] as string;
      const { amounts, happens } = shown.get(date) ?? { amounts: { target: 0, worked: 0, change: 0 }, happens: '' };
      expect(day).toMatchObject({ date, ...amounts });
      expect([date, day['holiday'] !== null]).toEqual([date, happens === 'public holiday']);
      expect([date, day['is_confirmed']]).toEqual([date, !happens.includes('not confirmed')]);
    }
  });

  it.each(tableOf('operation'))('has the sums of $operation', async ({ operation, attributes }) => {
    const [, operationId] = /^`(\w+)`/.exec(operation!)!;
    const pairs = attributes!.split(', ').map((pair) => /^`(\w+)` (-?[\d.]+)$/.exec(pair)!);
    const numbers = Object.fromEntries(pairs.map(([, name, number]) => [name!, Number(number)]));
    expect(await answerOf(world, operationId!)).toMatchObject(numbers);
  });

  it('has the days of absence that the service returns', async () => {
    const { absences } = (await answerOf(world, 'listUserSummaries')) as { absences: object[] };
    const [, vacation, sickness] = /(\d) days of vacation and (\d) days of sickness/.exec(guide)!.map(Number);
    expect(absences).toHaveLength(2);
    expect(absences).toContainEqual(expect.objectContaining({ kind: 'vacation', days: vacation }));
    expect(absences).toContainEqual(expect.objectContaining({ kind: 'sickness', days: sickness }));
  });

  it('names operations that exist', () => {
    const existing = { 'resource API': operationIdsOf('v3'), 'public API': operationIdsOf('public') };
    for (const row of tableOf('question'))
      for (const api of ['resource API', 'public API'] as const)
        if (row[api]) expect(existing[api]).toContain(row[api].replaceAll('`', ''));
  });
});

const operationIdsOf = (api: 'v3' | 'public'): string[] =>
  operationsOf(readContract(api)).map(({ operation }) => operation.operationId);
