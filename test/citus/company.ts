import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { newCrew, punchMistakes, send, type Puncher } from '../support/processes/punchers.ts';

/** A company that punches without a pause and follows its change feed. */
export interface Company {
  readonly accountId: number;
  readonly puncher: Puncher;
  /** Stops, and lists the punches and events that were lost or came twice, and the answers that were neither a success nor 503. */
  mistakes(): Promise<string[]>;
}

interface Page {
  readonly data: { readonly id: string }[];
  readonly meta: { readonly next_cursor: string };
}

/** Signs up a company, which punches and follows its feed at once. */
export async function newCompany(url: string, db: pg.Client): Promise<Company> {
  // Without idempotency keys: to store a key would be the first write, which waits for the cluster before anything is read.
  const [puncher] = (await newCrew(url, 1)) as [Puncher];
  const { rows } = await db.query<{ account_id: string }>(
    'select account_id from directory_workspaces where workspace_id = $1',
    [puncher.workspaceId],
  );
  const accountId = Number(rows[0]!.account_id);
  let isOver = false;
  const punching = puncher.punch(url, () => isOver);
  const feed = followFeed(url, puncher.token, accountId);
  return {
    accountId,
    puncher,
    async mistakes() {
      isOver = true;
      await punching;
      const stored = await storedEvents(db, accountId);
      const seen = await feed.until(stored.length);
      return [
        ...(await punchMistakes(puncher, url, 0)),
        ...(seen.join() === stored.join() ? [] : [`events ${stored.join()} were shown as ${seen.join()}`]),
      ].map((mistake) => `company ${accountId}: ${mistake}`);
    },
  };
}

/** Reads the change feed again and again, from its beginning. */
function followFeed(url: string, token: string, accountId: number) {
  const seen: string[] = [];
  let wanted = Infinity;
  const reading = (async () => {
    for (let next = 'from=beginning', idle = 0; seen.length < wanted && idle < 300; idle++) {
      const { status, body } = await send(url, 'GET', `/accounts/${accountId}/changes?${next}`, token);
      if (status === 200) {
        const { data, meta } = body as Page;
        seen.push(...data.map(({ id }) => id));
        next = `cursor=${encodeURIComponent(meta.next_cursor)}`;
        if (data.length > 0 || wanted === Infinity) idle = 0;
      } else if (status !== 503) throw new Error(`The feed of company ${accountId} answered ${status}.`);
      await pause(200);
    }
  })();
  // The failure is reported where the feed is awaited.
  reading.catch(() => {});
  return {
    /** Reads on until it has seen so many events, or has waited a minute for them. Returns their ids. */
    async until(count: number): Promise<string[]> {
      wanted = count;
      await reading;
      return seen;
    },
  };
}

/** The ids of all events of an account in their order. */
async function storedEvents(db: pg.Client, accountId: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    'select id::text from events where account_id = $1 order by epoch, transaction_id, events.id',
    [accountId],
  );
  return rows.map(({ id }) => id);
}
