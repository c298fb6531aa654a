import type { components } from '../../../generated/public.ts';
import { alreadyUsed, refuse } from '../../platform/core/errors.ts';
import type { Actor } from '../../platform/core/permissions.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { lookUpReferences, storeTimeTracking } from '../time_trackings/create.ts';
import { overlapProblems } from './overlaps.ts';
import { areaIn, placeAndUserIn } from './references.ts';
import { readSession, type SessionRow } from './rows.ts';

export type NewSession = components['schemas']['WorkingSessionCreation']['working_session'];

/**
 * Records working time that overlaps no other of its user. One that has the external id already is returned as it is, if its user
 * and times are the same.
 */
export async function createWorkingSession(
  tx: OpenTransaction,
  actor: Actor,
  input: NewSession,
  now: Date,
): Promise<SessionRow> {
  const { local, userId, problems } = await placeAndUserIn(tx, actor, input);
  const area = local && (await areaIn(tx, local, input));
  refuse([...problems, ...(area?.problems ?? [])]);

  const tracking = {
    starts_at: input.starts_at,
    ends_at: input.ends_at,
    user_id: userId!,
    area_id: area?.areaId ?? undefined,
    external_id: input.external_id ?? undefined,
    manual_pause_min: input.manual_pause ?? undefined,
  };
  // Every write and punch of the user takes the lock that this takes. What is read from here on stays as it is.
  const references = await lookUpReferences(tx, local!, tracking);
  const planned = {
    userId: userId!,
    starts_at: references.span.starts_at,
    ends_at: references.span.ends_at!,
    exceptId: 0,
  };
  const existing = references.sameExternalId;
  if (existing) {
    if (!isSame(existing, planned))
      refuse([alreadyUsed('external_id', input.external_id!, 'working session of this enterprise')]);
    return readSession(tx, actor, existing.id);
  }
  refuse(await overlapProblems(tx, local!, planned, now));
  return readSession(tx, actor, await storeTimeTracking(tx, local!, references, now));
}

interface Recorded {
  readonly user_id: number;
  readonly starts_at: Date;
  readonly ends_at: Date | null;
}

const isSame = (one: Recorded, other: { userId: number; starts_at: Date; ends_at: Date }): boolean =>
  one.user_id === other.userId &&
  one.starts_at.getTime() === other.starts_at.getTime() &&
  one.ends_at?.getTime() === other.ends_at.getTime();
