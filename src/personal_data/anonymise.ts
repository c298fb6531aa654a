import { sql } from 'kysely';
import { revokeTokensOf } from '../access_tokens/access_tokens.ts';
import { invalid, refuse } from '../core/errors.ts';
import type { Id } from '../core/ids.ts';
import { authorize, type Actor } from '../core/permissions.ts';
import { utcForm } from '../core/time.ts';
import { lockUserForDeletion } from '../db/locks.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { recordEvents } from '../events/record.ts';
import { endRunning } from '../time_trackings/end_running.ts';
import { requireAnotherAccountAdmin } from '../users/role_changes.ts';
import { factsOfUser, type UserRow } from '../users/rows.ts';
import { blankDeletedRecords } from './deleted_records.ts';
import { findPerson } from './data_exports.ts';
import { anonymousText, type Person } from './holdings.ts';
import { knownTextsOf, type KnownTexts } from './known_texts.ts';
import { blankRows } from './own_rows.ts';
import { batchProblems, confirmationProblems, retentionOf, retentionProblems } from './refusals.ts';
import { blankTraces } from './traces.ts';

export interface AnonymisationRequest {
  readonly confirm: string;
  readonly retention_override?: boolean;
  readonly reason?: string;
}

/** What was done, as far as it may be remembered. */
export interface Anonymised {
  readonly userId: number;
  readonly at: Date;
  readonly retentionUntil: Date | null;
  readonly isOverridden: boolean;
}

/**
 * Removes everything that identifies a user, in the caller's transaction. The figures of their records stay. It cannot be undone.
 */
export async function anonymise(
  tx: OpenTransaction,
  actor: Actor,
  ref: Id,
  request: AnonymisationRequest,
  now: Date,
): Promise<Anonymised> {
  const user = await lockPerson(tx, actor, ref);
  const person = { accountId: actor.accountId, userId: user.id };
  const retentionUntil = await retentionOf(tx, person, now);
  const isOverridden = retentionUntil !== null && retentionUntil > now && request.retention_override === true;
  refuse([
    ...confirmationProblems(user, request.confirm),
    ...(isOverridden ? [] : retentionProblems(retentionUntil, now)),
    ...(await batchProblems(tx, person)),
  ]);

  await revokeTokensOf(tx, actor, user.id, now);
  const texts = await knownTextsOf(tx, person);
  // What others hold about the person is found by the person's records, so it comes first.
  await blankTraces(tx, person, texts);
  await blankDeletedRecords(tx, person, texts);
  await blankRows(tx, person, now);
  // The note about it must not bring the name of an actor back who anonymises themselves.
  const ending = actor.userId === user.id ? { ...actor, username: anonymousText } : actor;
  await endRunning(tx, ending, user.id, null, now);
  await blankEvents(tx, person, texts);

  const changes = {
    anonymised_at: [null, utcForm(now)] as const,
    ...(isOverridden && {
      retention_override: [null, true] as const,
      retention_until: [null, utcForm(retentionUntil)] as const,
      reason: [null, request.reason] as const,
    }),
  };
  const none = { workspaceId: null, recordUuid: null, externalId: null };
  const event = { ...none, name: 'user.anonymised' as const, recordId: String(user.id), userId: user.id, changes };
  recordEvents(tx, actor, [event], now);
  return { userId: user.id, at: now, retentionUntil, isOverridden };
}

/** The user, locked. Of two anonymisations at the same time, the second waits for the first and is then refused. */
async function lockPerson(tx: OpenTransaction, actor: Actor, ref: Id): Promise<UserRow> {
  const { id } = await findPerson(tx, actor, ref);
  await requireAnotherAccountAdmin(tx, actor.accountId, id, 'base');
  await lockUserForDeletion(tx, { accountId: actor.accountId, id });
  const user = await findPerson(tx, actor, id);
  authorize(actor, 'anonymise', 'user', factsOfUser(user));
  if (user.anonymised_at)
    throw invalid(
      'wrong_state',
      'base',
      `The user ${id} was anonymised at ${utcForm(user.anonymised_at)} already. Nothing is left to remove.`,
    );
  return user;
}

/** Blanks events about the person, and notes that they wrote. The database lets only this function change events. */
const blankEvents = (tx: OpenTransaction, { accountId, userId }: Person, { names }: KnownTexts) =>
  sql`select anonymise_events(id, ${userId}, ${names}) from accounts where id = ${accountId}`.execute(tx);
