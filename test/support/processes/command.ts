import { runCommand } from '../../../src/programs/cli/run.ts';
import { readConfig } from '../../../src/platform/config.ts';
import { service } from '../service.ts';

interface Options {
  /** What the operator types. */
  readonly input?: string;
  readonly environment?: Record<string, string>;
}

/** Runs a command on the tests' database. Returns its exit code, its output, its messages, and the progress that it showed. */
export async function command(line: readonly string[], { input = '', environment = {} }: Options = {}) {
  const printed: string[] = [];
  const told: string[] = [];
  const shares: number[] = [];
  const terminal = {
    print: (text: string) => void printed.push(text),
    tell: (text: string) => void told.push(text),
    read: async () => input,
    showProgress: (share: number) => void shares.push(share),
  };
  const open = async () => ({ ...(await service()).database, close: async () => {} });
  const code = await runCommand(line, { config: readConfig(environment), terminal, now: new Date(), open });
  return { code, printed, told: told.join('\n'), shares };
}
