import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { runProgram, temporaryFolder } from '../../support/processes/process.ts';

describe('a start that must fail', { timeout: 120_000 }, () => {
  const { folder, remove } = temporaryFolder();
  afterAll(remove);

  it.each(['main', 'worker', 'cli'])(
    'of %s names a wrong setting, its value and what is allowed, without a trace',
    async (program) => {
      const { code, output } = await runProgram(program, [], { DATA_DIR: folder, PORT: 'http' });
      expect(code).toBe(1);
      expect(output).toContain(
        'Punchcard cannot continue. PORT must be a whole number from 0 to 65535, but was "http".',
      );
      expect(output).not.toMatch(/^\s+at /m);
    },
  );

  it('notices a taken port before it does anything', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, output } = await runProgram('main', [], { DATA_DIR: folder, PORT: String(port) });
    expect(code).toBe(1);
    expect(output).toContain(`Another program already listens on 127.0.0.1:${port}.`);
    expect(output).not.toContain('Opening');
    expect(readdirSync(folder)).toEqual([]);
  });
});
