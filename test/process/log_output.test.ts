import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { gathering } from '../../src/process/log_output.ts';

function recorded() {
  const writes: string[] = [];
  return { writes, output: gathering({ write: (text: string) => writes.push(text) }) };
}

describe('the output of the log', () => {
  it('gathers lines for a moment, in order', async () => {
    const { writes, output } = recorded();
    for (const line of ['one\n', 'two\n', 'three\n']) output.write(line);
    expect(writes).toEqual([]);
    await sleep(120);
    expect(writes).toEqual(['one\ntwo\nthree\n']);
    output.write('four\n');
    await sleep(120);
    expect(writes.at(-1)).toBe('four\n');
  });

  it('does not wait once there is much', () => {
    const { writes, output } = recorded();
    const line = `${'x'.repeat(1023)}\n`;
    for (let count = 0; count < 40; count++) output.write(line);
    expect(writes.map(({ length }) => length)).toEqual([16 * 1024, 16 * 1024]);
  });

  it('lets everything out when it is told to, once', () => {
    const { writes, output } = recorded();
    output.write('last words\n');
    output.flushSync();
    output.flushSync();
    expect(writes).toEqual(['last words\n']);
  });
});
