import { Resolver } from 'node:dns';
import { isIP, isIPv4 } from 'node:net';
import path from 'node:path';
import { checkedOutCommit } from './checked_out_commit.ts';
import { objectStoreAddress, type ObjectStoreAddress } from './core/object_store_address.ts';

/** Every setting of the service, read once from the environment. No other file reads `process.env`. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly databaseUrl: string | undefined;
  readonly directDatabaseUrl: string | undefined;
  /** A standby of the database, which answers reads. */
  readonly readDatabaseUrl: string | undefined;
  /** How long a read waits until the standby has what was written before it. */
  readonly readWaitMs: number;
  /** How many connections requests have. */
  readonly poolSize: number;
  /** How many of them the requests of one account may hold. 0 for all. */
  readonly poolPerAccount: number;
  /** How long a statement of a request may take. 0 for as long as it likes. */
  readonly statementTimeoutMs: number;
  /** Off behind a pooler that does not support them, such as PgBouncer in transaction mode without max_prepared_statements. */
  readonly preparedStatements: boolean;
  /** Whether a job caches the months of time accounts that are over. */
  readonly hasMonthCache: boolean;
  readonly dataDir: string;
  readonly publicUrl: string | undefined;
  /** The address of the service where no request tells it: PUBLIC_URL, or that on which it listens. */
  readonly ownUrl: string;
  readonly appUrl: string;
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
  readonly workers: boolean;
  readonly signUp: boolean;
  readonly requireApiKey: boolean;
  readonly trustProxy: string | undefined;
  readonly demo: boolean;
  /** Whether strangers may reach the service: in production, and where it listens beyond loopback. */
  readonly isExposed: boolean;
  readonly isProduction: boolean;
  /** `writes`: only writes go through row-level security. `full`: reads too. */
  readonly rowLevelSecurity: 'writes' | 'full';
  /** How long a process serves requests after /health/ready reports that it stops. */
  readonly shutdownDelaySeconds: number;
  readonly logLevel: string;
  /** `npm start` runs a shell between itself and the process, which does not pass signals on. */
  readonly isRunByNpm: boolean;
  readonly gitCommit: string;
  readonly secretKey: string | undefined;
  /** The key before it, with which the secrets of webhooks can still be read. */
  readonly previousSecretKey: string | undefined;
  /** Whether webhooks may lead to private addresses, and over http to loopback. */
  readonly webhookAllowPrivate: boolean;
  /** The DNS servers that are asked for the names of webhooks. Without any, those of the operating system. */
  readonly webhookDns: readonly string[];
  readonly limits: Limits;
  /** After how many days without use, and after how many in all, somebody has to sign in again. 0 for never. */
  readonly sessions: { readonly idleDays: number; readonly maxDays: number };
  /** How much memory all uploads may take together. */
  readonly uploadMemoryMebibytes: number;
  /** The object store with the contents of files, and whether new files go there. Without one, they are in the database. */
  readonly objectStore: { readonly address: ObjectStoreAddress; readonly isForNewFiles: boolean } | undefined;
  /** How much the files of one account may take together. 0 turns the limit off. */
  readonly fileQuotaMebibytesPerAccount: number;
  /** How long deleted time trackings and absences can be restored. */
  readonly recordRetentionMonths: number;
  /** How long the history and the change feed keep events. */
  readonly eventRetentionDays: number;
}

/** How often clients may try something. 0 turns a limit off. */
export interface Limits {
  readonly requestsPerMinute: number;
  readonly signInFailuresPerPair: number;
  readonly signInFailuresPerAddress: number;
  readonly signInWindowSeconds: number;
  readonly signInMaxDelaySeconds: number;
  /** Mails of one kind to one address. */
  readonly mailsPerRecipientPerHour: number;
  readonly mailsPerRecipientPerDay: number;
  /** Mails about notifications to one address. */
  readonly notificationMailsPerDay: number;
  /** Invitations of one account. */
  readonly invitationsPerDay: number;
  /** Until an admin of the account has shown that they receive mails. */
  readonly invitationsPerDayUnconfirmed: number;
  readonly signUpsPerAddress: number;
  /** Refused e-mail addresses of other accounts, per account and per network. */
  readonly addressRefusalsPerHour: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

export function readConfig(env: Environment = process.env): Config {
  const host = env['HOST'] ?? '127.0.0.1';
  const port = wholeNumber(env, 'PORT', 3000, { max: 65_535 });
  const publicUrl = webAddress(env, 'PUBLIC_URL');
  const ownUrl = publicUrl ?? `http://${host}:${port}`;
  const isProduction = env['NODE_ENV'] === 'production';
  const isExposed = isProduction || !isLoopback(host);
  const demo = isOn(env, 'DEMO', isExposed ? 'off' : 'on');
  // Whoever tries the demo has their receiver on the same machine. With a public address, strangers could name one, too.
  const isTrial = demo && !isExposed && publicUrl === undefined;
  const poolSize = wholeNumber(env, 'DATABASE_POOL', 10, { min: 1 });
  return {
    host,
    port,
    databaseUrl: databaseAddress(env, 'DATABASE_URL'),
    directDatabaseUrl: databaseAddress(env, 'DATABASE_DIRECT_URL') ?? databaseAddress(env, 'DATABASE_URL'),
    readDatabaseUrl: databaseAddress(env, 'DATABASE_READ_URL'),
    readWaitMs: wholeNumber(env, 'DATABASE_READ_WAIT_MS', 20, { max: 1_000 }),
    poolSize,
    poolPerAccount: wholeNumber(env, 'DATABASE_POOL_PER_ACCOUNT', Math.max(2, Math.floor(poolSize / 3))),
    statementTimeoutMs: wholeNumber(env, 'STATEMENT_TIMEOUT_MS', 10_000),
    preparedStatements: isOn(env, 'PREPARED_STATEMENTS', 'on'),
    hasMonthCache: isOn(env, 'MONTH_CACHE', 'on'),
    dataDir: path.resolve(env['DATA_DIR'] ?? 'data'),
    publicUrl,
    ownUrl,
    appUrl: webAddress(env, 'APP_URL') ?? ownUrl,
    smtpUrl: env['SMTP_URL'] || undefined,
    mailFrom: env['MAIL_FROM'] ?? 'Punchcard <punchcard@localhost>',
    workers: isOn(env, 'WORKERS', 'on'),
    signUp: isOn(env, 'SIGN_UP', 'on'),
    requireApiKey: isOn(env, 'REQUIRE_API_KEY', 'on'),
    trustProxy: trustedProxies(env, 'TRUST_PROXY'),
    demo,
    isExposed,
    isProduction,
    rowLevelSecurity: oneOf(env, 'RLS', ['writes', 'full']),
    shutdownDelaySeconds: wholeNumber(env, 'SHUTDOWN_DELAY_SECONDS', 2),
    logLevel: oneOf(env, 'LOG_LEVEL', ['info', 'trace', 'debug', 'warn', 'error', 'fatal', 'silent']),
    isRunByNpm: env['npm_lifecycle_event'] !== undefined,
    gitCommit: env['GIT_COMMIT'] || checkedOutCommit() || builtCommit || 'unknown',
    secretKey: secret(env, 'SECRET_KEY', 32),
    previousSecretKey: secret(env, 'SECRET_KEY_PREVIOUS', 32),
    webhookAllowPrivate: isOn(env, 'WEBHOOK_ALLOW_PRIVATE', isTrial ? 'on' : 'off'),
    webhookDns: dnsServers(env, 'WEBHOOK_DNS'),
    uploadMemoryMebibytes: wholeNumber(env, 'UPLOAD_MEMORY_MIB', 512),
    objectStore: objectStoreIn(env),
    fileQuotaMebibytesPerAccount: wholeNumber(env, 'FILE_QUOTA_MIB_PER_ACCOUNT', 10_240),
    recordRetentionMonths: wholeNumber(env, 'RECORD_RETENTION_MONTHS', 24),
    eventRetentionDays: wholeNumber(env, 'EVENT_RETENTION_DAYS', 1_095),
    sessions: {
      idleDays: wholeNumber(env, 'SESSION_IDLE_DAYS', 90, { max: 10_000 }),
      maxDays: wholeNumber(env, 'SESSION_MAX_DAYS', 0, { max: 10_000 }),
    },
    limits: {
      requestsPerMinute: wholeNumber(env, 'RATE_LIMIT_PER_MINUTE', 0),
      signInFailuresPerPair: wholeNumber(env, 'SIGN_IN_FAILURES_PER_PAIR', 10),
      signInFailuresPerAddress: wholeNumber(env, 'SIGN_IN_FAILURES_PER_ADDRESS', 300),
      signInWindowSeconds: wholeNumber(env, 'SIGN_IN_WINDOW_SECONDS', 900),
      signInMaxDelaySeconds: wholeNumber(env, 'SIGN_IN_MAX_DELAY_SECONDS', 300),
      mailsPerRecipientPerHour: wholeNumber(env, 'MAILS_PER_RECIPIENT_PER_HOUR', 1),
      mailsPerRecipientPerDay: wholeNumber(env, 'MAILS_PER_RECIPIENT_PER_DAY', 10),
      notificationMailsPerDay: wholeNumber(env, 'NOTIFICATION_MAILS_PER_DAY', 50),
      invitationsPerDay: wholeNumber(env, 'INVITATIONS_PER_DAY', 1_000),
      invitationsPerDayUnconfirmed: wholeNumber(env, 'UNCONFIRMED_MAILS_PER_DAY', 10),
      signUpsPerAddress: wholeNumber(env, 'SIGN_UPS_PER_HOUR', 500),
      addressRefusalsPerHour: wholeNumber(env, 'ADDRESS_REFUSALS_PER_HOUR', 20),
    },
  };
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));

function isOn(env: Environment, name: string, fallback: 'on' | 'off'): boolean {
  const value = env[name]?.toLowerCase() || fallback;
  if (['1', 'true', 'on', 'yes'].includes(value)) return true;
  if (['0', 'false', 'off', 'no'].includes(value)) return false;
  throw new Error(`${name} must be on or off, but was "${env[name]}".`);
}

/** One of a few words. The first is the default. */
function oneOf<Word extends string>(env: Environment, name: string, words: readonly [Word, ...Word[]]): Word {
  const value = env[name] || words[0];
  const word = words.find((known) => known === value);
  if (word === undefined) throw new Error(`${name} must be one of ${words.join(', ')}, but was "${value}".`);
  return word;
}

function wholeNumber(env: Environment, name: string, fallback: number, { min = 0, max = 999_999_999 } = {}): number {
  const value = env[name];
  if (value === undefined || value === '') return fallback;
  if (!/^\d{1,9}$/.test(value) || Number(value) < min || Number(value) > max)
    throw new Error(`${name} must be a whole number from ${min} to ${max}, but was "${value}".`);
  return Number(value);
}

/** The address of a web server, without a slash at its end. */
function webAddress(env: Environment, name: string): string | undefined {
  const value = env[name];
  if (!value) return undefined;
  if (!/^https?:\/\//.test(value) || !URL.canParse(value))
    throw new Error(`${name} must be an address such as https://time.example.com, but was "${value}".`);
  return value.replace(/\/+$/, '');
}

/** The address of a PostgreSQL server. The message does not contain it, because it may contain a password. */
function databaseAddress(env: Environment, name: string): string | undefined {
  const value = env[name] || undefined;
  if (value !== undefined && !/^postgres(ql)?:\/\//.test(value)) {
    const scheme = /^\w+:\/\//.exec(value)?.[0] ?? 'something else';
    throw new Error(
      `${name} must be an address such as postgres://user:password@host:5432/database, but begins with ${scheme}.`,
    );
  }
  return value;
}

/** Which proxies are believed about the address of a client. */
function trustedProxies(env: Environment, name: string): string | undefined {
  const value = env[name];
  if (!value || value === 'false') return undefined;
  const isNetwork = (part: string): boolean => {
    if (['loopback', 'linklocal', 'uniquelocal'].includes(part)) return true;
    const [address, prefix = '0', ...rest] = part.split('/');
    const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address!)]!;
    return rest.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits;
  };
  if (value === 'true' || /^\d{1,2}$/.test(value) || value.split(',').every((part) => isNetwork(part.trim())))
    return value;
  throw new Error(
    `${name} must be true, the number of proxies, or a list of IP addresses and networks, but was "${value}".`,
  );
}

/** DNS servers, by their IP addresses. */
function dnsServers(env: Environment, name: string): readonly string[] {
  const servers = env[name] ? env[name].split(',').map((server) => server.trim()) : [];
  try {
    new Resolver().setServers(servers);
    return servers;
  } catch {
    throw new Error(`${name} must be a list such as 10.0.0.2,[2001:db8::1]:5353, but was "${env[name]}".`);
  }
}

/** A secret that is long enough. The message does not contain it. */
function secret(env: Environment, name: string, minLength: number): string | undefined {
  const value = env[name];
  if (!value) return undefined;
  if (value.length < minLength)
    throw new Error(
      `${name} must have at least ${minLength} characters, but had ${value.length}. Make one with: openssl rand -hex 32`,
    );
  return value;
}

function objectStoreIn(env: Environment): Config['objectStore'] {
  const [current, previous] = [env['FILES_URL'], env['FILES_URL_PREVIOUS']];
  if (current && previous)
    throw new Error('FILES_URL and FILES_URL_PREVIOUS must not both be set. FILES_URL is where new files go.');
  const accessKeyId = env['FILES_ACCESS_KEY_ID'];
  const secretAccessKey = env['FILES_SECRET_ACCESS_KEY'];
  if (!accessKeyId !== !secretAccessKey)
    throw new Error(
      `FILES_ACCESS_KEY_ID and FILES_SECRET_ACCESS_KEY must both be set or both be missing, but only ${accessKeyId ? 'FILES_ACCESS_KEY_ID' : 'FILES_SECRET_ACCESS_KEY'} is set.`,
    );
  const credentials = accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined;
  if (current) return { address: objectStoreAddress('FILES_URL', current, credentials), isForNewFiles: true };
  if (previous)
    return { address: objectStoreAddress('FILES_URL_PREVIOUS', previous, credentials), isForNewFiles: false };
  return undefined;
}

/** The server that `npm run mcp` passes messages on to, and the token of its user. */
export const readAssistantConfig = (env: Environment = process.env) => ({
  serverUrl: webAddress(env, 'PUNCHCARD_URL') ?? 'http://127.0.0.1:3000',
  token: env['PUNCHCARD_TOKEN'],
});

/** Set in the programs that "npm run build" makes. */
declare const BUILT_COMMIT: string | undefined;
const builtCommit = typeof BUILT_COMMIT === 'undefined' ? undefined : BUILT_COMMIT;
