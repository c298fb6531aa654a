import { related, type Loader } from '../../platform/http/answers/jsonapi.ts';
import type { Schemas } from '../../platform/http/v3.ts';
import { presentUser } from '../users/resource.ts';
import { usersByIds } from '../users/users.ts';
import { presentWorkspace } from '../workspaces/resource.ts';
import { workspacesByIds } from '../workspaces/workspaces.ts';
import type { TagRow } from './tags.ts';

/** The values of `include` wherever tags are shown. */
export const tagLoaders: Record<string, Loader<TagRow, Schemas['TagIncluded'][number]>> = {
  workspace: related((row) => [row.workspace_id], workspacesByIds, presentWorkspace),
  users: related((row) => row.user_ids, usersByIds, presentUser),
};
