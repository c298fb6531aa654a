import { invalid } from '../../platform/core/errors.ts';
import type { Id } from '../../platform/core/ids.ts';
import { authorize, type WorkspaceActor } from '../../platform/core/permissions.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { tagTitled, type TagRow } from '../../organisation/tags/tags.ts';
import { shownId } from '../../platform/core/ids.ts';
import { factsOf } from './rows.ts';
import { lockTimeTracking } from './time_trackings.ts';
import { editTimeTracking } from './update.ts';

/** Puts the workspace's tag with this title on a time tracking. If there is none, admins create it by this. */
export async function tagTimeTracking(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  ref: Id,
  { title, time_tracking_id }: { title: string; time_tracking_id?: Id },
  now: Date,
): Promise<TagRow> {
  const row = await lockTimeTracking(tx, actor, ref);
  authorize(actor, 'tag', 'time_tracking', factsOf(row));
  if (time_tracking_id !== undefined && ![String(row.id), row.uuid].includes(String(time_tracking_id).toLowerCase())) {
    const title = `time_tracking_id must be ${shownId(row)}, the time tracking in the address, but was ${JSON.stringify(time_tracking_id)}.`;
    throw invalid('contradiction', 'time_tracking_id', title);
  }
  const tag = await tagTitled(tx, actor, title, now);
  if (row.tag_ids.includes(tag.id)) return tag;
  if (!tag.active)
    throw invalid('unusable_reference', 'title', `title names "${title}", which is no active tag. Activate it first.`);
  await editTimeTracking(tx, actor, row, { tag_ids: [...row.tag_ids, tag.id] }, now);
  return tag;
}
