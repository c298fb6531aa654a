import * as fields from '../../../generated/fields.ts';
import { utcForm, utcFormOrNull } from '../../platform/core/time.ts';
import { resource } from '../../platform/http/answers/jsonapi.ts';
import { v3 } from '../../platform/http/v3.ts';
import { createApiToken, listApiTokens, revokeApiToken, type ApiTokenRow } from './api_tokens.ts';

const apiToken = resource('api_token', fields.ApiToken);

const presentApiToken = (row: ApiTokenRow & { token?: string }) =>
  apiToken({
    id: row.id,
    name: row.name,
    last_four: row.last_four,
    read_only: row.read_only,
    last_used_at: utcFormOrNull(row.last_used_at),
    created_at: utcForm(row.created_at),
    ...(row.token === undefined ? {} : { token: row.token }),
  });

export const apiTokenHandlers = v3.part({
  async listApiTokens(call) {
    const { rows, paging } = await listApiTokens(call.db, call.actor, call.queryOptions);
    return { data: rows.map(presentApiToken), meta: paging };
  },

  async createApiToken(call) {
    const row = await createApiToken(call.db, call.actor, call.body.data.attributes, call.now);
    return { data: presentApiToken(row), headers: { 'Cache-Control': 'no-store' } };
  },

  async deleteApiToken(call) {
    return { data: presentApiToken(await revokeApiToken(call.db, call.actor, call.params.api_token_id, call.now)) };
  },
});
