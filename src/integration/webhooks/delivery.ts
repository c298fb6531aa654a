import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Webhook } from 'standardwebhooks';
import type { Db } from '../../platform/db/connection.ts';
import { all } from '../../platform/db/distribution/all_accounts.ts';
import { leaseOn } from '../../platform/jobs/lease.ts';
import { claimByAccount, dispatchByAccount } from './by_account.ts';
import { claimDeliveries, storeOutcome, type Claimed } from './claims.ts';
import type { PolicyFor } from './addresses.ts';
import { messageIdOf, type DeliveryRow } from './deliveries.ts';
import { dispatchEvents } from './dispatch.ts';
import type { SecretBox } from './secret_box.ts';
import { send, type Outcome } from './send.ts';

export interface DeliveryParts {
  readonly db: Db;
  readonly clock: () => Date;
  readonly policyFor: PolicyFor;
  /** Whether rows are distributed by account, so that a statement is about one of them. */
  readonly isDistributed: (db: Db) => Promise<boolean>;
  /** Opened again for each round, because another process may have made the key. */
  readonly openBox: () => Promise<SecretBox>;
  /** The body of a message. Undefined if its event is not kept any more. */
  readonly bodyOf: (delivery: DeliveryRow, now: Date) => Promise<string | undefined>;
  readonly timeoutMs?: number;
}

/** Delivers events to webhooks. Of several processes, one does so at a time. */
export interface Delivery {
  /** Makes deliveries from new events, and sends everything that is due. Resolves when it is sent. `accountId` limits it to one. */
  deliverDue(accountId?: number): Promise<void>;
  /** Delivers until stopped. */
  run(log: Logger): void;
  /** Resolves once nothing is on its way. */
  stop(): Promise<void>;
}

/** How often to look for news. */
const intervalMs = 1_000;

export function webhookDelivery(parts: DeliveryParts): Delivery {
  const { db, clock } = parts;
  const inFlight = new Map<Promise<void>, Claimed>();
  const stopping = new AbortController();
  const lease = leaseOn(db, 'webhook_poller');
  let running: Promise<void> | undefined;

  /** Starts what is due, and returns whether there was anything. */
  const startDue = async (accountId: number | null): Promise<boolean> => {
    const isByAccount = accountId === null && (await parts.isDistributed(db));
    const box = await parts.openBox();
    let isAny = false;
    const start = (claimed: readonly Claimed[]): void => {
      for (const delivery of claimed) {
        const sent = attempt(parts, box, delivery).finally(() => inFlight.delete(sent));
        // Its error is reported by those who wait for it.
        sent.catch(() => {});
        inFlight.set(sent, delivery);
        isAny = true;
      }
    };
    const onTheWay = () => [...inFlight.values()];
    await (isByAccount
      ? all([() => dispatchByAccount(db, clock()), () => claimByAccount(db, onTheWay(), clock(), start)])
      : dispatchEvents(db, clock(), accountId).then(async () =>
          start(await claimDeliveries(db, onTheWay(), clock(), { accountId })),
        ));
    return isAny;
  };

  const loop = async (log: Logger): Promise<void> => {
    const { signal } = stopping;
    while (!signal.aborted) {
      try {
        if (await lease.hold()) await startDue(null);
        await Promise.race([pause(intervalMs, undefined, { signal }).catch(() => {}), ...inFlight.keys()]);
      } catch (error) {
        log.error({ err: error }, 'could not deliver to webhooks');
        await pause(intervalMs, undefined, { signal }).catch(() => {});
      }
    }
  };

  return {
    async deliverDue(accountId) {
      while (await startDue(accountId ?? null)) await Promise.all(inFlight.keys());
    },
    run(log) {
      running ??= loop(log);
    },
    async stop() {
      stopping.abort();
      await running;
      if (running) await lease.release().catch(() => {});
      await Promise.allSettled(inFlight.keys());
    },
  };
}

/** Tries a delivery once. The body is made anew, and the message keeps its id. */
async function attempt(parts: DeliveryParts, box: SecretBox, claimed: Claimed): Promise<void> {
  const { db, clock, policyFor, bodyOf, timeoutMs } = parts;
  const body = await bodyOf(claimed, clock());
  const secret = box.open(claimed.account_id, claimed.secret);
  const policy = policyFor(claimed.account_id);
  const outcome =
    body === undefined
      ? failure('The event is not kept any more.')
      : secret === undefined
        ? failure('The secret of the webhook cannot be read, because SECRET_KEY of the service has changed.')
        : await send({ url: claimed.url, body, headers: headersOf(claimed, body, secret, clock()) }, policy, timeoutMs);
  await storeOutcome(db, claimed, outcome, clock());
}

const failure = (error: string): Outcome => ({ status: null, body: null, error });

/** The headers of Standard Webhooks. */
function headersOf(claimed: Claimed, body: string, secret: string, now: Date): Record<string, string> {
  const id = messageIdOf(claimed);
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Punchcard',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, now, body),
  };
}
