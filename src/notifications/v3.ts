import { included, type Loader } from '../http/jsonapi.ts';
import { v3, type Schemas } from '../http/v3.ts';
import { presentUser } from '../users/resource.ts';
import { usersByIds } from '../users/users.ts';
import { deleteNotification, listNotifications, startDeletion, type NotificationRow } from './inbox.ts';
import { presentNotification } from './resource.ts';

const loaders: Record<string, Loader<NotificationRow, Schemas['User']>> = {
  user: async (rows, loading) => {
    const users = await usersByIds(
      loading.db,
      loading.actor,
      rows.map((row) => row.user_id),
    );
    return users.map((user) => presentUser(user, loading));
  },
  entity: async () => [],
};

export const notificationHandlers = v3.part({
  async listNotifications(call) {
    const { rows, paging } = await listNotifications(call.db, call.actor, call.view);
    return { data: rows.map((row) => presentNotification(row, call)), ...(await included(call, rows, loaders)), meta: paging };
  },

  async deleteNotification(call) {
    return { data: presentNotification(await deleteNotification(call.db, call.actor, call.params.notification_id, call.query.type), call) };
  },

  async batchNotifications(call) {
    const { all, ids } = call.body.data.attributes;
    return { meta: await startDeletion(call.db, call.actor, { all, ids }, call.now) };
  },
});
