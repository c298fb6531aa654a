import { bodyOf, newSession } from '../../world.ts';
import type { Maker } from './maker.ts';
import type { Organisation } from './organisation.ts';

/** Exports, tokens, webhooks, calendar feeds and uploads. */
export async function makeIntegration({ world, mark, imageIn, made }: Maker, { ids: { user, area } }: Organisation) {
  const { admin, enterprise, workspaceId } = world;
  const form = { user_id: String(user), title: mark, description: mark };
  const upload = (await enterprise('createUpload', { form, files: [imageIn('doc')] })).body.upload.id as number;
  const api_token = await made('createApiToken', { body: bodyOf('api_token', { name: mark }) });
  const another = { account_id: world.accountId, user_id: admin.id, user_agent: mark };
  const { id: session } = await newSession(world.db, another);
  await newSession(world.db, another);
  const webhook = await made('createWebhook', {
    body: bodyOf('webhook', { url: `https://hooks.example.com/${mark}`, events: ['*'], description: mark }),
  });
  const webhook_delivery = await made('createWebhookPing', { params: { webhook_id: webhook } });
  const wage_type = await made('createWageType', {
    body: bodyOf('wage_type', { number: 100, title: mark, source: 'net', unit: 'hours' }),
  });
  const exporting = { body: bodyOf('export', { export_type: 'list', format: 'csv', user_ids: [user] }) };
  const time_tracking_export = await made('createTimeTrackingExport', exporting);
  const absence_export = await made('createAbsenceExport', exporting);
  const data_export = await made('createDataExport', { params: { user_id: user } });
  const calendar_feed = await made('createCalendarFeed', {
    params: { user_id: admin.id },
    body: bodyOf('calendar_feed', { name: mark, scope: 'area', workspace_id: workspaceId, area_id: area }),
  });
  return {
    ids: {
      ...{ upload, api_token, session, webhook, webhook_delivery, wage_type, calendar_feed },
      ...{ time_tracking_export, absence_export, data_export },
    },
  };
}
