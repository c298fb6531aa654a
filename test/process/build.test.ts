import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { buildOf } from '../../src/run/build.js';
import { temporaryFolder } from '../support/processes/process.ts';

describe('a build', () => {
  const { folder: place, remove } = temporaryFolder();
  afterAll(remove);
  const folder = path.join(place, 'dist/run');
  const program = path.join(place, 'src/program.ts');
  const longAgo = new Date(0);

  /** Writes a file with the same modification time as all others. */
  function write(name: string, text: string): void {
    const file = path.join(place, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    utimesSync(file, longAgo, longAgo);
  }
  write(
    'src/program.ts',
    `import { word } from './words/word.ts';\nimport { mark } from 'marks';\nconsole.log(word + mark);`,
  );
  write(
    'src/words/word.ts',
    `import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';\nexport const word: string = path.basename(import.meta.dirname) + 'One';`,
  );
  write('node_modules/marks/package.json', '{"name":"marks","main":"marks.js"}');
  write('node_modules/marks/marks.js', `exports.mark = '?';`);

  const outputOf = (file: string): string => execFileSync(process.execPath, [file], { encoding: 'utf8' }).trim();

  it('behaves like the sources, in any folder', async () => {
    expect(outputOf(await buildOf(program, folder))).toBe('wordsOne?');
  });

  it('is made once', async () => {
    const first = await buildOf(program, folder);
    const { mtimeMs } = statSync(first);
    expect(await buildOf(program, folder)).toBe(first);
    expect(statSync(first).mtimeMs).toBe(mtimeMs);
  });

  it('is rebuilt when a source or a package changes, even by one letter with the same modification time', async () => {
    write(
      'src/words/word.ts',
      `import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';\nexport const word: string = path.basename(import.meta.dirname) + 'Two';`,
    );
    expect(outputOf(await buildOf(program, folder))).toBe('wordsTwo?');
    write('node_modules/marks/marks.js', `exports.mark = '!';`);
    expect(outputOf(await buildOf(program, folder))).toBe('wordsTwo!');
    write('src/program.ts', `import { word } from './words/other.ts';\nconsole.log(word);`);
    write('src/words/other.ts', `export const word = 'other';`);
    expect(outputOf(await buildOf(program, folder))).toBe('other');
  });

  it('deletes older builds', async () => {
    const file = path.basename(await buildOf(program, folder));
    expect(readdirSync(folder).sort()).toEqual([file, `${file}.map`, 'program.json'].sort());
  });

  it('can be made by several processes at once', async () => {
    write('src/words/other.ts', `export const word = 'crowd';`);
    const script = `import { buildOf } from '${path.resolve('src/run/build.js')}'; await import(await buildOf('${program}', '${folder}'));`;
    const start = () => promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
    const ended = await Promise.all([start(), start(), start()]);
    expect(ended.map(({ stdout }) => stdout)).toEqual(['crowd\n', 'crowd\n', 'crowd\n']);
  });

  it('is not used for sources that were saved during the build', async () => {
    // A chain of files, each of which imports the next, so that the build takes some time after it has read the first.
    const row = Array.from({ length: 300 }, (_, index) => index);
    for (const index of row)
      write(`src/row/${index}.ts`, index === 299 ? 'export const end = 1;' : `export * from './${index + 1}.ts';`);
    const programWith = (word: string) =>
      write('src/program.ts', `import { end } from './row/0.ts';\nconsole.log('${word}', end);`);
    for (const moment of [50, 100, 150, 200]) {
      programWith(`before ${moment}`);
      const building = buildOf(program, folder);
      await pause(moment);
      programWith(`after ${moment}`);
      await building;
      expect(outputOf(await buildOf(program, folder))).toBe(`after ${moment} 1`);
    }
  });

  it('reports an error with the line of the source', async () => {
    write('src/program.ts', `import './words/other.ts';`);
    write('src/words/other.ts', `export const word = 'x';\n\nthrow new Error('on the third line');`);
    const file = await buildOf(program, folder);
    const run = (): string =>
      execFileSync(process.execPath, ['--enable-source-maps', file], { encoding: 'utf8', stdio: 'pipe' });
    expect(run).toThrow(/other\.ts:3:/);
  });
});
