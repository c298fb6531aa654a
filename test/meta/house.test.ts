import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

/*
 * The rules of imports: core and arithmetic import no database, http knows no resource, and only operations.ts imports handlers.
 */

const root = path.resolve(import.meta.dirname, '../..');

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
  'program' | 'core' | 'arithmetic' | 'db' | 'jobs' | 'http' | 'face' | 'resource' | 'verb' | 'client' | 'generated';

/** The layer of a file: by folder, then by name. */
function roomOf(file: string): Room {
  if (file.startsWith('generated/')) return 'generated';
  const [, domain, folder] = file.split('/');
  const name = path.basename(file);
  if (domain === 'client') return 'client';
  if (domain === 'platform' && ['core', 'db', 'jobs', 'http'].includes(folder!)) return folder as Room;
  if (domain === 'days' && folder === 'calendar') return 'arithmetic';
  if (/^(v3|public|.*includes|serve)\.ts$/.test(name)) return 'face';
  if (domain === 'programs') return 'program';
  return /resource\.ts$/.test(name) ? 'resource' : 'verb';
}

const allowed: Record<Room, readonly Room[]> = {
  program: ['program', 'core', 'arithmetic', 'db', 'jobs', 'http', 'face', 'resource', 'verb', 'generated'],
  // The codes of errors are types of the contract.
  core: ['core', 'generated'],
  // Without a database.
  arithmetic: ['arithmetic', 'core'],
  db: ['db', 'core', 'generated'],
  jobs: ['jobs', 'db', 'core'],
  http: ['http', 'db', 'core', 'generated'],
  verb: ['verb', 'jobs', 'db', 'arithmetic', 'core', 'generated'],
  // Presenters use the serializer of http.
  resource: ['resource', 'verb', 'arithmetic', 'core', 'generated', 'http'],
  face: ['face', 'resource', 'verb', 'http', 'db', 'jobs', 'core', 'generated'],
  // The client is a package for other programs.
  client: ['client', 'generated'],
  generated: [],
};

/** The domains whose verbs a domain may use, beside its own and the platform. ARCHITECTURE.md draws them. */
const domainsBelow: Record<string, readonly string[]> = {
  platform: [],
  days: [],
  organisation: ['days'],
  access: ['organisation'],
  working_time: ['organisation', 'days'],
  absence: ['organisation', 'days'],
  planning: ['working_time', 'organisation', 'days'],
  time_account: ['planning', 'absence', 'working_time', 'organisation', 'days'],
  payroll: ['time_account', 'absence', 'working_time', 'organisation', 'days'],
  lifecycle: ['absence', 'working_time', 'access', 'organisation', 'days'],
  integration: ['payroll', 'planning', 'access', 'organisation', 'days'],
};

/** Operations that the reference shows with those of another domain. */
const shownElsewhere = {
  v3: ['User lists in working_time/suggested_followers.yaml', 'Tags in working_time/taggings.yaml'],
  public: [],
};

const domainOf = (file: string): string => file.split('/')[1]!;

describe('the house', () => {
  it('imports only downwards', () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => !allowed[roomOf(file)].includes(roomOf(target)) && target !== 'src/platform/config.ts')
        .map((target) => `${file} → ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('has handlers that only operations.ts imports', () => {
    const wrong = files
      .filter((file) => file !== 'src/programs/operations.ts')
      .flatMap((file) =>
        importsOf(file)
          .filter(
            (target) =>
              /\/(v3|public)\.ts$/.test(target) &&
              !target.startsWith('src/platform/http/') &&
              !target.startsWith('generated/'),
          )
          .map((target) => `${file} → ${target}`),
      );
    expect(wrong).toEqual([]);
  });

  it('uses the validator through its public entrance, in one file', () => {
    const using = (text: RegExp) => files.filter((file) => text.test(readFileSync(path.join(root, file), 'utf8')));
    expect(using(/from 'express-openapi-validator'/)).toEqual(['src/platform/http/validator/validator.ts']);
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
    load('src/programs/worker.ts');
    expect([...packages]).toContain('pg-boss');
    expect([...packages].filter((name) => /^(express|helmet|cors)/.test(name))).toEqual([]);
    // The messages of webhooks contain records as v3 shows them.
    const presenting = ['src/platform/http/answers/jsonapi.ts', 'src/platform/http/answers/etag.ts'];
    const serving = [...loaded].filter(
      (file) => file.startsWith('src/platform/http/') || file === 'src/programs/app.ts',
    );
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

  it('compares ranks in the table of rights and its SQL twin alone, beside the x-role check of the frame', () => {
    const comparison =
      /\.rank\s*(?:[<>]=?|[=!]==)|(?:[<>]=?|[=!]==)'?,?\s*rank\.|rankIn\([^)]*\)\s*[<>=]|\[\w+\.rank\]|is(?:Account|Workspace|Area)Admin\(|[<>]=? \$\{(?:sql\.lit\()?(?:actor\.)?rank\b/;
    const wrong = files.filter(
      (file) =>
        !['core/permissions.ts', 'core/ranks.ts', 'db/visibility.ts'].includes(file.replace('src/platform/', '')) &&
        !file.startsWith('src/platform/http/') &&
        comparison.test(readFileSync(path.join(root, file), 'utf8')),
    );
    expect(wrong).toEqual([]);
  });

  it('reads the current time in no verb', () => {
    const wrong = files.filter(
      (file) =>
        roomOf(file) === 'verb' && /new Date\(\)|Date\.now\(\)/.test(readFileSync(path.join(root, file), 'utf8')),
    );
    // Links expire, jobs run and mails are named by the clock.
    expect(
      wrong.filter(
        (file) =>
          !['src/platform/files/links.ts', 'src/access/auth/mails.ts', 'src/platform/notifications/mailer.ts'].includes(
            file,
          ),
      ),
    ).toEqual([]);
  });

  // Handlers, loaders and presenters may use any resource. Only verbs decide about the order of domains and folders.
  const isOrdered = (file: string): boolean =>
    domainOf(file) in domainsBelow && !['face', 'resource'].includes(roomOf(file));
  const orderedImports = files
    .filter(isOrdered)
    .map((file) => [file, importsOf(file).filter((target) => target.startsWith('src/') && isOrdered(target))] as const);

  it('has domains that use those below them', () => {
    const wrong = orderedImports.flatMap(([file, targets]) =>
      targets
        .filter((target) => ![domainOf(file), 'platform', ...domainsBelow[domainOf(file)]!].includes(domainOf(target)))
        .map((target) => `${file} → ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('allows no domain more than it uses', () => {
    const used = new Set(
      orderedImports.flatMap(([file, targets]) => targets.map((target) => `${domainOf(file)} → ${domainOf(target)}`)),
    );
    const unused = Object.entries(domainsBelow).flatMap(([domain, below]) =>
      below.map((other) => `${domain} → ${other}`).filter((arrow) => !used.has(arrow)),
    );
    expect(unused).toEqual([]);
  });

  it('has no circles of folders', () => {
    const folderOf = (file: string) => file.split('/').slice(1, 3).join('/');
    const folders = new Map<string, Set<string>>();
    for (const [file, targets] of orderedImports) {
      const known = folders.get(folderOf(file)) ?? new Set();
      folders.set(folderOf(file), new Set([...known, ...targets.map(folderOf)]));
    }
    const reachable = (from: string, seen = new Set<string>()): Set<string> => {
      for (const next of folders.get(from) ?? []) if (next !== from && !seen.has(next)) reachable(next, seen.add(next));
      return seen;
    };
    expect([...folders.keys()].filter((folder) => reachable(folder).has(folder))).toEqual([]);
  });

  it('has the domains of src, in their order, as the groups of the reference, each with the tags of its contract files', () => {
    const domains = Object.keys(domainsBelow).filter((domain) => !['platform', 'days'].includes(domain));
    for (const api of ['v3', 'public']) {
      const text = (file: string) => readFileSync(path.join(root, 'openapi', file), 'utf8');
      const [, ...groups] = [...text(`${api}.yaml`).matchAll(/^ {2}- name: (.+)\n {4}tags: \[(.+)\]/gm)].map(
        ([, name, tags]) => ({ domain: name!.toLowerCase().replace(' ', '_'), tags: tags!.split(', ') }),
      );
      const order = groups.map(({ domain }) => domain);
      expect(order).toEqual(domains.filter((domain) => order.includes(domain)));
      const elsewhere = readdirSync(path.join(root, 'openapi', api), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.includes('/'))
        .flatMap((file) =>
          [...text(`${api}/${file}`).matchAll(/^ +tags: \[(.+)\]/gm)]
            .filter(([, tag]) => !groups.find(({ domain }) => domain === file.split('/')[0])?.tags.includes(tag!))
            .map(([, tag]) => `${tag} in ${file}`),
        );
      expect([...new Set(elsewhere)]).toEqual(shownElsewhere[api as keyof typeof shownElsewhere]);
    }
  });

  it('has few entries in src', () => {
    expect(readdirSync(path.join(root, 'src')).length).toBeLessThanOrEqual(13);
  });

  it('has at most 20 files in a folder', () => {
    const counts = new Map<string, number>();
    for (const file of [...files, ...filesIn('test'), ...filesIn('scripts')])
      counts.set(path.dirname(file), (counts.get(path.dirname(file)) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > 20)).toEqual([]);
  });
});
