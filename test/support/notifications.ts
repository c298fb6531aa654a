import { sql } from 'kysely';
import { notify } from '../../src/notifications/notifications.ts';
import type { Warning } from '../../src/working_time_rules/rules.ts';
import { setWarnings } from '../../src/working_time_rules/warnings.ts';
import { insertTimeTracking } from './records.ts';
import type { Person, World } from './world.ts';

export const now = new Date('2026-03-02T18:30:00Z');

export const tooLong: Warning = {
  rule: 'long_work',
  title: 'More than 10 hours of work',
  message: 'Erin worked 10.5 hours.',
};

/** Sets the warnings of one tracking, as the working-time rules do. */
export async function judgeOne(
  { db, accountId, workspaceId }: World,
  timeTracking: { id: number; user_id: number },
  warnings: Warning[],
  at = now,
) {
  const mine = db
    .selectFrom('notifications')
    .where('account_id', '=', accountId)
    .where('time_tracking_id', '=', timeTracking.id)
    .where('rule', 'is not', null);
  const stored = await mine
    .select(['id', 'user_id', 'title', 'message'])
    .select(sql<Warning['rule']>`rule`.as('rule'))
    .execute();
  await setWarnings(db, accountId, workspaceId, [{ timeTracking, warnings, stored }], at);
}

export const warn = async (
  world: World,
  userId: number,
  own: { uuid?: string; area_id?: number } = {},
): Promise<number> => {
  const id = await insertTimeTracking(world, userId, own);
  await judgeOne(world, { id, user_id: userId }, [tooLong]);
  return id;
};

export const notifyUser = (world: World, userId: number, title = 'Absence confirmed') =>
  notify(
    world.db,
    world.accountId,
    world.workspaceId,
    { user_id: userId, title, message: 'Your absence was confirmed.', owner: null },
    now,
  );

export const inboxOf = async (
  person: Person,
  query: Record<string, string> = {},
): Promise<{ id: string; type: string; attributes: { title: string } }[]> =>
  (await person.call('listNotifications', { query })).body.data;

export const kindsIn = async (person: Person): Promise<string[]> => (await inboxOf(person)).map(({ type }) => type);
