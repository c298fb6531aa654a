import { addDays } from '../../calendar/dates.ts';
import type { Span } from '../../calendar/worked_time.ts';
import type { Problem } from '../../core/errors.ts';
import type { WorkspaceActor } from '../../core/permissions.ts';
import { localDay, localForm, startOfLocalDay } from '../../core/time.ts';
import type { Db } from '../../db/connection.ts';
import { userZone } from '../../time_account/user_days.ts';

/** Times that somebody records, by the names that point to them in the request. */
export type RecordedTimes = Readonly<Record<string, Date>>;

/** The start and the end of a span, as far as they differ from those before. A time tracking that runs has no end yet. */
export function timesIn({ starts_at, ends_at }: Span, before?: Span): RecordedTimes {
  const times = { starts_at, ...(ends_at === null ? {} : { ends_at }) };
  const isNew = ([name, time]: [string, Date]) => before?.[name as keyof Span]?.getTime() !== time.getTime();
  return Object.fromEntries(Object.entries(times).filter(isNew));
}

/** The problems of times that an employee records for themselves. */
export const limitProblems = async (
  db: Db,
  actor: WorkspaceActor,
  userId: number,
  times: RecordedTimes,
  now: Date,
): Promise<Problem[]> => [
  ...(await backdatingProblems(db, actor, userId, times, now)),
  ...futureProblems(times, now, actor.workspace.time_zone),
];

/** Employees record time at most so many local days back as the workspace allows. */
export async function backdatingProblems(
  db: Db,
  { accountId, workspace }: WorkspaceActor,
  userId: number,
  times: RecordedTimes,
  now: Date,
): Promise<Problem[]> {
  const days = workspace.max_backdating_days;
  if (days === null || Object.keys(times).length === 0) return [];
  const zone = await zoneOf(db, accountId, userId);
  const earliestDay = addDays(localDay(now, zone), -days);
  const earliest = startOfLocalDay(earliestDay, zone);
  return Object.entries(times)
    .filter(([, time]) => time < earliest)
    .map(([pointer, time]) => ({
      pointer,
      title: `${pointer} must not be before ${earliestDay}, because employees of this workspace record time at most ${days} days back, but was ${localForm(time, zone)}.`,
    }));
}

async function zoneOf(db: Db, accountId: number, userId: number): Promise<string> {
  const { zone } = await db
    .selectFrom('users')
    .select(userZone(accountId).as('zone'))
    .where('users.account_id', '=', accountId)
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow();
  return zone;
}

const maxAheadMs = 5 * 60 * 1000;

/** Employees record no time that is still to come. The clock of a device may be a little ahead of ours. */
const futureProblems = (times: RecordedTimes, now: Date, zone: string): Problem[] =>
  Object.entries(times)
    .filter(([, time]) => time.getTime() > now.getTime() + maxAheadMs)
    .map(([pointer, time]) => ({
      pointer,
      title: `${pointer} must be at most 5 minutes in the future, but was ${localForm(time, zone)}.`,
    }));
