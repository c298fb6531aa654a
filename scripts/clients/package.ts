/** Builds the client as a package of its own in dist/client, and packs it. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readContract } from '../../src/platform/http/contract_document.ts';
import { slimTypes } from './slim_types.ts';

const root = path.resolve(import.meta.dirname, '../..');
const source = path.join(root, 'src/client');
const target = path.join(root, 'dist/client');

const help = `npm run client                 build the client, and pack it into dist/
npm run client -- --to DIR     pack it into another folder
npm run client -- --help       show this`;

async function build(): Promise<void> {
  rmSync(target, { recursive: true, force: true });
  execFileSync(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc'), '-p', source], {
    cwd: root,
    stdio: 'inherit',
  });
  // These modules have types only.
  for (const api of ['v3', 'public'] as const) {
    rmSync(path.join(target, `generated/${api}.js`));
    writeFileSync(path.join(target, `generated/${api}.d.ts`), await slimTypes(readContract(api)));
  }
  for (const name of ['package.json', 'README.md']) copyFileSync(path.join(source, name), path.join(target, name));
  copyFileSync(path.join(root, 'LICENSE'), path.join(target, 'LICENSE'));
}

function pack(folder: string): string {
  mkdirSync(folder, { recursive: true });
  execFileSync('npm', ['pack', target, '--pack-destination', folder, '--silent'], { cwd: root });
  const { name, version } = JSON.parse(readFileSync(path.join(source, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
  };
  return path.join(folder, `${name}-${version}.tgz`);
}

const { values } = parseArgs({ options: { to: { type: 'string' }, help: { type: 'boolean', default: false } } });
if (values.help) console.log(help);
else {
  await build();
  const tarball = pack(path.resolve(values.to ?? path.join(root, 'dist')));
  const shown = path.relative(process.cwd(), tarball);
  console.log(`${shown}: ${Math.round(statSync(tarball).size / 1000)} kB. Another project installs it with`);
  console.log(`  npm install ${tarball}`);
}
