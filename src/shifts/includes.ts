import { areasByIds } from '../areas/areas.ts';
import { presentArea } from '../areas/resource.ts';
import { related, type Loader } from '../http/answers/jsonapi.ts';
import type { Schemas } from '../http/v3.ts';
import { presentTag } from '../tags/resource.ts';
import { tagsByIds } from '../tags/tags.ts';
import { presentUser } from '../users/resource.ts';
import { usersByIds } from '../users/users.ts';
import type { ShiftRow } from './rows.ts';

/** The values of `include` wherever shifts are shown. */
export const shiftLoaders: Record<string, Loader<ShiftRow, Schemas['ShiftIncluded'][number]>> = {
  working_area: related((row) => [row.area_id], areasByIds, presentArea),
  recurrence: async () => [],
  users: related((row) => row.user_ids, usersByIds, presentUser),
  event_pauses: async () => [],
  tags: related((row) => row.tag_ids, tagsByIds, presentTag),
};
