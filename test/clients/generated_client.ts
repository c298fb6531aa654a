import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { run } from './run.ts';
import { serverUrl } from './server.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** An empty folder with contracts as the server publishes them. */
export async function fetchContracts(workshop: string, names: readonly string[]): Promise<void> {
  rmSync(workshop, { recursive: true, force: true });
  mkdirSync(workshop, { recursive: true });
  for (const name of names)
    writeFileSync(
      path.join(workshop, `${name}.json`),
      await (await fetch(`${serverUrl()}/openapi/${name}.json`)).text(),
    );
}

/** Compiles a folder under `strict`, with the compiler of a package. */
export async function compiles(folder: string, packageFolder: string, skipLibCheck = false): Promise<void> {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck,
    target: 'ES2022',
    module: 'ESNext',
    moduleResolution: 'bundler',
    lib: ['ES2022', 'DOM', 'DOM.Iterable'],
    types: ['node'],
  };
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }));
  const compiler = path.join(packageFolder, 'node_modules/typescript/bin/tsc');
  expect(await run(process.execPath, [compiler, '-p', folder], root)).toEqual({ code: 0, output: '' });
}

/** Puts a program beside the clients that it uses. */
export const addProgram = (folder: string, program: string): void => cpSync(program, path.join(folder, 'program.ts'));

/** What the program of a folder prints about the server. */
export async function printed(folder: string): Promise<unknown> {
  const program = path.join(folder, 'program.ts');
  const { code, output } = await run(process.execPath, ['--import', 'tsx', program, serverUrl()], root);
  expect(code, output).toBe(0);
  return JSON.parse(output);
}
