import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

/*
 * The rules of imports: core and arithmetic import no database, http knows no resource, and only operations.ts imports handlers.
 */

const root = path.resolve(import.meta.dirname, '..');

const filesBelow = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => {
    // Packages that tests install, and what they make with them.
    if (name === 'node_modules' || name === 'dist') return [];
    const file = path.join(folder, name);
    return statSync(file).isDirectory() ? filesBelow(file) : file.endsWith('.ts') ? [file] : [];
  });

const filesIn = (folder: string): string[] =>
  filesBelow(path.join(root, folder)).map((file) => path.relative(root, file));
const files = filesIn('src');
const importsOf = (file: string): string[] =>
  [...readFileSync(path.join(root, file), 'utf8').matchAll(/from '(\.[^']+)'/g)].map((match) =>
    path.relative(root, path.resolve(root, path.dirname(file), match[1]!)),
  );

type Room =
  'top' | 'core' | 'calendar' | 'db' | 'jobs' | 'http' | 'face' | 'resource' | 'noun' | 'client' | 'generated';

/** The layer of a file: by folder, then by name. */
function roomOf(file: string): Room {
  if (file.startsWith('generated/')) return 'generated';
  const [, folder, name] = file.split('/');
  if (name === undefined || ['cli', 'demo', 'docs', 'process'].includes(folder!)) return 'top';
  if (['core', 'calendar', 'db', 'jobs', 'http', 'client'].includes(folder!)) return folder as Room;
  if (/^(v3|public|.*includes|serve)\.ts$/.test(name)) return 'face';
  return /resource\.ts$/.test(name) ? 'resource' : 'noun';
}

const allowed: Record<Room, readonly Room[]> = {
  top: ['top', 'core', 'calendar', 'db', 'jobs', 'http', 'face', 'resource', 'noun', 'generated'],
  // The codes of errors are types of the contract.
  core: ['core', 'generated'],
  // Arithmetic, without a database.
  calendar: ['calendar', 'core'],
  db: ['db', 'core', 'generated'],
  jobs: ['jobs', 'db', 'core'],
  http: ['http', 'db', 'core', 'generated'],
  noun: ['noun', 'jobs', 'db', 'calendar', 'core', 'generated'],
  // Presenters use the serializer of http.
  resource: ['resource', 'noun', 'calendar', 'core', 'generated', 'http'],
  face: ['face', 'resource', 'noun', 'http', 'db', 'jobs', 'core', 'generated'],
  // The client is a package for other programs.
  client: ['client', 'generated'],
  generated: [],
};

describe('the house', () => {
  it('imports only downwards', () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => !allowed[roomOf(file)].includes(roomOf(target)) && target !== 'src/config.ts')
        .map((target) => `${file} → ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('has handlers that only operations.ts imports', () => {
    const wrong = files
      .filter((file) => file !== 'src/operations.ts')
      .flatMap((file) =>
        importsOf(file)
          .filter(
            (target) =>
              /\/(v3|public)\.ts$/.test(target) && !target.startsWith('src/http/') && !target.startsWith('generated/'),
          )
          .map((target) => `${file} → ${target}`),
      );
    expect(wrong).toEqual([]);
  });

  it('uses the validator through its public entrance, in one file', () => {
    const using = (text: RegExp) => files.filter((file) => text.test(readFileSync(path.join(root, file), 'utf8')));
    expect(using(/from 'express-openapi-validator'/)).toEqual(['src/http/validator/validator.ts']);
    expect(using(/express-openapi-validator\/dist|\breq\.openapi\b/)).toEqual([]);
  });

  it('has workers that load nothing that serves requests', () => {
    const loaded = new Set<string>();
    const packages = new Set<string>();
    const load = (file: string): void => {
      if (loaded.has(file)) return;
      loaded.add(file);
      const source = readFileSync(path.join(root, file), 'utf8');
      for (const [, name] of source.matchAll(/from '([^'.][^']*)'/g)) packages.add(name!);
      const onlyTypes = [...source.matchAll(/^import type [^;]*? from '(\.[^']+)'/gm)].map((match) =>
        path.relative(root, path.resolve(root, path.dirname(file), match[1]!)),
      );
      for (const target of importsOf(file)) if (!onlyTypes.includes(target)) load(target);
    };
    load('src/worker.ts');
    expect([...packages]).toContain('pg-boss');
    expect([...packages].filter((name) => /^(express|helmet|cors)/.test(name))).toEqual([]);
    // The messages of webhooks contain records as v3 shows them.
    const presenting = ['src/http/answers/jsonapi.ts', 'src/http/answers/etag.ts'];
    const serving = [...loaded].filter((file) => file.startsWith('src/http/') || file === 'src/app.ts');
    expect(serving.filter((file) => !presenting.includes(file))).toEqual([]);
  });

  it('has no circles', () => {
    const state = new Map<string, 'open' | 'done'>();
    const circles: string[] = [];
    const visit = (file: string, trail: readonly string[]): void => {
      if (state.get(file) === 'done') return;
      if (state.get(file) === 'open') {
        circles.push([...trail.slice(trail.indexOf(file)), file].join(' → '));
        return;
      }
      state.set(file, 'open');
      for (const target of importsOf(file).filter((name) => name.startsWith('src/'))) visit(target, [...trail, file]);
      state.set(file, 'done');
    };
    for (const file of files) visit(file, []);
    expect(circles).toEqual([]);
  });

  it('has short files', () => {
    const long = files
      .map((file) => [file, readFileSync(path.join(root, file), 'utf8').split('\n').length] as const)
      .filter(([file, lines]) => lines > 300 && !file.includes('/migrations/'));
    expect(long).toEqual([]);
  });

  it('has no file with a vague name', () => {
    expect(files.filter((file) => /(^|\/)(utils?|helpers?|manager|index)\b/.test(file))).toEqual([]);
  });

  it('compares ranks in the table of rights alone, beside the x-role check of the frame', () => {
    const comparison = /\.rank\s*(?:[<>]=?|[=!]==)|(?:[<>]=?|[=!]==)\s*rank\.|rankIn\([^)]*\)\s*[<>=]|\[\w+\.rank\]/;
    const wrong = files.filter(
      (file) =>
        !['src/core/permissions.ts', 'src/core/ranks.ts'].includes(file) &&
        !file.startsWith('src/http/') &&
        comparison.test(readFileSync(path.join(root, file), 'utf8')),
    );
    expect(wrong).toEqual([]);
  });

  it('reads the current time in no verb', () => {
    const wrong = files.filter(
      (file) =>
        roomOf(file) === 'noun' && /new Date\(\)|Date\.now\(\)/.test(readFileSync(path.join(root, file), 'utf8')),
    );
    // Links expire, jobs run and mails are named by the clock.
    expect(
      wrong.filter((file) => !['src/files/links.ts', 'src/auth/mails.ts', 'src/mail/mailer.ts'].includes(file)),
    ).toEqual([]);
  });

  it('has no circles of folders', () => {
    // Handlers, loaders and presenters may use any resource. Only verbs decide about the order of folders.
    const isOrdered = (file: string) =>
      !['face', 'resource', 'top'].includes(roomOf(file)) && file.split('/').length > 2;
    const folderOf = (file: string) => file.split('/')[1]!;
    const folders = new Map<string, Set<string>>();
    for (const file of files.filter(isOrdered)) {
      const targets = importsOf(file).filter((target) => target.startsWith('src/') && isOrdered(target));
      const known = folders.get(folderOf(file)) ?? new Set();
      folders.set(folderOf(file), new Set([...known, ...targets.map(folderOf)]));
    }
    const reachable = (from: string, seen = new Set<string>()): Set<string> => {
      for (const next of folders.get(from) ?? []) if (next !== from && !seen.has(next)) reachable(next, seen.add(next));
      return seen;
    };
    expect([...folders.keys()].filter((folder) => reachable(folder).has(folder))).toEqual([]);
  });

  it('has at most 20 files in a folder', () => {
    const counts = new Map<string, number>();
    for (const file of [...files, ...filesIn('test'), ...filesIn('scripts')])
      counts.set(path.dirname(file), (counts.get(path.dirname(file)) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > 20)).toEqual([]);
  });
});
