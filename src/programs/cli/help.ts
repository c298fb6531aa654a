import type { Command } from './command.ts';

const program = 'npm run cli --';

/** All commands, on one screen. */
export function overview(commands: readonly Command[]): string {
  const names = commands.map(({ words, argument }) => (argument ? `${words} ${argument}` : words));
  const width = Math.max(...names.map((name) => name.length));
  return [
    'Commands for operators of Punchcard.',
    '',
    `Usage: ${program} COMMAND [OPTIONS]        (the -- in the middle passes the options on)`,
    '',
    ...commands.map(({ summary }, index) => `  ${names[index]!.padEnd(width)}  ${summary}`),
    '',
    `"${program} COMMAND --help" explains one command.`,
    '',
    'The commands work on the database that "npm start" uses: the PostgreSQL server in DATABASE_URL, or else the embedded database in',
    'DATA_DIR (./data). Only one process can use the embedded database: stop the server first, and start it again afterwards.',
    'Secrets are printed once, alone on standard output, and cannot be shown again. Revoke a lost one and create another.',
  ].join('\n');
}

export const usageOf = ({ words, usage }: Command): string => `${program} ${words}${usage ? ` ${usage}` : ''}`;

/** The help of one command. */
export const explain = (command: Command): string =>
  [
    command.summary,
    '',
    `Usage: ${usageOf(command)}`,
    ...(command.details ? ['', ...wrapped(command.details)] : []),
  ].join('\n');

function wrapped(text: string): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    if (lines.at(-1)!.length + word.length > 110) lines.push(word);
    else lines[lines.length - 1] = `${lines.at(-1)} ${word}`.trimStart();
  }
  return lines;
}
