import { text } from 'node:stream/consumers';
import { runCommand } from './cli/run.ts';
import { failed, readSettings } from './process/process.ts';

const barWidth = 40;

/** The commands for operators. `npm run cli -- --help` explains them. */
const terminal = {
  print: (line: string) => void process.stdout.write(`${line}\n`),
  tell: (line: string) => void process.stderr.write(`${line}\n`),
  read: () => text(process.stdin),
  ...(process.stderr.isTTY && { showProgress: drawProgress }),
};

runCommand(process.argv.slice(2), { config: readSettings(), terminal, now: new Date() }).then(
  (code) => void (process.exitCode = code),
  failed,
);

/** A bar that stays in its line, and ends it when everything is done. */
function drawProgress(share: number): void {
  const done = Math.round(share * barWidth);
  const bar = '█'.repeat(done) + '░'.repeat(barWidth - done);
  process.stderr.write(`\r${bar} ${String(Math.floor(share * 100)).padStart(3)} %${share >= 1 ? '\n' : ''}`);
}
