import type { Limits } from '../../platform/config.ts';
import { networkOf } from '../../platform/core/client_network.ts';
import { AppError } from '../../platform/core/errors.ts';
import type { Db } from '../../platform/db/connection.ts';
import { isDatabaseError, problemBehind } from '../../platform/db/violations.ts';
import { countAttempt, requireAttemptsLeft } from './attempts.ts';

/*
 * A refused address tells that somebody of another account has it. Such refusals are counted, so that nobody can ask for the
 * addresses of others without end. Everything that stores an address that a client has chosen goes through here.
 */

const hourSeconds = 3600;

/** An account, unless it is not known yet, and its network address. */
interface Asker {
  readonly accountId: number | null;
  readonly address: string;
  readonly limits: Pick<Limits, 'addressRefusalsPerHour'>;
}

/**
 * Does work that stores an address, outside of any transaction: the count must stay although the work is rolled back. Throws 429
 * once the account or the network has been refused too often, before anything is looked up.
 */
export async function askingForAddress<Result>(
  db: Db,
  { accountId, address, limits }: Asker,
  now: Date,
  work: () => Promise<Result>,
): Promise<Result> {
  const limit = limits.addressRefusalsPerHour;
  const keys = [
    ...(accountId === null ? [] : [['address_refusals', 'account', String(accountId)]]),
    ['address_refusals', 'network', networkOf(address)],
  ];
  for (const key of keys) await requireAttemptsLeft(db, key, limit, now);
  try {
    return await work();
  } catch (error) {
    if (limit === 0 || !tellsOfOthers(error)) throw error;
    // Concurrent questions all pass the first check. Only as many as are allowed get an answer.
    for (const key of keys)
      if ((await countAttempt(db, key, hourSeconds, now)) > limit) await requireAttemptsLeft(db, key, limit, now);
    throw error;
  }
}

const tellsOfOthers = (error: unknown): boolean => {
  const problems = error instanceof AppError ? error.problems : isDatabaseError(error) ? [problemBehind(error)] : [];
  return problems.some((problem) => problem?.tellsOfOthers);
};

/** The parts of a request that tell who asks for which address. */
interface Asking {
  readonly db: Db;
  readonly actor: unknown;
  readonly address: string;
  readonly body: unknown;
  readonly now: Date;
}

/** Goes around a handler, for a request whose body may name an address. */
export const asksForAddress =
  (limits: Asker['limits']) =>
  <Answer>({ db, actor, address, body, now }: Asking, answer: () => Promise<Answer>): Promise<Answer> => {
    const { accountId } = actor as { readonly accountId: number };
    return namesAddress(body) ? askingForAddress(db, { accountId, address, limits }, now, answer) : answer();
  };

/** The resource API has the attributes in `data`, the public API in `user`. */
function namesAddress(body: unknown): boolean {
  const { data, user } = body as { data?: { attributes?: { email?: unknown } }; user?: { email?: unknown } };
  return Boolean((data?.attributes ?? user)?.email);
}
