import { isAboutOneTable } from './routing.ts';

/*
 * The statements over many accounts. Those that are about one table run on every server by themselves. The others are sent only
 * where rows are not distributed.
 */

interface Exception {
  readonly reason: string;
  /** The texts of statements, with single spaces. */
  readonly texts: readonly string[];
}

/** Statements about one table, in full. */
const overAllAccounts: readonly Exception[] = [
  {
    reason: 'Housekeeping deletes rows by age.',
    texts: [
      'delete from "idempotency_keys" where "created_at" < $1 and true',
      'delete from "webhook_deliveries" where "created_at" < $1 and true',
    ],
  },
  {
    reason: 'Housekeeping finds records by age, and removes those of each account.',
    texts: [
      'select "account_id", "id" from "deleted_records" where "deleted_at" < $1 and true limit $2',
      'select "account_id", "id" from "exports" where "created_at" <= $1 and true',
      'select "account_id", "id" from "data_exports" where "created_at" <= $1 and true',
      'select "account_id", max("id") as "last_id" from "events" where "at" < $1 and true group by "account_id" order by "account_id"',
    ],
  },
  {
    reason: 'Housekeeping removes objects from a store that all accounts share.',
    texts: [
      'select "account_id", "object_key" from "removed_objects" where true order by "account_id", "object_key" limit $1',
      'select "object_key" from "files" where "object_key" = any($1)',
    ],
  },
  {
    reason: 'Housekeeping finds the secrets that an earlier key encrypted.',
    texts: ['select "account_id", "id", "secret" from "webhooks" where true'],
  },
  {
    reason: 'A job finds the accounts that it works for, one after the other.',
    texts: [
      'select "account_id" from "time_trackings" where "ends_at" is null and "starts_at" < $1 and true group by "account_id" order by "account_id"',
      'select "account_id" from "webhooks" where "active" = $1 and true group by "account_id"',
      'select "account_id" from "webhook_deliveries" where "status" = $1 and "next_attempt_at" <= $2 and true group by "account_id" order by min("next_attempt_at")',
    ],
  },
  {
    reason: 'Operators watch figures about the whole service.',
    texts: [
      "select count(*) as count from webhook_deliveries where status = 'waiting'",
      "select count(*) as count from webhook_deliveries where status = 'waiting' and failures > 0",
      'select count(*) as count from webhooks where failing_since is not null',
    ],
  },
];

/** As far as the first table without the account. */
const claimsOfAllAccounts = [
  'with sending as ( select * from unnest( $1::bigint[], $2::bigint[] ) as flight (account_id, webhook_id) ), due as (',
  'select first.*, row_number() over (partition by first.account_id order by first.next_attempt_at, first.id) + (',
  'select count(*) from sending where sending.account_id = first.account_id) as place_in_account',
  'from webhooks webhook cross join lateral (',
  'select delivery.account_id, delivery.id, delivery.next_attempt_at from webhook_deliveries delivery where true and',
].join(' ');

/** Statements that are not sent where rows are distributed by account. Their beginning is enough. */
const onPlainDatabases: readonly Exception[] = [
  {
    reason: 'Most requests look up a token. A second message would make punches slower by 5 %.',
    texts: [
      'select holder.*, session.id as session_id, session.last_used_at from ( select id, account_id, user_id, last_used_at from access_tokens where hash = $1',
    ],
  },
  {
    reason: 'Webhooks are looked at every second, so that one statement is about those of all accounts.',
    texts: [
      'select webhook.account_id, webhook.id from webhooks webhook where webhook.active and true and exists',
      claimsOfAllAccounts,
    ],
  },
];

/** Statements that change a table in a common table expression. Their beginning is enough. */
const changingTwoTables: readonly Exception[] = [
  {
    reason:
      'A foreign key compares both tables after the statement. Nothing reads the expression, so Citus copies nothing between servers.',
    texts: ['with moved as ( update assignments set starts_at'],
  },
];

/** Statements of reads that fail where the rows of an account are, in full. The coordinator then answers the request. */
const onCoordinator: readonly Exception[] = [
  {
    reason: 'Few requests for users include their roles, and the others are answered where the users are.',
    texts: ['select "roles".* from "roles" where "roles"."id" = any($1) order by "roles"."id"'],
  },
];

const withSingleSpaces = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

const isOneOf = (exceptions: readonly Exception[], matches: (known: string) => boolean): boolean =>
  exceptions.some(({ texts }) => texts.some(matches));

/** Whether a statement of a read may name a table that belongs to no account. */
export const mayFailOnReader = (text: string): boolean =>
  isOneOf(onCoordinator, (known) => withSingleSpaces(text) === known);

/** Whether a statement may change a table in a common table expression. */
export const mayChangeInExpression = (text: string): boolean =>
  isOneOf(changingTwoTables, (beginning) => withSingleSpaces(text).startsWith(beginning));

/** Whether a statement may do without the account. */
export function mayLackAccount(text: string): boolean {
  const plain = withSingleSpaces(text);
  return (
    isOneOf(onPlainDatabases, (beginning) => plain.startsWith(beginning)) ||
    (isOneOf(overAllAccounts, (known) => plain === known) && isAboutOneTable(text))
  );
}
