import { numericId } from '../../platform/core/ids.ts';
import type { Db } from '../../platform/db/connection.ts';
import { ownerOfEmail } from '../../organisation/users/emails.ts';
import { usageError } from './command.ts';

/** The account with this id, or of the user with this e-mail address. Without a name, the only account there is. */
export async function accountNamed(db: Db, name: string | boolean | undefined) {
  const text = typeof name === 'string' ? name.trim() : '';
  const accounts = db.selectFrom('accounts').select(['id', 'account_name']);
  const found = text === '' ? accounts : accounts.where('id', '=', (await idNamed(db, text)) ?? null);
  const rows = await found.orderBy('id').limit(11).execute();
  if (rows.length === 1) return rows[0]!;
  if (rows.length === 0 && text === '')
    throw usageError(
      'There is no account yet. Create one with: npm run cli -- user create-admin --email ADDRESS --username NAME',
    );
  const all = rows.length > 0 ? rows : await accounts.orderBy('id').limit(11).execute();
  const listed = all.slice(0, 10).map(({ id, account_name }) => `  ${id}  ${account_name}`);
  const more = all.length > 10 ? '\n  …' : '';
  const reason =
    text === '' ? '--account is required, because there are several accounts' : `There is no account "${text}"`;
  throw usageError(
    `${reason}. Give the id of one of these, or the e-mail address of one of its users:\n${listed.join('\n')}${more}`,
  );
}

async function idNamed(db: Db, text: string): Promise<number | undefined> {
  return text.includes('@') ? (await ownerOfEmail(db, text))?.accountId : numericId(text);
}
