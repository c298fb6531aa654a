import { copyFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/processes/process.ts';
import { run } from './run.ts';
import { serverUrl } from './server.ts';

/*
 * The client of this project as another project uses it: packed, installed there, compiled by that project, run by plain Node.
 */
const root = path.resolve(import.meta.dirname, '../..');
const project = temporaryFolder();

afterAll(project.remove);

const inProject = (file: string): string => path.join(project.folder, file);

const settings = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    module: 'NodeNext',
    target: 'ES2022',
    outDir: 'out',
    types: ['node'],
    typeRoots: [path.join(root, 'node_modules/@types')],
  },
  files: ['example.ts'],
};

describe('punchcard/client', () => {
  it('installs from the packed package into an empty project', async () => {
    const packed = await run('npm', ['pack', '--pack-destination', project.folder], root);
    expect(packed.code, packed.output).toBe(0);
    const tarball = readdirSync(project.folder).find((name) => name.endsWith('.tgz'))!;
    writeFileSync(inProject('package.json'), JSON.stringify({ name: 'elsewhere', private: true, type: 'module' }));
    const installed = await run(
      'npm',
      ['install', `./${tarball}`, '--prefer-offline', '--no-audit', '--no-fund'],
      project.folder,
    );
    expect(installed.code, installed.output).toBe(0);
  });

  it('compiles there under strict, and the example runs', async () => {
    copyFileSync(path.join(root, 'src/client/example.ts'), inProject('example.ts'));
    writeFileSync(inProject('tsconfig.json'), JSON.stringify(settings));
    expect(await run(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc')], project.folder)).toEqual({
      code: 0,
      output: '',
    });
    const { code, output } = await run(process.execPath, ['out/example.js', serverUrl()], project.folder);
    expect(code, output).toBe(0);
    expect(output.split('\n').map((line) => line.replaceAll(/\d[\dTZ:.-]*/g, '…'))).toEqual([
      'Signed in as Erin Example.',
      'Punched: start at …',
      'Punched: end at …',
      'Asked for vacation: … days, pending.',
      'Worked … hours in … time trackings.',
      'The enterprise: Alex Admin, Erin Example, Robin Baker, Sam Cook, Noor Night, Jo Newman.',
      '',
    ]);
  });

  it('throws the error titles of the service', async () => {
    writeFileSync(
      inProject('refused.mjs'),
      `import { answerOf, RefusedError, resourceApi } from 'punchcard/client';
       const call = answerOf(resourceApi({ url: process.argv[2], token: 'nonsense' }).GET('/users/me'));
       await call.catch((error) => console.log(error instanceof RefusedError, error.status, error.message, error.requestId.length));`,
    );
    expect((await run(process.execPath, ['refused.mjs', serverUrl()], project.folder)).output).toBe(
      'true 401 This operation needs a valid credential. 36\n',
    );
  });
});
