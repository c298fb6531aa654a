import { apiToken, type DataSet, type Workspace } from '../data_set.ts';
import type { ReadRow } from '../rows.ts';

/* Lists of the public API. No other contender has them, so their times are compared with each other. */

const months = ['2026-03', '2026-04', '2026-05'];

/** The working sessions of one month, in a large and in a small location. */
export function publicListRows({ workspaces }: DataSet): ReadRow[] {
  const [large, , small] = workspaces as [Workspace, Workspace, Workspace];
  return [small, large].map((workspace, index) => ({
    name: `sessions_${['small', 'large'][index]}`,
    about: `v1 working sessions of a month, location of ${workspace.trackings.toLocaleString('en-US')}`,
    requests: months.map((month) => ({
      method: 'GET',
      path: `/public_api/v1/working_sessions?api_token=${apiToken}&location_id=${workspace.id}&range_start=${month}-01&range_end=${month}-30`,
      headers: {},
    })),
  }));
}
