import { passwordMatches, tokenHash } from '../../platform/core/secrets.ts';
import type { Db } from '../../platform/db/connection.ts';

/** The credentials of the demo organisation. They are public, so it must only exist on servers that no stranger can reach. */
export const demoCredentials = {
  apiKey: 'demo-api-key',
  apiToken: 'demo-api-token',
  admin: 'admin@example.com',
  employee: 'employee@example.com',
  password: 'demo-password',
  /** Signs the messages of the demo organisation's webhook. */
  webhookSecret: `whsec_${Buffer.from('a public secret of the demo').toString('base64')}`,
} as const;

const { apiKey, apiToken, admin, employee, password } = demoCredentials;

const validKey = (db: Db) =>
  db
    .selectFrom('api_keys')
    .select(['id', 'created_at'])
    .where('hash', '=', tokenHash(apiKey))
    .where('revoked_at', 'is', null)
    .executeTakeFirst();

/** When the demo organisation was created, if its Api-Key works. A database that does not answer has none. */
export const demoCreatedAt = (db: Db): Promise<Date | undefined> =>
  validKey(db).then(
    (key) => key?.created_at,
    () => undefined,
  );

/** The api_token of the demo organisation, unless it is revoked. */
export const validToken = (db: Db) =>
  db
    .selectFrom('api_tokens')
    .select(['id', 'account_id'])
    .where('hash', '=', tokenHash(apiToken))
    .where('revoked_at', 'is', null)
    .executeTakeFirst();

/** Whether clients can still use the Api-Key of the demo organisation. */
export const hasDemoKey = async (db: Db): Promise<boolean> => (await validKey(db)) !== undefined;

/** Whether clients can use the credentials of the demo organisation here. A database that does not answer accepts none. */
export async function acceptsDemoCredentials(db: Db): Promise<boolean> {
  try {
    if (!(await validKey(db)) || !(await validToken(db))) return false;
    return (await usersWithDemoPassword(db)).some(({ email }) => email === admin);
  } catch {
    return false;
  }
}

/** The users of the demo organisation who still have the public password. */
export async function usersWithDemoPassword(db: Db) {
  const owners = await db.selectFrom('directory_emails').selectAll().where('email', 'in', [admin, employee]).execute();
  const users = (await Promise.all(owners.map((owner) => userBehind(db, owner)))).filter((user) => user !== undefined);
  const hasPublicPassword = await Promise.all(
    users.map(({ password_hash }) => password_hash !== null && passwordMatches(password_hash, password)),
  );
  return users.filter((_user, index) => hasPublicPassword[index]);
}

async function userBehind(db: Db, owner: { account_id: number; user_id: number; email: string }) {
  const { account_id, user_id: id, email } = owner;
  const user = await db
    .selectFrom('users')
    .select('password_hash')
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .executeTakeFirst();
  return user && { account_id, id, email, password_hash: user.password_hash };
}

/** The public credentials that this database accepts, in words. */
export async function acceptedDemoCredentials(db: Db): Promise<string[]> {
  return [
    ...((await validKey(db)) ? [`the Api-Key ${apiKey}`] : []),
    ...((await validToken(db)) ? [`the api_token ${apiToken}`] : []),
    ...(await usersWithDemoPassword(db)).map(({ email }) => `the password of ${email}`),
  ];
}

/** Refuses a database that accepts the public credentials. Anybody who reaches the service could use them. */
export async function requireNoDemoCredentials(db: Db): Promise<void> {
  const accepted = await acceptedDemoCredentials(db);
  if (accepted.length === 0) return;
  throw new Error(
    `The database accepts public demo credentials (${accepted.join(', ')}), and NODE_ENV is production or HOST is no loopback address. Remove them with: npm run cli -- demo remove. To start all the same, set DEMO=1.`,
  );
}
