import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { bufferedOutput } from '../../../src/programs/process/log_output.ts';
import { temporaryFolder } from '../../support/processes/process.ts';

const { folder, remove } = temporaryFolder();
afterAll(remove);
let files = 0;

function newOutput() {
  const file = path.join(folder, `${++files}.log`);
  return { output: bufferedOutput(file), written: () => readFileSync(file, 'utf8') };
}

describe('the output of the log', () => {
  it('buffers lines for a short time, in order', async () => {
    const { output, written } = newOutput();
    for (const line of ['one\n', 'two\n', 'three\n']) output.write(line);
    expect(written()).toBe('');
    await sleep(120);
    expect(written()).toBe('one\ntwo\nthree\n');
    output.write('four\n');
    await sleep(120);
    expect(written()).toBe('one\ntwo\nthree\nfour\n');
  });

  it('writes at once when 8 KiB are buffered, in whole lines', () => {
    const { output, written } = newOutput();
    const line = `${'x'.repeat(1023)}\n`;
    const lengths = Array.from({ length: 40 }, () => (output.write(line), written().length));
    expect([...new Set(lengths)]).toEqual([0, 8 * 1024, 16 * 1024, 24 * 1024, 32 * 1024, 40 * 1024]);
  });

  it('writes everything once when it is flushed', () => {
    const { output, written } = newOutput();
    output.write('last words\n');
    output.flushSync();
    output.flushSync();
    expect(written()).toBe('last words\n');
  });

  it.each([
    ['exits', 'process.exit(3)'],
    ['throws', "throw new Error('crash')"],
    ['rejects', "Promise.reject(new Error('crash'))"],
  ])('loses nothing when the process %s', async (_how, end) => {
    const script = `
      import { pino } from 'pino';
      import { bufferedOutput } from './src/programs/process/log_output.ts';
      const log = pino(bufferedOutput(1));
      for (let line = 0; line < 1000; line++) log.info({ line }, 'a line');
      ${end};`;
    const run = promisify(execFile)(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script]);
    const { stdout, code } = (await run.catch((error: unknown) => error)) as { stdout: string; code: number };
    expect(code).not.toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((text) => (JSON.parse(text) as { line: number }).line)).toEqual(
      Array.from({ length: 1000 }, (_, line) => line),
    );
  });
});
