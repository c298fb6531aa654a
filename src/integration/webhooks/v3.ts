import type { Config } from '../../platform/config.ts';
import { afterPreparing } from '../../platform/http/handlers.ts';
import { v3 } from '../../platform/http/v3.ts';
import { addressPolicies, checkUrl } from './addresses.ts';
import { listDeliveries, pingWebhook, redeliver } from './deliveries.ts';
import { presentDelivery, presentWebhook } from './resource.ts';
import { openSecretBox } from './secret_box.ts';
import { createWebhook, deleteWebhook, findWebhook, listWebhooks, updateWebhook } from './webhooks.ts';

export const webhookHandlers = (config: Config) => {
  const policyFor = addressPolicies(config);
  return v3.part({
    async listWebhooks(call) {
      const { rows, paging } = await listWebhooks(call.db, call.actor, call.queryOptions);
      return { data: rows.map(presentWebhook), meta: paging };
    },

    createWebhook: afterPreparing(
      ({ actor, body }) => checkUrl(body.data.attributes.url, policyFor(actor.accountId)),
      async (call, checked) => {
        const box = await openSecretBox(call.db, config);
        const row = await createWebhook(call.db, call.actor, call.body.data.attributes, { checked, box }, call.now);
        return { data: presentWebhook(row), headers: { 'Cache-Control': 'no-store' } };
      },
    ),

    async getWebhook(call) {
      return { data: presentWebhook(await findWebhook(call.db, call.actor, call.params.webhook_id)) };
    },

    updateWebhook: afterPreparing(
      async ({ actor, body: { data } }) =>
        data.attributes.url === undefined ? {} : checkUrl(data.attributes.url, policyFor(actor.accountId)),
      async ({ db, actor, params, body, now }, checked) => ({
        data: presentWebhook(await updateWebhook(db, actor, params.webhook_id, body.data.attributes, checked, now)),
      }),
    ),

    async deleteWebhook({ db, actor, params, now }) {
      return { data: presentWebhook(await deleteWebhook(db, actor, params.webhook_id, now)) };
    },

    async createWebhookPing({ db, actor, params, now }) {
      return { data: presentDelivery(await pingWebhook(db, actor, params.webhook_id, now)) };
    },

    async listWebhookDeliveries({ db, actor, params, queryOptions }) {
      const { rows, paging } = await listDeliveries(db, actor, params.webhook_id, queryOptions);
      return { data: rows.map(presentDelivery), meta: paging };
    },

    async createWebhookRedelivery({ db, actor, params, now }) {
      const { webhook_id, webhook_delivery_id } = params;
      return { data: presentDelivery(await redeliver(db, actor, webhook_id, webhook_delivery_id, now)) };
    },
  });
};
