import { areasByIds } from '../../organisation/areas/areas.ts';
import { presentArea } from '../../organisation/areas/resource.ts';
import { breaksByIds } from '../breaks/breaks.ts';
import { presentBreak } from '../breaks/resource.ts';
import { attachments } from '../../platform/files/attachments.ts';
import { presentAttachment, presentSignature } from '../../platform/files/resource.ts';
import { signatures } from '../../platform/files/signatures.ts';
import { related, type Loader } from '../../platform/http/answers/jsonapi.ts';
import type { Schemas } from '../../platform/http/v3.ts';
import { notesByIds } from '../../platform/notes/notes.ts';
import { presentNote } from '../../platform/notes/resource.ts';
import { presentTag } from '../../organisation/tags/resource.ts';
import { tagsByIds } from '../../organisation/tags/tags.ts';
import { presentUserOverview } from '../../organisation/users/resource.ts';
import { usersByIds } from '../../organisation/users/users.ts';
import { presentWorkspace } from '../../organisation/workspaces/resource.ts';
import { workspacesByIds } from '../../organisation/workspaces/workspaces.ts';
import { breaksOf, type TimeTrackingRow } from './rows.ts';

const orNone = (id: number | null): number[] => (id === null ? [] : [id]);

/** The loaders of `include` wherever time trackings are shown. */
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
