import type { ParseArgsConfig } from 'node:util';
import type { Config } from '../../platform/config.ts';
import type { Database } from '../../platform/db/connection.ts';

/** The input and output of a command. */
export interface Terminal {
  /** Writes a line of the result to standard output. A secret is alone there, so that a script can read it. */
  print(line: string): void;
  /** Writes a message for a person to standard error. */
  tell(line: string): void;
  /** Reads all of standard input. */
  read(): Promise<string>;
  /** Draws how much of a long command is done, from 0 to 1. Missing where nobody watches. */
  showProgress?(share: number): void;
}

export interface Tools extends Terminal {
  readonly config: Config;
  readonly database: Database;
  readonly now: Date;
}

/** The options and the argument that follow the command's name. */
export interface Given {
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  /** Empty for a command without an argument. */
  readonly argument: string;
}

export interface Command {
  /** The name of the command: `api-key create`. */
  readonly words: string;
  /** The argument, if it takes one: `ID`. */
  readonly argument?: string;
  readonly options?: NonNullable<ParseArgsConfig['options']>;
  /** The options and the argument as the help shows them. */
  readonly usage: string;
  /** One line for the overview. */
  readonly summary: string;
  /** The rest of the help. */
  readonly details?: string;
  /** Set for commands that migrate the schema themselves. */
  readonly migrates?: true;
  run(given: Given, tools: Tools): Promise<void>;
}

/** The error for a command line that cannot be parsed. */
export const usageError = (message: string): Error => Object.assign(new Error(message), { name: 'UsageError' });

/** The value of a required option. */
export function required(given: Given, name: string): string {
  const value = given.options[name];
  if (typeof value !== 'string' || value.trim() === '') throw usageError(`--${name} is required.`);
  if (value.length > 255) throw usageError(`--${name} must have at most 255 characters.`);
  return value.trim();
}

/** Lines of a table, with each column as wide as its widest cell. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = headings.map((heading, column) => Math.max(heading.length, ...rows.map((row) => row[column]!.length)));
  return [headings, ...rows].map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
}
