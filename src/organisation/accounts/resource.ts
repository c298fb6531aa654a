import * as fields from '../../../generated/fields.ts';
import { utcForm } from '../../platform/core/time.ts';
import { resource } from '../../platform/http/answers/jsonapi.ts';
import type { AccountRow } from './accounts.ts';

const account = resource('account', fields.Account);

export const presentAccount = (row: AccountRow) =>
  account({
    id: row.id,
    phone: row.phone,
    country: row.country,
    locale: row.locale,
    account_name: row.account_name,
    created_at: utcForm(row.created_at),
    updated_at: utcForm(row.updated_at),
  });
