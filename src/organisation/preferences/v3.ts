import * as fields from '../../../generated/fields.ts';
import { resource } from '../../platform/http/answers/jsonapi.ts';
import { v3 } from '../../platform/http/v3.ts';
import { listPreferences, resetPreference, updatePreference, type Preference as Row } from './preferences.ts';

const preference = resource('preference', fields.Preference);

const presentPreference = ({ id, key, value }: Row) => preference({ id, key, value });

export const preferenceHandlers = v3.part({
  async listPreferences(call) {
    const { rows, paging } = await listPreferences(call.db, call.actor, call.params.user_id, call.queryOptions);
    return { data: rows.map(presentPreference), meta: paging };
  },

  async updatePreference({ db, actor, params, body, now }) {
    const { value } = body.data.attributes;
    const { user_id, preference_id } = params;
    return { data: presentPreference(await updatePreference(db, actor, user_id, preference_id, value, now)) };
  },

  async deletePreference({ db, actor, params, now }) {
    return { data: presentPreference(await resetPreference(db, actor, params.user_id, params.preference_id, now)) };
  },
});
