import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Config } from '../../platform/config.ts';
import { AppError } from '../../platform/core/errors.ts';
import { openDatabase, databaseTargetOf, type Database } from '../../platform/db/connection.ts';
import { pendingMigrations, requireServerVersion } from '../../platform/db/migrate.ts';
import { adviceOn } from '../process/failures.ts';
import { apiKeyCommands } from './api_keys.ts';
import { apiTokenCommands } from './api_tokens.ts';
import { usageError, type Command, type Given, type Terminal } from './command.ts';
import { databaseCommands } from './database.ts';
import { demoCommands } from './demo.ts';
import { exportCommands } from './exports.ts';
import { fileCommands } from './files.ts';
import { explain, overview, usageOf } from './help.ts';
import { userCommands } from './users.ts';

const commands: readonly Command[] = [
  ...apiKeyCommands,
  ...apiTokenCommands,
  ...userCommands,
  ...databaseCommands,
  ...exportCommands,
  ...fileCommands,
  ...demoCommands,
];

export interface CommandContext {
  readonly config: Config;
  readonly terminal: Terminal;
  readonly now: Date;
  /** Tests pass a database of their own. */
  readonly open?: () => Promise<Database>;
}

/** Runs one command and returns the exit code: 0 done, 1 failed, 2 usage error. */
export async function runCommand(
  line: readonly string[],
  { config, terminal, now, open }: CommandContext,
): Promise<number> {
  const wantsHelp = line.length === 0 || line[0] === 'help' || line.includes('--help') || line.includes('-h');
  const command = commands.find(({ words }) => line.slice(0, words.split(' ').length).join(' ') === words);
  if (wantsHelp) {
    terminal.print(command ? explain(command) : overview(commands));
    return 0;
  }
  if (!command) {
    terminal.tell(`There is no command "${line.join(' ')}".\n\n${overview(commands)}`);
    return 2;
  }
  try {
    const given = parse(command, line.slice(command.words.split(' ').length));
    const database = await (open ?? (() => openExisting(config, command)))();
    try {
      if (!command.migrates) await requireSchema(database);
      await command.run(given, { ...terminal, config, database, now });
      return 0;
    } finally {
      await database.close();
    }
  } catch (error) {
    const isUsage = error instanceof Error && error.name === 'UsageError';
    terminal.tell(
      isUsage ? `${error.message}\n\nUsage: ${usageOf(command)}` : `${adviceOn(error)}${hintFor(command, error)}`,
    );
    return isUsage ? 2 : 1;
  }
}

function parse(command: Command, rest: readonly string[]): Given {
  let parsed;
  try {
    parsed = parseArgs({ args: [...rest], options: command.options ?? {}, allowPositionals: true });
  } catch (error) {
    throw usageError((error as Error).message);
  }
  const [argument, ...tooMany] = parsed.positionals;
  if (command.argument && argument === undefined) throw usageError(`${command.argument} is missing.`);
  const unexpected = command.argument ? tooMany : parsed.positionals;
  if (unexpected.length > 0)
    throw usageError(`"${unexpected.join(' ')}" is unexpected. Put names of several words in quotes.`);
  return { options: parsed.values as Given['options'], argument: argument ?? '' };
}

const hintFor = ({ words, argument }: Command, error: unknown): string =>
  argument && error instanceof AppError && error.status === 404
    ? ` List the valid ones with: npm run cli -- ${words.split(' ')[0]} list`
    : '';

/** Opens the database, which must exist: a wrong DATA_DIR must not create an empty one. */
async function openExisting(config: Config, command: Command): Promise<Database> {
  // A pooler might end a long command.
  const target = databaseTargetOf({ ...config, databaseUrl: config.directDatabaseUrl });
  if ('folder' in target && !command.migrates && !existsSync(path.join(target.folder, 'PG_VERSION'))) {
    throw new Error(
      `There is no database in ${target.folder}. Run "npm start" or "npm run migrate" once, or set DATA_DIR or DATABASE_URL.`,
    );
  }
  const database = await openDatabase(target);
  await requireServerVersion(database.db);
  return database;
}

async function requireSchema({ db, place }: Database): Promise<void> {
  const pending = await pendingMigrations(db);
  if (pending.length > 0)
    throw new Error(`The schema of ${place} is not up to date (${pending.join(', ')}). Run "npm run migrate" first.`);
}
