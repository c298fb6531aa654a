import type { Limits } from '../../platform/config.ts';
import { networkOf } from '../../platform/core/client_network.ts';
import type { Db } from '../../platform/db/connection.ts';
import { clearAttempts, countAttempt, markUntil, requireAttemptsLeft, requireNoMark, setMark } from './attempts.ts';

/*
 * Three limits on failed sign-ins: per network, per e-mail address and network, and per e-mail address from all networks. The
 * last one is a delay that grows, because an attacker can have many networks. It does not apply to networks that the user has
 * signed in from before, so that attackers elsewhere cannot keep them out.
 */

const daySeconds = 24 * 3600;

/** So many failures in a day cause no delay: people mistype. */
const failuresWithoutDelay = 4;

/** How long a network that a user has signed in from counts as theirs. */
const ownNetworkSeconds = 90 * daySeconds;

export interface SignInLimits {
  /** Throws 429 if the attempt must wait. */
  require(): Promise<void>;
  countFailure(): Promise<void>;
  /** Resets what was counted for the e-mail address. The count of the network stays. */
  countSuccess(): Promise<void>;
}

/** The limits on sign-ins with an e-mail address, which is in lower case, from an IP address. */
export function signInLimits(
  db: Db,
  { email, address, limits }: { email: string; address: string; limits: Limits },
  now: Date,
): SignInLimits {
  const network = networkOf(address);
  const keys = {
    network: ['sign_in', network],
    pair: ['sign_in', email, network],
    failures: ['sign_in_failures', email],
    delay: ['sign_in_delay', email],
    ownNetwork: ['sign_in_network', email, network],
  };
  return {
    async require() {
      await requireAttemptsLeft(db, keys.pair, limits.signInFailuresPerPair, now);
      await requireAttemptsLeft(db, keys.network, limits.signInFailuresPerAddress, now);
      if ((await markUntil(db, keys.ownNetwork, now)) === undefined) await requireNoMark(db, keys.delay, now);
    },
    async countFailure() {
      await countAttempt(db, keys.pair, limits.signInWindowSeconds, now);
      await countAttempt(db, keys.network, limits.signInWindowSeconds, now);
      const failures = await countAttempt(db, keys.failures, daySeconds, now);
      const delay = delaySeconds(failures, limits.signInMaxDelaySeconds);
      if (delay > 0) await setMark(db, keys.delay, delay, now);
    },
    async countSuccess() {
      for (const key of [keys.pair, keys.failures, keys.delay]) await clearAttempts(db, key);
      await setMark(db, keys.ownNetwork, ownNetworkSeconds, now);
    },
  };
}

/** The delay after a number of failures: 1 second after the fifth, twice as long after each further one, up to a maximum. */
export const delaySeconds = (failures: number, maxSeconds: number): number =>
  failures <= failuresWithoutDelay ? 0 : Math.min(maxSeconds, 2 ** (failures - failuresWithoutDelay - 1));
