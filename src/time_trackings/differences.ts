import type { Actor, WorkspaceActor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import { noteOf, sameBreaks } from './note_texts.ts';
import { breaksOf, type StoredTimeTracking } from './rows.ts';
import type { Span } from '../calendar/worked_time.ts';

/** A tracking as it is to be, as far as it can be changed. */
export interface WantedTimeTracking extends Span {
  readonly user_id: number;
  readonly area_id: number | null;
  readonly tag_ids: readonly number[];
  readonly breaks: readonly Span[];
}

/** The system notes of a change, one per kind of thing that changes, each with the old and the new value. */
export async function differences(
  db: Db,
  actor: WorkspaceActor,
  before: StoredTimeTracking,
  after: WantedTimeTracking,
): Promise<string[]> {
  const { username: by, workspace } = actor;
  const notes: string[] = [];
  if (
    before.starts_at.getTime() !== after.starts_at.getTime() ||
    before.ends_at?.getTime() !== after.ends_at?.getTime()
  ) {
    notes.push(noteOf.times(by, before, after, workspace.time_zone));
  }
  const breaks = breaksOf(before);
  if (!sameBreaks(breaks, after.breaks)) notes.push(noteOf.breaks(by, breaks, after.breaks, workspace.time_zone));
  if (before.user_id !== after.user_id) {
    const [old, now] = await userNames(db, actor, [before.user_id, after.user_id]);
    notes.push(noteOf.user(by, old!, now!));
  }
  if (before.area_id !== after.area_id) {
    const names = await areaNames(db, actor, [before.area_id, after.area_id]);
    notes.push(noteOf.area(by, names.get(before.area_id) ?? null, names.get(after.area_id) ?? null));
  }
  if (before.tag_ids.join() !== after.tag_ids.join()) {
    const titles = await tagTitles(db, actor, [...before.tag_ids, ...after.tag_ids]);
    const named = (ids: readonly number[]) => ids.map((id) => titles.get(id)!);
    notes.push(noteOf.tags(by, named(before.tag_ids), named(after.tag_ids)));
  }
  return notes;
}

async function userNames(db: Db, { accountId }: Actor, ids: readonly number[]): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('account_id', '=', accountId)
    .where('id', 'in', ids)
    .execute();
  return ids.map((id) => rows.find((row) => row.id === id)!.username);
}

async function areaNames(
  db: Db,
  { accountId }: Actor,
  ids: readonly (number | null)[],
): Promise<Map<number | null, string>> {
  const known = ids.filter((id) => id !== null);
  const rows = await db
    .selectFrom('areas')
    .select(['id', 'name'])
    .where('account_id', '=', accountId)
    .where('id', 'in', known)
    .execute();
  return new Map(rows.map((row) => [row.id, row.name]));
}

export async function tagTitles(db: Db, { accountId }: Actor, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('tags')
    .select(['id', 'title'])
    .where('account_id', '=', accountId)
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, row.title]));
}
