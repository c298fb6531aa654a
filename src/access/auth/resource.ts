import * as fields from '../../../generated/fields.ts';
import type { AccessToken } from '../../organisation/access_tokens/access_tokens.ts';
import { lifetimeSeconds, type SessionBounds } from '../sessions/session_bounds.ts';
import { resource } from '../../platform/http/answers/jsonapi.ts';

const token = resource('token', fields.Token);

/** The token, in the body and in the header in which the client sends it back. */
export const presentToken = (issued: AccessToken, sessions: SessionBounds) => ({
  data: token({
    id: issued.id,
    access_token: issued.token,
    token_type: 'Bearer',
    expires_in: lifetimeSeconds(sessions),
  }),
  headers: { Authorization: `Bearer ${issued.token}`, 'Cache-Control': 'no-store' },
});
