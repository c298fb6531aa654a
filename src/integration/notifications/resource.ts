import * as fields from '../../../generated/fields.ts';
import type { components } from '../../../generated/v3.ts';
import { localTime, one, resource, type PresentContext } from '../../platform/http/answers/jsonapi.ts';
import type { NotificationRow } from './inbox.ts';

type Notification = components['schemas']['Notification'];

/** Warnings and notifications differ in their JSON:API type alone. */
const present = {
  trigger_warning: resource('trigger_warning', fields.Notification),
  notification: resource('notification', fields.Notification),
};

export const presentNotification = (row: NotificationRow, context: PresentContext): Notification =>
  present[row.type as Notification['type']](
    {
      id: row.id,
      title: row.title,
      message: row.message,
      created_at: localTime(row.created_at, context),
      updated_at: localTime(row.updated_at, context),
    },
    {
      user: one('user', row.user_id),
      entity:
        row.time_tracking_id === null
          ? one('absence', row.absence_id)
          : one('time_tracking', row.time_tracking_uuid ?? row.time_tracking_id),
    },
  );
