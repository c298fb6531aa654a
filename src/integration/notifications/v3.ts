import { absencesByIds } from '../../absence/absences/absences.ts';
import { presentAbsence } from '../../absence/absences/resource.ts';
import { may } from '../../platform/core/permissions.ts';
import { included, related, type Loader } from '../../platform/http/answers/jsonapi.ts';
import { v3, type Schemas } from '../../platform/http/v3.ts';
import { presentTimeTracking } from '../../working_time/time_trackings/resource.ts';
import { factsOf } from '../../working_time/time_trackings/rows.ts';
import { timeTrackingsByIds } from '../../working_time/time_trackings/time_trackings.ts';
import { presentUser } from '../../organisation/users/resource.ts';
import { usersByIds } from '../../organisation/users/users.ts';
import { deleteNotification, listNotifications, startDeletion, type NotificationRow } from './inbox.ts';
import { presentNotification } from './resource.ts';

type Related = Schemas['User'] | Schemas['TimeTracking'] | Schemas['Absence'];

const loaders: Record<string, Loader<NotificationRow, Related>> = {
  user: related((row) => [row.user_id], usersByIds, presentUser),
  // A notification outlives the right to read the record it is about. Such records are named, but not included.
  entity: async (rows, loading) => {
    const { db, actor } = loading;
    const idsOf = (column: 'time_tracking_id' | 'absence_id') =>
      rows.map((row) => row[column]).filter((id) => id !== null);
    const trackings = await timeTrackingsByIds(db, actor, idsOf('time_tracking_id'));
    const absences = await absencesByIds(db, actor, idsOf('absence_id'));
    return [
      ...trackings
        .filter((row) => may(actor, 'read', 'time_tracking', factsOf(row)))
        .map((row) => presentTimeTracking(row, loading)),
      ...absences.filter((row) => may(actor, 'read', 'absence', row)).map((row) => presentAbsence(row, loading)),
    ];
  },
};

export const notificationHandlers = v3.part({
  async listNotifications(call) {
    const { rows, paging } = await listNotifications(call.db, call.actor, call.queryOptions);
    return {
      data: rows.map((row) => presentNotification(row, call)),
      ...(await included(call, rows, loaders)),
      meta: paging,
    };
  },

  async deleteNotification(call) {
    return {
      data: presentNotification(
        await deleteNotification(call.db, call.actor, call.params.notification_id, call.query.type, call.now),
        call,
      ),
    };
  },

  async batchNotifications(call) {
    const { all, ids } = call.body.data.attributes;
    return { meta: await startDeletion(call.db, call.actor, { all, ids }, call.now) };
  },
});
