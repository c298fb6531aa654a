import type { components } from '../../generated/public.ts';
import { alreadyUsed, refuse } from '../core/errors.ts';
import type { Actor } from '../core/permissions.ts';
import { parseTime } from '../core/time.ts';
import { lockUsers } from '../db/locks.ts';
import { isExternalId } from '../db/names.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { createTimeTracking } from '../time_trackings/create.ts';
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

  // Every write and punch of the user takes this lock. What is read from here on stays as it is.
  await lockUsers(tx, { accountId: actor.accountId, ids: [userId!] });
  const planned = {
    userId: userId!,
    starts_at: parseTime(input.starts_at),
    ends_at: parseTime(input.ends_at),
    exceptId: 0,
  };
  const externalId = input.external_id ?? undefined;
  const existing = await sessionWith(tx, actor, externalId);
  if (existing) {
    if (!isSame(existing, planned))
      refuse([alreadyUsed('external_id', externalId!, 'working session of this enterprise')]);
    return readSession(tx, actor, existing.id);
  }
  refuse(await overlapProblems(tx, local!, planned, now));
  const tracking = {
    starts_at: input.starts_at,
    ends_at: input.ends_at,
    user_id: userId!,
    area_id: area?.areaId ?? undefined,
    external_id: externalId,
    manual_pause_min: input.manual_pause ?? undefined,
  };
  const { id } = await createTimeTracking(tx, local!, tracking, now);
  return readSession(tx, actor, id);
}

interface Recorded {
  readonly id: number;
  readonly user_id: number;
  readonly starts_at: Date;
  readonly ends_at: Date | null;
}

/** The working session that has this external id, in any location. */
const sessionWith = async (
  tx: OpenTransaction,
  { accountId }: Actor,
  externalId: string | undefined,
): Promise<Recorded | undefined> =>
  externalId
    ? tx
        .selectFrom('time_trackings')
        .select(['id', 'user_id', 'starts_at', 'ends_at'])
        .where('account_id', '=', accountId)
        .where(isExternalId('external_id', externalId))
        .executeTakeFirst()
    : undefined;

const isSame = (one: Recorded, other: { userId: number; starts_at: Date; ends_at: Date }): boolean =>
  one.user_id === other.userId &&
  one.starts_at.getTime() === other.starts_at.getTime() &&
  one.ends_at?.getTime() === other.ends_at.getTime();
