import { notify } from '../../src/platform/notifications/notifications.ts';
import { insertTimeTracking } from './records.ts';
import type { Person, World } from './world.ts';

export const now = new Date('2026-03-02T18:30:00Z');

export const tooLong = { title: 'More than 10 hours of work', message: 'Erin worked 10.5 hours.' };

/** Stores a warning about a time tracking, as the working-time rules do. */
export const warn = async (
  world: World,
  userId: number,
  own: { uuid?: string; area_id?: number } = {},
  warning: { rule: string; title: string; message: string } = { rule: 'long_work', ...tooLong },
): Promise<number> => {
  const id = await insertTimeTracking(world, userId, own);
  await world.db
    .insertInto('notifications')
    .values({
      account_id: world.accountId,
      workspace_id: world.workspaceId,
      type: 'trigger_warning',
      user_id: userId,
      time_tracking_id: id,
      ...warning,
      created_at: now,
      updated_at: now,
    })
    .execute();
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
