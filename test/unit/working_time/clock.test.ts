import { describe, expect, it } from 'vitest';
import { checkPunch, type ActionType, type RunningClock } from '../../../src/working_time/punches/clock.ts';

const zero = Date.parse('2026-03-02T08:00:00Z');
/** The time so many minutes after 08:00. */
const at = (minutes: number): Date => new Date(zero + minutes * 60_000);
const show = (time: Date): string => time.toISOString().slice(11, 19);

const running = (
  breaks: [number, number | null][] = [],
  lastPunch: [ActionType, number] | null = ['start', 0],
): RunningClock => ({
  starts_at: at(0),
  breaks: breaks.map(([from, to]) => ({ starts_at: at(from), ends_at: to === null ? null : at(to) })),
  lastPunch: lastPunch && { action_type: lastPunch[0], action_time: at(lastPunch[1]) },
});

const titlesOf = (type: ActionType, state: RunningClock | null, given: number | null = 60, now = at(60)): string[] =>
  checkPunch({ type, givenTime: given === null ? null : at(given) }, state, now, show).problems.map(
    ({ title }) => title,
  );

const effectOf = (type: ActionType, state: RunningClock | null, given: number | null, now = at(60)): string =>
  show(checkPunch({ type, givenTime: given === null ? null : at(given) }, state, now, show).effectiveTime);

describe('which punch fits', () => {
  const onBreak = running([[30, null]], ['start-break', 30]);

  it('fits the state', () => {
    expect(titlesOf('start', null)).toEqual([]);
    expect(titlesOf('start-break', running())).toEqual([]);
    expect(titlesOf('end-break', onBreak)).toEqual([]);
    expect(titlesOf('end', running())).toEqual([]);
    expect(titlesOf('end', onBreak)).toEqual([]);
  });

  it('does not fit, and says what is running since when', () => {
    expect(titlesOf('start', running())).toEqual([
      'start does not fit: a time tracking is running since 08:00:00. Punch end first.',
    ]);
    expect(titlesOf('start', onBreak)).toEqual([
      'start does not fit: a time tracking is running since 08:00:00, with a break since 08:30:00. Punch end first.',
    ]);
    expect(titlesOf('start-break', onBreak)).toEqual([
      'start-break does not fit: a time tracking is running since 08:00:00, with a break since 08:30:00. Punch end-break first.',
    ]);
    expect(titlesOf('end-break', running())).toEqual([
      'end-break does not fit: a time tracking is running since 08:00:00, without a break now. Punch start-break first.',
    ]);
    for (const type of ['end', 'start-break', 'end-break'] as const) {
      expect(titlesOf(type, null)).toEqual([`${type} does not fit: no time tracking is running. Punch start first.`]);
    }
  });
});

describe('when a punch may be', () => {
  it('is at most 5 minutes in the future', () => {
    expect(titlesOf('start', null, 65)).toEqual([]);
    expect(titlesOf('start', null, 65.02)).toEqual([
      'action_time must be at most 5 minutes in the future, but was 09:05:01.',
    ]);
    expect(titlesOf('end', null, 70)).toHaveLength(2);
  });

  it('is any time in the past for the first punch', () => {
    expect(titlesOf('start', null, -1_000_000)).toEqual([]);
  });

  it('is not before the last punch', () => {
    const state = running([[30, 40]], ['end-break', 40]);
    expect(titlesOf('end', state, 40)).toEqual([]);
    expect(titlesOf('end', state, 39)).toEqual([
      'action_time must not be before the last punch of the running time tracking, the end-break at 08:40:00, but was 08:39:00.',
    ]);
  });

  it('is not before what was recorded by hand', () => {
    expect(titlesOf('end', running([], null), -1)).toEqual([
      'action_time must not be before 08:00:01, up to which the running time tracking is recorded already, but was 07:59:00.',
    ]);
    expect(titlesOf('start-break', running([[10, 20]], null), 15)).toHaveLength(1);
    expect(titlesOf('start-break', running([[10, 20]], null), 20)).toEqual([]);
  });

  it('ends a time tracking however long it ran', () => {
    const twoYears = 2 * 365 * 24 * 60;
    expect(titlesOf('end', running(), twoYears, at(twoYears))).toEqual([]);
    expect(titlesOf('start-break', running(), twoYears, at(twoYears))).toEqual([]);
  });
});

describe('when a punch takes effect', () => {
  it('is when it was, or now', () => {
    expect(effectOf('end', running(), 30)).toBe('08:30:00');
    expect(effectOf('end', running(), null, new Date(zero + 999))).toBe('08:00:01');
    expect(effectOf('start', null, null, new Date(zero + 1999))).toBe('08:00:01');
  });

  it('leaves everything at least a second long', () => {
    expect(effectOf('start-break', running(), 0)).toBe('08:00:00');
    expect(effectOf('end-break', running([[0, null]], ['start-break', 0]), 0)).toBe('08:00:01');
    expect(effectOf('end', running([[0, null]], ['start-break', 0]), 0)).toBe('08:00:01');
    expect(effectOf('end', running([[0, 1 / 60]], ['end-break', 0]), 0)).toBe('08:00:01');
  });

  it('is now without a time, also after a punch of a device whose clock is ahead', () => {
    const ahead = running([], ['start', 4]);
    const { problems, time } = checkPunch({ type: 'start-break', givenTime: null }, ahead, at(1), show);
    expect(problems).toEqual([]);
    expect(show(time)).toBe('08:04:00');
  });
});
