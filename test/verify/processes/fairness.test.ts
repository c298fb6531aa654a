import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database, Db } from '../../../src/platform/db/connection.ts';
import { figure, isLong, repetitions, tally, walkTimeoutMs } from '../../support/verification.ts';
import { startServer, type Running } from '../../support/processes/process.ts';
import { newProcessStorage, type ProcessStorage } from '../../support/processes/process_storage.ts';
import { newPuncher, send, type Puncher } from '../../support/processes/punchers.ts';

/*
 * One account requests as much work as it can: large batches, lists that are slow to sort, and uploads, all at once and without a
 * pause. Meanwhile another account is served nearly as fast as before.
 */

const trackings = 100_000;
const colleagues = 150;
const rounds = repetitions(30, 200);

/** Phases with and without an attack alternate, because other programs make a machine slower for a while. */
const turns = repetitions(1, 3);

/** Below this duration, the scheduling of a busy machine matters more than the service. */
const leastQuietMs = 20;

describe('while one account attacks', { timeout: walkTimeoutMs }, () => {
  let place: ProcessStorage;
  let server: Running;
  let attacker: Puncher;
  let victim: Puncher;
  let database: Database;

  beforeAll(async () => {
    place = await newProcessStorage();
    server = await startServer({ ...place.environment, LOG_LEVEL: 'silent' });
    [attacker, victim] = [await newPuncher(server.url), await newPuncher(server.url)];
    database = await place.open();
    await fillWorkspace(database.db, attacker.workspaceId);
    for (let number = 1; number <= colleagues; number++)
      await ask(attacker, 'POST', '/users', {
        data: { type: 'user', attributes: { username: `Colleague ${number}` } },
      });
  }, 240_000);
  afterAll(async () => {
    await database?.close();
    await server?.stop();
    await place?.remove();
  }, 60_000);

  const ask = (person: Puncher, method: string, address: string, body?: object) =>
    send(server.url, method, `/workspaces/${person.workspaceId}${address}`, person.token, body);

  /** Sends the victim's usual requests. Returns how long each took, in ms. */
  async function dayOf(what: string): Promise<number[]> {
    const answers = tally(`requests of others ${what}, answered without a 5xx`);
    const durations: number[] = [];
    const day = [
      () => send(server.url, 'GET', '/users/me', victim.token),
      () => ask(victim, 'GET', '/time_trackings?items=20'),
      () => ask(victim, 'GET', '/absences?items=20'),
      () => ask(victim, 'POST', '/areas', { data: { type: 'area', attributes: { name: `Area ${Math.random()}` } } }),
    ];
    for (let round = 0; round < rounds; round++) {
      for (const request of day) {
        const startedAt = performance.now();
        const { status, body } = await request();
        durations.push(performance.now() - startedAt);
        answers.count();
        if (status >= 300) answers.fail(`${status} ${JSON.stringify(body)}`);
        await pause(5);
      }
    }
    answers.close();
    return durations;
  }

  /** Starts a batch of one absence of the victim. */
  async function startBatch(): Promise<string> {
    const { body: me } = await send(server.url, 'GET', '/users/me', victim.token);
    const { body: types } = await ask(victim, 'GET', '/absence_types?items=1');
    const attributes = {
      action: 'create',
      user_ids: [(me as { data: { id: string } }).data.id],
      absence_type_id: (types as Page).data[0]!.id,
      starts_at: '2026-07-06T00:00:00Z',
      ends_at: '2026-07-07T00:00:00Z',
    };
    const { body } = await ask(victim, 'POST', '/absences/batch_actions', {
      data: { type: 'batch_action', attributes },
    });
    return (body as { meta: { batch_id: string } }).meta.batch_id;
  }

  /** Waits until a batch is finished and returns how long that took, in ms. */
  async function batchEnds(id: string): Promise<number> {
    const startedAt = performance.now();
    for (;;) {
      const { body } = await ask(victim, 'GET', `/batch_actions/${id}`);
      if ((body as Batch).data.attributes.state === 'finished') return performance.now() - startedAt;
      if (performance.now() - startedAt > 60_000)
        throw new Error(`The batch is ${JSON.stringify(body)} after a minute.`);
      await pause(50);
    }
  }

  /** Waits until the batches of an attack are done. */
  async function calm(): Promise<void> {
    const open = database.db.selectFrom('batches').select('id').where('state', 'in', ['queued', 'running']);
    while ((await open.execute()).length > 0) await pause(100);
  }

  /** Starts an attack and returns how to end it. */
  async function startAttack(): Promise<() => Promise<unknown>> {
    const program = path.resolve(import.meta.dirname, '../../support/processes/attack.js');
    const values = [program, server.url, attacker.token, attacker.workspaceId];
    const child = spawn(process.execPath, values, { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(child, 'exit');
    await once(child.stdout, 'data');
    return () => (child.kill('SIGKILL'), ended);
  }

  it('others get no 5xx, have their batches finished, and wait less than ten times as long', async () => {
    await dayOf('at the start');
    const [quiet, attacked, batches]: [number[], number[], number[]] = [[], [], []];
    for (let turn = 0; turn < turns; turn++) {
      quiet.push(p99(await dayOf('without an attack')));
      const endAttack = await startAttack();
      const batch = batchEnds(await startBatch());
      attacked.push(p99(await dayOf('during the attack')));
      batches.push(await batch);
      await endAttack();
      await calm();
    }
    figure('p99 of others without an attack, in ms', Math.round(median(quiet)));
    figure('p99 of others during the attack, in ms', Math.round(median(attacked)));
    figure('a small batch of others during the attack, in ms', Math.round(median(batches)));
    // Other tests run beside the short form, so its durations mean little.
    if (isLong) expect(median(attacked)).toBeLessThan(10 * Math.max(leastQuietMs, median(quiet)));
  });
});

interface Page {
  readonly data: { readonly id: string }[];
}

interface Batch {
  readonly data: { readonly attributes: { readonly state: string } };
}

const quantile = (part: number, values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * part)]!;
const p99 = (values: readonly number[]): number => quantile(0.99, values);
const median = (values: readonly number[]): number => quantile(0.5, values);

/** Inserts many time trackings and notes of a workspace into the database. */
async function fillWorkspace(db: Db, workspaceId: string): Promise<void> {
  const { account_id: accountId, user_id: userId } = await db
    .selectFrom('memberships')
    .select(['account_id', 'user_id'])
    .where('workspace_id', '=', Number(workspaceId))
    .executeTakeFirstOrThrow();
  await sql`
    insert into time_trackings (account_id, workspace_id, user_id, starts_at, ends_at, actual_starts_at, actual_ends_at, created_by, created_at, updated_at)
    select ${accountId}, ${workspaceId}, ${userId}, start, start + interval '8 hours', start, start + interval '8 hours', 'admin', start, start
    from (select timestamptz '2026-03-01 08:00Z' - number * interval '5 minutes' as start from generate_series(1, ${trackings}::integer) number) made`.execute(
    db,
  );
  await sql`
    insert into notes (account_id, time_tracking_id, content, type, created_at, updated_at)
    select account_id, id, 'A note.', kind, created_at, created_at
    from time_trackings, unnest(array['SystemNote', 'UserNote']) kind where account_id = ${accountId}`.execute(db);
  await sql`vacuum (analyze)`.execute(db);
}
