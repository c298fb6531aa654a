import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { differencesIn, sharedDifferences } from '../../scripts/examples/compare.ts';
import { changedExampleFiles } from '../../scripts/examples/files.ts';
import { sendByCurl } from '../../scripts/examples/curl.ts';
import { recordExamples, type Recording } from '../../scripts/examples/record.ts';
import { messageIds, routes } from '../../scripts/examples/recorder.ts';

/*
 * Calls every operation with its curl sample on a fresh demo organisation, with the ids and tokens of that organisation. A
 * sample that gets another status than its example shows fails the run.
 */

const folder = mkdtempSync(path.join(os.tmpdir(), 'punchcard-samples-'));
let run: Recording;
beforeAll(async () => {
  run = await recordExamples(sendByCurl(folder));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the examples', () => {
  it.each([...routes.keys(), ...messageIds])('%s: are what the service really answers', (operationId) => {
    const { api, ...example } = run.examples.get(operationId)!;
    expect(differencesIn(operationId, api, example)).toEqual([]);
  });

  it.each(['v3', 'public'] as const)('%s: show errors that occur where operations share them', (api) => {
    expect(sharedDifferences(api, [...run.examples.values()], run.unavailable)).toEqual([]);
  });

  it('would be written as they are', async () => {
    expect(await changedExampleFiles(run.examples)).toEqual([]);
  });

  it('are the same in every run', () => {
    // Every random value has a placeholder, the request id too.
    const text = JSON.stringify([...run.examples]);
    for (const { answer } of run.calls) {
      const { request_id: id } = ((answer.body ?? {}) as { meta?: { request_id?: string } }).meta ?? {};
      if (id) expect(text).not.toContain(id);
    }
  });
});
