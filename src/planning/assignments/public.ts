import type { components } from '../../../generated/public.ts';
import { notFound, refuse, type Problem } from '../../platform/core/errors.ts';
import { idIn, refIn } from '../../platform/core/names.ts';
import { referred } from '../../platform/db/names.ts';
import { publicApi } from '../../platform/http/public.ts';
import { userNamed } from '../../organisation/users/users.ts';
import { assignUsers, findAssignments, isShift, removeAssignments, type AssignedUser } from './assignments.ts';

const presentAssignments = (users: readonly AssignedUser[]): components['schemas']['Assignments'] => {
  const list = (application: boolean) =>
    users.filter((user) => user.application === application).map(({ user_id: id, username }) => ({ id, username }));
  return { users: { assigned: list(false), applied: list(true) } };
};

export const assignmentHandlers = publicApi.part({
  async getAssignments({ db, actor, query }) {
    return presentAssignments(await findAssignments(db, actor, query.shift_id));
  },

  async createAssignment({ db, actor, body: { assignment }, now }) {
    const { shift_id: id, application = false } = assignment;
    const names = refIn('user_', assignment);
    const user = await referred(names, 'user of this enterprise', () => userNamed(db, actor, names));
    const isKnown = await isShift(db, actor, id);
    const unknown: Problem = {
      code: 'unknown_reference',
      pointer: 'shift_id',
      title: `shift_id ${id} is no shift of this enterprise.`,
    };
    refuse([...(isKnown ? [] : [unknown]), ...user.problems]);
    await assignUsers(db, actor, { id }, [user.row!.id], { application }, now);
    return presentAssignments(await findAssignments(db, actor, id));
  },

  async deleteAssignment({ db, actor, body, query, now }) {
    const id = idIn('shift_id', body?.assignment, body, query);
    const names = refIn('user_', body?.assignment, body, query);
    await findAssignments(db, actor, id);
    // The id of a deleted user still finds their assignment.
    const userId = (await userNamed(db, actor, names))?.id ?? (names.external_id === undefined ? names.id! : 0);
    const removed = await removeAssignments(db, actor, { id }, [userId], now);
    if (removed === 0) throw notFound('assignment');
    return presentAssignments(await findAssignments(db, actor, id));
  },
});
