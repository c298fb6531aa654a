import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

/** The shell blocks below a heading of a document. */
function commandsBelow(document: string, heading: string): string[] {
  const text = readFileSync(path.resolve(import.meta.dirname, '../../..', document), 'utf8');
  const section = text.split(`\n${heading}\n`)[1]?.split(/\n##+ /)[0];
  if (section === undefined) throw new Error(`${document} has no heading "${heading}".`);
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1]!);
}

/** The four commands of the guide's section about backups. */
export function backupCommands(): { dump: string; load: string; pack: string; unpack: string } {
  const [dump, load, pack, unpack, ...others] = commandsBelow('docs/operations.md', '## Backup and restore');
  if (unpack === undefined || others.length > 0)
    throw new Error('docs/operations.md is expected to have four blocks of commands about backups.');
  return { dump: dump!, load: load!, pack: pack!, unpack };
}

/** The commands with which a distributed database goes back to one server. */
export function wayBackCommands(): string {
  const [commands, ...others] = commandsBelow('docs/growing.md', '### The way back to one server');
  if (commands === undefined || others.length > 0)
    throw new Error('docs/growing.md is expected to have one block of commands about the way back.');
  return commands;
}

/** Runs shell commands in a folder; throws with their output if they fail. */
export async function shell(commands: string, folder: string, environment: Record<string, string>): Promise<void> {
  await promisify(execFile)('sh', ['-e', '-c', commands], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment },
  });
}
