import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

/*
 * Who may import whom. The rules keep the ground pure, the frame ignorant of nouns, and faces at the very top.
 */

const root = path.resolve(import.meta.dirname, '..');

const filesBelow = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => {
    const file = path.join(folder, name);
    return statSync(file).isDirectory() ? filesBelow(file) : file.endsWith('.ts') ? [file] : [];
  });

const files = filesBelow(path.join(root, 'src')).map((file) => path.relative(root, file));
const importsOf = (file: string): string[] =>
  [...readFileSync(path.join(root, file), 'utf8').matchAll(/from '(\.[^']+)'/g)].map((match) =>
    path.relative(root, path.resolve(root, path.dirname(file), match[1]!)),
  );

type Room =
  'top' | 'core' | 'calendar' | 'db' | 'jobs' | 'http' | 'face' | 'resource' | 'noun' | 'client' | 'generated';

/** Which room a file is in: by folder, then by name. */
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
  core: ['core'],
  // Arithmetic without a database.
  calendar: ['calendar', 'core'],
  db: ['db', 'core', 'generated'],
  jobs: ['jobs', 'db', 'core'],
  http: ['http', 'db', 'core', 'generated'],
  noun: ['noun', 'jobs', 'db', 'calendar', 'core', 'generated'],
  // A presenter is carried out by the frame's serializer.
  resource: ['resource', 'noun', 'calendar', 'core', 'generated', 'http'],
  face: ['face', 'resource', 'noun', 'http', 'db', 'jobs', 'core', 'generated'],
  // Packed by itself, for programs elsewhere.
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

  it('has faces that only app.ts imports, beside the loaders they share', () => {
    const wrong = files
      .filter((file) => file !== 'src/app.ts')
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

  it('names nothing that hides what it is', () => {
    expect(files.filter((file) => /(^|\/)(utils?|helpers?|manager|index)\b/.test(file))).toEqual([]);
  });

  it('compares ranks in the table of rights alone, beside the x-role check of the frame', () => {
    const comparison = /\.rank\s*(?:[<>]=?|[=!]==)|(?:[<>]=?|[=!]==)\s*rank\.|rankIn\([^)]*\)\s*[<>=]|\[\w+\.rank\]/;
    const wrong = files.filter(
      (file) =>
        file !== 'src/core/permissions.ts' &&
        !file.startsWith('src/http/') &&
        comparison.test(readFileSync(path.join(root, file), 'utf8')),
    );
    expect(wrong).toEqual([]);
  });

  it('makes up no time of its own in nouns', () => {
    const wrong = files.filter(
      (file) =>
        roomOf(file) === 'noun' && /new Date\(\)|Date\.now\(\)/.test(readFileSync(path.join(root, file), 'utf8')),
    );
    // Links expire by the clock, jobs run by it, and mails are named by it.
    expect(
      wrong.filter((file) => !['src/files/links.ts', 'src/auth/mails.ts', 'src/mail/mailer.ts'].includes(file)),
    ).toEqual([]);
  });
});
