import type { AccessToken } from '../access_tokens/access_tokens.ts';
import { presenter } from '../http/answers/jsonapi.ts';
import type { Schemas } from '../http/v3.ts';

const token = presenter<Schemas['Token']>('token');

/** The token, in the body and in the header in which the client sends it back. */
export const presentToken = (issued: AccessToken) => ({
  data: token({ id: issued.id, attributes: { access_token: issued.token, token_type: 'Bearer', expires_in: null } }),
  headers: { Authorization: `Bearer ${issued.token}`, 'Cache-Control': 'no-store' },
});
