import { areasByIds } from '../areas/areas.ts';
import { presentArea } from '../areas/resource.ts';
import { breaksByIds } from '../breaks/breaks.ts';
import { presentBreak } from '../breaks/resource.ts';
import { attachments } from '../files/attachments.ts';
import { presentAttachment, presentSignature } from '../files/resource.ts';
import { signatures } from '../files/signatures.ts';
import { related, type Loader } from '../http/answers/jsonapi.ts';
import type { Schemas } from '../http/v3.ts';
import { notesByIds } from '../notes/notes.ts';
import { presentNote } from '../notes/resource.ts';
import { presentTag } from '../tags/resource.ts';
import { tagsByIds } from '../tags/tags.ts';
import { presentUserOverview } from '../users/resource.ts';
import { usersByIds } from '../users/users.ts';
import { presentWorkspace } from '../workspaces/resource.ts';
import { workspacesByIds } from '../workspaces/workspaces.ts';
import { breaksOf, type TimeTrackingRow } from './rows.ts';

const orNone = (id: number | null): number[] => (id === null ? [] : [id]);

/** What `include` can name wherever time trackings are shown. */
export const timeTrackingLoaders: Record<string, Loader<TimeTrackingRow, Schemas['TimeTrackingIncluded'][number]>> = {
  area: related((row) => orNone(row.area_id), areasByIds, presentArea),
  attachments: related((row) => row.attachment_ids, attachments.byIds, presentAttachment),
  breaks: related((row) => breaksOf(row).map(({ id }) => id), breaksByIds, presentBreak),
  notes: related(
    (row) => row.note_ids,
    notesByIds,
    (note, loading) => presentNote(note, loading, 'note'),
  ),
  signatures: related((row) => row.signature_ids, signatures.byIds, presentSignature),
  tags: related((row) => row.tag_ids, tagsByIds, presentTag),
  followers: related((row) => row.follower_ids, usersByIds, presentUserOverview),
  user: related((row) => [row.user_id], usersByIds, presentUserOverview),
  last_editor: related((row) => orNone(row.last_editor_id), usersByIds, presentUserOverview),
  workspace: related((row) => [row.workspace_id], workspacesByIds, presentWorkspace),
};
