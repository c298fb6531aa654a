import { text } from 'node:stream/consumers';
import { runCommand } from './cli/run.ts';
import { readConfig } from './config.ts';
import { failed } from './process/process.ts';

/** The commands for operators. `npm run cli -- --help` explains them. */
const terminal = {
  print: (line: string) => void process.stdout.write(`${line}\n`),
  tell: (line: string) => void process.stderr.write(`${line}\n`),
  read: () => text(process.stdin),
};

runCommand(process.argv.slice(2), { config: readConfig(), terminal, now: new Date() }).then(
  (code) => void (process.exitCode = code),
  failed,
);
