import { sql } from 'kysely';
import { endSessionsOf } from '../../organisation/access_tokens/access_tokens.ts';
import { invalid, refuse } from '../../platform/core/errors.ts';
import type { Id } from '../../platform/core/ids.ts';
import { authorize, type Actor } from '../../platform/core/permissions.ts';
import { utcForm } from '../../platform/core/time.ts';
import { lockUserForDeletion } from '../../platform/db/locks.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { recordEvents } from '../../platform/events/record.ts';
import { endRunning } from '../../working_time/time_trackings/end_running.ts';
import { requireAnotherAccountAdmin } from '../../organisation/users/role_changes.ts';
import { factsOfUser, type UserRow } from '../../organisation/users/rows.ts';
import { blankDeletedRecords } from './deleted_records.ts';
import { findPerson } from './data_exports.ts';
import { anonymousText } from './personal_data_map.ts';
import type { Person } from './person.ts';
import { namesToBlankOf, type NamesToBlank } from './names_to_blank.ts';
import { blankRows } from './own_rows.ts';
import { batchProblems, confirmationProblems, retentionOf, retentionProblems } from './refusals.ts';
import { blankMentionsByOthers } from './mentions_by_others.ts';
import { remainingMentions, type RemainingMention } from './remaining_mentions.ts';

export interface AnonymisationRequest {
  readonly confirm: string;
  readonly retention_override?: boolean;
  readonly reason?: string;
}

/** The result of an anonymisation. */
export interface Anonymised {
  readonly userId: number;
  readonly at: Date;
  readonly retentionUntil: Date | null;
  readonly isOverridden: boolean;
  readonly remaining: RemainingMention[];
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

  await endSessionsOf(tx, actor, user.id, now);
  const texts = await namesToBlankOf(tx, person);
  // The mentions by others are found through the person's own records, so they come first.
  await blankMentionsByOthers(tx, person, texts);
  await blankDeletedRecords(tx, person, texts);
  await blankRows(tx, person, now);
  // The note about it must not bring the name of an actor back who anonymises themselves.
  const ending = actor.userId === user.id ? { ...actor, username: anonymousText } : actor;
  await endRunning(tx, ending, user.id, null, now);
  await blankEvents(tx, person, texts);
  const remaining = await remainingMentions(tx, person, texts);

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
  return { userId: user.id, at: now, retentionUntil, isOverridden, remaining };
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
const blankEvents = (tx: OpenTransaction, { accountId, userId }: Person, { names }: NamesToBlank) =>
  sql`select anonymise_events(id, ${userId}, ${names}) from accounts where id = ${accountId}`.execute(tx);
