import type { ParseArgsConfig } from 'node:util';
import type { Config } from '../config.ts';
import type { Database } from '../db/connection.ts';

/** Where a command writes to and reads from. */
export interface Terminal {
  /** The result, one line, to standard output: a secret stands alone there, so that a script can take it. */
  print(line: string): void;
  /** What a person wants to know about it, to standard error. */
  tell(line: string): void;
  /** All of standard input. */
  read(): Promise<string>;
}

export interface Tools extends Terminal {
  readonly config: Config;
  readonly database: Database;
  readonly now: Date;
}

/** The options and the argument after the command's own words. */
export interface Given {
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  /** Present where the command names an argument. */
  readonly argument: string;
}

export interface Command {
  /** What is typed: `api-key create`. */
  readonly words: string;
  /** The argument, if it takes one: `ID`. */
  readonly argument?: string;
  readonly options?: NonNullable<ParseArgsConfig['options']>;
  /** How options and argument are written, as the help shows it. */
  readonly usage: string;
  /** One line for the overview. */
  readonly summary: string;
  /** What else an operator should know. */
  readonly details?: string;
  /** Set for the commands that bring the schema up to date themselves. */
  readonly migrates?: true;
  run(given: Given, tools: Tools): Promise<void>;
}

/** A command line that cannot be understood. */
export const usageError = (message: string): Error => Object.assign(new Error(message), { name: 'UsageError' });

export function required(given: Given, name: string): string {
  const value = given.options[name];
  if (typeof value !== 'string' || value.trim() === '') throw usageError(`--${name} is required.`);
  if (value.length > 255) throw usageError(`--${name} may have 255 characters at most.`);
  return value.trim();
}

/** Rows under their headings, each column as wide as its widest cell. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = headings.map((heading, column) => Math.max(heading.length, ...rows.map((row) => row[column]!.length)));
  return [headings, ...rows].map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
}
