import { invalid } from '../../platform/core/errors.ts';
import { isNamed, refIn } from '../../platform/core/names.ts';
import type { Actor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { pageIn, pageMembers } from '../../platform/http/answers/pages.ts';
import { publicApi } from '../../platform/http/public.ts';
import { allWorkspaces, workspaceNamed, type WorkspaceRow } from '../../organisation/workspaces/workspaces.ts';
import { confirmWorkingSession, deleteWorkingSession, resetWorkingSession, updateWorkingSession } from './change.ts';
import { createWorkingSession } from './create.ts';
import { listSessionsInRange } from './list.ts';
import { presentSession } from './public_resource.ts';
import { userIdIn } from './references.ts';
import { findSession } from './rows.ts';

type Names = Readonly<Record<string, unknown>>;

/** The locations that a list is about: the one that is named, or all. An unknown one is none. */
async function locationsIn(db: Db, actor: Actor, query: Names): Promise<WorkspaceRow[]> {
  if (!isNamed('location_', query)) return allWorkspaces(db, actor);
  const location = await workspaceNamed(db, actor, refIn('location_', query));
  return location ? [location] : [];
}

export const workingSessionHandlers = publicApi.part({
  async findWorkingSessions(call) {
    const { db, actor, query, now } = call;
    if (isNamed('', query)) return presentSession(await findSession(db, actor, refIn('', query)), now);
    const { range_start, range_end } = query;
    if (range_start === undefined)
      throw invalid(
        'required',
        'range_start',
        'range_start is required unless id or external_id names one working session.',
      );
    const range = { range_start, range_end, userId: await userIdIn(db, actor, query) };
    const locations = await locationsIn(db, actor, query);
    const { rows, paging } = await listSessionsInRange(db, actor, locations, range, pageIn(call), now);
    return { working_sessions: rows.map((row) => presentSession(row, now)), ...pageMembers(paging, call) };
  },

  async createWorkingSession({ db, actor, body, now }) {
    return presentSession(await createWorkingSession(db, actor, body.working_session, now), now);
  },

  async updateWorkingSession({ db, actor, body: { working_session }, now }) {
    const { id: _, ...change } = working_session;
    return presentSession(await updateWorkingSession(db, actor, refIn('', working_session), change, now), now);
  },

  async confirmWorkingSession({ db, actor, body, now }) {
    return presentSession(await confirmWorkingSession(db, actor, refIn('', body.working_session), now), now);
  },

  async resetWorkingSession({ db, actor, body, now }) {
    return presentSession(await resetWorkingSession(db, actor, refIn('', body.working_session), now), now);
  },

  async deleteWorkingSession({ db, actor, body, query, now }) {
    await deleteWorkingSession(db, actor, refIn('', body?.working_session, query), now);
  },
});
