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

/** The bounds of the last 31 days. */
const dayBefore = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const month = [`gte:${dayBefore(32)}`, `lte:${dayBefore(2)}`];

/** How many time trackings and areas the demo organisation has, as plain requests count them. */
export async function counted(): Promise<{ month: number; areas: number }> {
  const headers = { 'Api-Key': 'demo-api-key', 'Content-Type': 'application/json' };
  const attributes = { email: 'admin@example.com', password: 'demo-password' };
  const body = JSON.stringify({ data: { type: 'user', attributes } });
  const signedIn = await (await fetch(`${serverUrl()}/api/v3/sign_in`, { method: 'POST', headers, body })).json();
  const { access_token } = (signedIn as { data: { attributes: { access_token: string } } }).data.attributes;
  const count = async (list: string): Promise<number> => {
    const Authorization = `Bearer ${access_token}`;
    const response = await fetch(`${serverUrl()}/api/v3/workspaces/1/${list}`, { headers: { Authorization } });
    return ((await response.json()) as { meta: { total_count: number } }).meta.total_count;
  };
  const counts = {
    month: await count(`time_trackings?filter[starts_at]=${month[0]}&filter[starts_at]=${month[1]}`),
    areas: await count('areas'),
  };
  expect(counts.month).toBeGreaterThan(0);
  expect(counts.month).toBeLessThan(await count('time_trackings'));
  return counts;
}

/** What the program of a folder prints about the server. It gets the bounds of a month. */
export async function printed(folder: string): Promise<unknown> {
  const program = path.join(folder, 'program.ts');
  const { code, output } = await run(process.execPath, ['--import', 'tsx', program, serverUrl(), ...month], root);
  expect(code, output).toBe(0);
  return JSON.parse(output);
}
