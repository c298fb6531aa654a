import { related, type Loader } from '../../platform/http/answers/jsonapi.ts';
import type { Schemas } from '../../platform/http/v3.ts';
import { presentTimeTracking } from '../time_trackings/resource.ts';
import { timeTrackingsByIds } from '../time_trackings/time_trackings.ts';
import type { BreakRow } from './breaks.ts';

/** The loaders of `include` wherever breaks are shown. */
export const breakLoaders: Record<string, Loader<BreakRow, Schemas['TimeTracking']>> = {
  time_tracking: related((row) => [row.time_tracking_id], timeTrackingsByIds, presentTimeTracking),
};
