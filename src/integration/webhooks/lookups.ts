import { Resolver } from 'node:dns/promises';
import { recentlyUsed } from '../../platform/core/remember.ts';
import { maxInFlight } from './in_flight.ts';

/*
 * Names are asked of the DNS servers themselves. The look-up of the operating system holds one of four threads until it ends, and
 * new connections to the database need the same threads: a few names whose server is silent would stop every account. A name
 * over the bounds has no address at the moment. Nothing is lost, because every delivery looks again.
 */

export interface Address {
  readonly address: string;
  readonly family: number;
}

/** All addresses of a name, for an account. None if it has none, or if there is no answer. */
export type LookUp = (host: string, accountId: number) => Promise<readonly Address[]>;

/** How long all questions about one name may take together, and how long the first may wait for its answer. */
const deadlineMs = 3_000;
const firstTry = { timeout: 1_000, tries: 2 };

/** For how long a name without an address is not asked for again, and how many are remembered. */
const missingMs = 30_000;
const maxMissing = 1_000;

const loopback: readonly Address[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** Looks names up at the given servers, or at those of the operating system. */
export function lookUps(servers: readonly string[]): LookUp {
  const missingUntil = recentlyUsed<string, number>(maxMissing);
  /** The account of each look-up on its way. */
  const inFlight: number[] = [];
  return async (host, accountId) => {
    if (/(^|\.)localhost\.?$/.test(host)) return loopback;
    if ((missingUntil.get(host) ?? 0) > performance.now()) return [];
    const own = inFlight.filter((id) => id === accountId).length;
    if (own >= maxInFlight.perAccount || inFlight.length >= maxInFlight.total) return [];
    inFlight.push(accountId);
    try {
      const addresses = await ask(host, servers);
      if (addresses.length === 0) missingUntil.set(host, performance.now() + missingMs);
      return addresses;
    } finally {
      inFlight.splice(inFlight.indexOf(accountId), 1);
    }
  };
}

/** A resolver of its own, so that the end of one look-up cancels no other. */
async function ask(host: string, servers: readonly string[]): Promise<Address[]> {
  const resolver = new Resolver(firstTry);
  if (servers.length > 0) resolver.setServers(servers);
  const deadline = setTimeout(() => resolver.cancel(), deadlineMs);
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  clearTimeout(deadline);
  return answers.flatMap((answer, index) =>
    answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : [],
  );
}
