import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/platform/db/connection.ts';
import { copyTemplate } from '../../../src/platform/db/driver/template.ts';
import { hashOf } from '../../../src/programs/process/current_build.ts';
import { freshBuild } from '../../support/processes/fresh_build.ts';
import { temporaryFolder } from '../../support/processes/process.ts';

const execute = promisify(execFile);
const { folder, remove } = temporaryFolder();
beforeAll(freshBuild);
afterAll(remove);

/** Runs Node in a folder, and returns its output, also where it fails. */
async function node(cwd: string, ...options: string[]): Promise<{ code: number; output: string }> {
  const run = execute(process.execPath, options, { cwd, env: { PATH: process.env['PATH'] } });
  const {
    stdout,
    stderr,
    code = 0,
  } = (await run.catch((error: unknown) => error)) as {
    stdout: string;
    stderr: string;
    code?: number;
  };
  return { code, output: stdout + stderr };
}

describe('a built program', () => {
  const place = path.join(folder, 'checkout');
  beforeAll(() => {
    mkdirSync(place);
    for (const name of ['main.js', 'worker.js', 'cli.js', 'build.json', 'package.json'])
      cpSync(path.join('dist', name), path.join(place, 'dist', name));
    symlinkSync(path.resolve('node_modules'), path.join(place, 'node_modules'));
  });

  it('does not look for its sources where there are none', async () => {
    expect(await node(place, 'dist/cli.js', 'help')).toEqual({ code: 0, output: expect.stringContaining('api-key') });
  });

  it.each(['main', 'worker', 'cli'])('%s refuses in one line to run beside other sources', async (program) => {
    for (const name of ['src', 'generated', 'openapi/workflows', 'scripts/build', 'scripts/docs'])
      mkdirSync(path.join(place, name), { recursive: true });
    for (const name of ['src/new.ts', 'CHANGELOG.md', 'package-lock.json']) writeFileSync(path.join(place, name), '');
    expect(await node(place, `dist/${program}.js`)).toEqual({
      code: 1,
      output:
        '\nPunchcard cannot continue. dist/ was built from other sources than those in this folder. Build it again with: npm run build\n',
    });
  });
});

describe('the hash of sources', () => {
  it('differs with one letter, with a name, and with a file that is gone', () => {
    const root = path.join(folder, 'sources');
    mkdirSync(path.join(root, 'src/deep'), { recursive: true });
    const write = (name: string, text: string) => writeFileSync(path.join(root, name), text);
    const seen = new Set<string>();
    const look = () => seen.add(hashOf(root, ['src']));
    write('src/a.ts', 'a');
    look();
    write('src/a.ts', 'b');
    look();
    write('src/deep/b.ts', '');
    look();
    write('src/b.ts', '');
    look();
    expect(seen.size).toBe(4);
    write('src/.a.ts.swp', 'of an editor');
    look();
    expect(seen.size).toBe(4);
  });
});

describe('prepare, which npm runs after an installation', () => {
  const prepare = (JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { prepare: string } }).scripts
    .prepare;
  const run = (cwd: string) => execute('sh', ['-c', prepare], { cwd, env: { PATH: process.env['PATH'] } });

  it('says in one line that there are no sources', async () => {
    const place = path.join(folder, 'bare');
    mkdirSync(place);
    expect((await run(place)).stdout).toBe('Nothing is built here: the sources are missing.\n');
  });

  it('says in one line that packages for development are missing', async () => {
    const place = path.join(folder, 'production');
    for (const name of ['src', 'generated', 'openapi']) mkdirSync(path.join(place, name), { recursive: true });
    cpSync('package.json', path.join(place, 'package.json'));
    cpSync('scripts/build', path.join(place, 'scripts/build'), { recursive: true });
    const { stdout } = await run(place);
    expect(stdout).toBe(
      'Nothing is built here: node_modules/tsx, node_modules/esbuild, node_modules/@redocly/cli is missing.\n',
    );
    expect(existsSync(path.join(place, 'dist'))).toBe(false);
  });
});

describe('the template of the embedded database', () => {
  const clusterOf = async (name: string): Promise<string> => {
    const target = path.join(folder, name);
    mkdirSync(target);
    await copyTemplate('dist/template', target);
    const { db, pool, close } = await openDatabase({ folder: target });
    expect(await db.selectFrom('service_settings').selectAll().execute()).toEqual([]);
    expect(await db.selectFrom('accounts').selectAll().execute()).toEqual([]);
    const { rows } = await pool.query<{ id: string }>(`select current_setting('punchcard.cluster_id') as id`);
    await close();
    return rows[0]!.id;
  };

  it('was never started, and every copy has an id of its own', async () => {
    const [first, second] = [await clusterOf('first'), await clusterOf('second')];
    expect(first).toMatch(/^[\da-f-]{36}$/);
    expect(second).not.toBe(first);
  });

  it('is copied again after a copy that was interrupted', async () => {
    const target = path.join(folder, 'interrupted');
    mkdirSync(path.join(target, 'global'), { recursive: true });
    writeFileSync(path.join(target, 'global/pg_control'), 'half');
    expect(existsSync(path.join(target, 'PG_VERSION'))).toBe(false);
    await copyTemplate('dist/template', target);
    const { db, close } = await openDatabase({ folder: target });
    expect(await db.selectFrom('accounts').selectAll().execute()).toEqual([]);
    await close();
  });
});
