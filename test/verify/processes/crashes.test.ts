import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, describe, it } from 'vitest';
import { schemaOf } from '../../../src/platform/db/adoption/schema.ts';
import { figure, progress, seed, tally, repetitions } from '../../support/verification.ts';
import { newProcessStorage, type ProcessStorage } from '../../support/processes/process_storage.ts';
import { punchMistakes, newCrew, newPuncher, send, type Puncher } from '../../support/processes/punchers.ts';
import { runProgram, startServer } from '../../support/processes/process.ts';
import { randomFrom } from '../../support/processes/seeded_random.ts';
import { service } from '../../support/service.ts';
import { freshBuild } from '../../support/processes/fresh_build.ts';

/*
 * The test kills the server without warning, again and again on the same data. After each start it checks what the previous kill
 * left behind.
 */

const random = randomFrom(seed);
const places: ProcessStorage[] = [];
afterEach(async () => {
  for (const place of places.splice(0)) await place.remove();
});

async function place(): Promise<ProcessStorage> {
  await freshBuild();
  const made = await newProcessStorage();
  places.push(made);
  return made;
}

const people = 6;

describe('kill -9', () => {
  it('during punches loses and repeats nothing', async () => {
    const { environment } = await place();
    const kills = tally('kills during punches');
    const moments = repetitions(1, 50);
    const punchers: Puncher[] = [];
    for (let moment = 0; moment <= moments; moment++) {
      const server = await startServer(environment);
      if (moment === 0) {
        for (let count = 0; count < people; count++) punchers.push(await newPuncher(server.url));
        punchers.push(...(await newCrew(server.url, people)));
      }
      const before = punchers.map(({ acknowledged }) => acknowledged.length);
      // A punch without a response is sent again first. Then exactly the acknowledged punches must be stored.
      await Promise.all(
        punchers.map((puncher, index) => puncher.punch(server.url, () => puncher.acknowledged.length > before[index]!)),
      );
      for (const [index, puncher] of punchers.entries())
        for (const mistake of await punchMistakes(puncher, server.url, Math.max(0, before[index]! - 100)))
          kills.fail(`moment ${moment}: ${mistake}`);
      if (moment === moments) {
        await server.stop();
        break;
      }
      const punching = Promise.all(punchers.map((puncher) => puncher.punch(server.url, () => false)));
      await pause(100 + random() * 2400);
      await server.stop('SIGKILL');
      await punching;
      kills.count();
      if (moment % 10 === 9) progress(`${moment + 1} of ${moments} kills during punches`);
    }
    figure(
      'punches acknowledged in between',
      punchers.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0),
    );
    kills.close();
  });

  it('during batches loses and repeats nothing, and the batches are completed', async () => {
    const { environment, open } = await place();
    const kills = tally('kills during batches of 10,000');
    const [moments, size] = [repetitions(1, 50), repetitions(400, 10_000)];
    const first = await startServer(environment);
    const { token, workspaceId } = await newPuncher(first.url);
    await first.stop();
    const ids = await trackingsIn(open, Number(workspaceId), size);
    const started: { key: string; note: string; id?: string }[] = [];

    for (let moment = 0; moment < moments; moment++) {
      const server = await startServer(environment);
      started.push({ key: randomUUID(), note: `batch ${moment}` });
      // The previous request is sent again if it got no response.
      const starting = (async () => {
        for (const batch of started.filter(({ id }) => id === undefined)) await startBatch(server.url, batch);
      })().catch(() => {});
      await pause(random() * repetitions(500, 2500));
      await server.stop('SIGKILL');
      await starting;
      kills.count();
      if (moment % 10 === 9) progress(`${moment + 1} of ${moments} kills during batches`);
    }

    const server = await startServer(environment);
    for (const batch of started) await startBatch(server.url, batch);
    const deadline = Date.now() + repetitions(120_000, 1_800_000);
    for (const { id } of started) {
      for (;;) {
        const { body } = await send(server.url, 'GET', `/workspaces/${workspaceId}/batch_actions/${id}`, token);
        const { state, done, failed } = (
          body as { data: { attributes: { state: string; done: number; failed: number } } }
        ).data.attributes;
        if (state === 'finished' && (done !== size || failed !== 0))
          kills.fail(`batch ${id}: ${done} done and ${failed} failed of ${size}`);
        if (state === 'finished') break;
        if (Date.now() > deadline) {
          kills.fail(`batch ${id} is still ${state}, with ${done} of ${size} done`);
          break;
        }
        await pause(200);
      }
    }
    await server.stop();
    const database = await open();
    const { rows } = await sql<{ content: string; notes: number; trackings: number }>`
      select content, count(*) as notes, count(distinct time_tracking_id) as trackings from notes where content like 'batch %' group by content`.execute(
      database.db,
    );
    await database.close();
    for (const { content, notes, trackings } of rows)
      if (notes !== size || trackings !== size)
        kills.fail(`${content}: ${notes} notes on ${trackings} of ${size} trackings`);
    if (rows.length !== started.length) kills.fail(`${rows.length} of ${started.length} batches have left something`);
    figure(
      'notes written by the batches, each once',
      rows.reduce((sum, { notes }) => sum + notes, 0),
    );
    kills.close();

    async function startBatch(url: string, batch: { key: string; note: string; id?: string }): Promise<void> {
      const attributes = { action: 'note', ids, note: { content: batch.note } };
      const body = { data: { type: 'batch_action', attributes } };
      const answer = await send(
        url,
        'POST',
        `/workspaces/${workspaceId}/time_trackings/batch_actions`,
        token,
        body,
        batch.key,
      );
      if (answer.status !== 200) kills.fail(`${batch.note}: ${answer.status} ${JSON.stringify(answer.body)}`);
      batch.id = (answer.body as { meta: { batch_id: string } }).meta.batch_id;
    }
  });

  it('during a migration leaves nothing half done, and the next one completes it', async () => {
    const kills = tally('kills during migrations');
    const moments = repetitions(1, 50);
    const wanted = JSON.stringify(await schemaOf((await service()).database.db));
    const migrate = async ({ environment }: ProcessStorage): Promise<number> => {
      const began = Date.now();
      const { code, output } = await runProgram('cli', ['migrate'], environment);
      if (code !== 0) kills.fail(`the migration ended with ${code}: ${output}`);
      return Date.now() - began;
    };
    // The first time, an embedded database is created before it is migrated.
    const durations = { first: await migrate(await place()), later: 0 };
    let current = await place();
    await (await current.open()).close();
    durations.later = await migrate(current);
    current = await place();
    let turn: keyof typeof durations = 'first';
    for (let moment = 0; moment < moments;) {
      const isCut = await runAndKill(current, durations[turn] * (0.3 + 0.7 * random()));
      // The command ran faster than when it was timed.
      if (!isCut) durations[turn] *= 0.9;
      turn = 'later';
      if (isCut) {
        kills.count();
        moment++;
        if (moment % 10 === 0) progress(`${moment} of ${moments} kills during migrations`);
      }
      if (isCut && moment % 5 !== 0 && moment < moments) continue;
      await migrate(current);
      const database = await current.open();
      const schema = JSON.stringify(await schemaOf(database.db));
      await database.close();
      if (schema !== wanted)
        kills.fail(`after kill ${moment}, the schema differs from that of an undisturbed migration`);
      current = await place();
      turn = 'first';
    }
    kills.close();
  });
});

/** Runs the command and kills it after some time. Returns whether it was killed before it finished. */
async function runAndKill({ environment }: ProcessStorage, milliseconds: number): Promise<boolean> {
  const child = spawn(process.execPath, ['dist/cli.js', 'migrate'], {
    cwd: path.resolve(import.meta.dirname, '../../..'),
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), milliseconds);
  const [, signal] = (await ended) as [number | null, NodeJS.Signals | null];
  clearTimeout(timer);
  return signal === 'SIGKILL';
}

/** Inserts many finished trackings of the only member of a workspace. */
async function trackingsIn(open: ProcessStorage['open'], workspaceId: number, count: number): Promise<number[]> {
  const database = await open();
  const { rows } = await sql<{ id: number }>`
    insert into time_trackings (account_id, workspace_id, user_id, starts_at, actual_starts_at, ends_at, created_by, created_at, updated_at)
    select account_id, workspace_id, user_id, now() - number * interval '40 minutes', now() - number * interval '40 minutes',
      now() - number * interval '40 minutes' + interval '30 minutes', 'admin', now(), now()
    from memberships, generate_series(1, ${count}::integer) as number
    where workspace_id = ${workspaceId}
    returning id`.execute(database.db);
  await database.close();
  return rows.map(({ id }) => id);
}
