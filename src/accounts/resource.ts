import type { components } from '../../generated/v3.ts';
import { utcForm } from '../core/time.ts';
import { presenter } from '../http/answers/jsonapi.ts';
import type { AccountRow } from './accounts.ts';

type Account = components['schemas']['Account'];

const account = presenter<Account>('account');

export const presentAccount = (row: AccountRow): Account =>
  account({
    id: row.id,
    attributes: {
      phone: row.phone,
      country: row.country,
      locale: row.locale,
      account_name: row.account_name,
      created_at: utcForm(row.created_at),
      updated_at: utcForm(row.updated_at),
    },
  });
