import { areasByIds } from '../../organisation/areas/areas.ts';
import { presentArea } from '../../organisation/areas/resource.ts';
import { related, type Loader } from '../../platform/http/answers/jsonapi.ts';
import type { Schemas } from '../../platform/http/v3.ts';
import { presentTag } from '../../organisation/tags/resource.ts';
import { tagsByIds } from '../../organisation/tags/tags.ts';
import { presentUser } from '../../organisation/users/resource.ts';
import { usersByIds } from '../../organisation/users/users.ts';
import type { ShiftRow } from './rows.ts';

/** The values of `include` wherever shifts are shown. */
export const shiftLoaders: Record<string, Loader<ShiftRow, Schemas['ShiftIncluded'][number]>> = {
  working_area: related((row) => [row.area_id], areasByIds, presentArea),
  recurrence: async () => [],
  users: related((row) => row.user_ids, usersByIds, presentUser),
  event_pauses: async () => [],
  tags: related((row) => row.tag_ids, tagsByIds, presentTag),
};
