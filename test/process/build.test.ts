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

  /** Writes a file that looks as old as all others. */
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

  it('does what the sources do, from wherever they are', async () => {
    expect(outputOf(await buildOf(program, folder))).toBe('wordsOne?');
  });

  it('is made once', async () => {
    const first = await buildOf(program, folder);
    const { mtimeMs } = statSync(first);
    expect(await buildOf(program, folder)).toBe(first);
    expect(statSync(first).mtimeMs).toBe(mtimeMs);
  });

  it('is made anew when a source or a package has changed, be it by a letter and as old as before', async () => {
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

  it('leaves no older one behind', async () => {
    const file = path.basename(await buildOf(program, folder));
    expect(readdirSync(folder).sort()).toEqual([file, `${file}.map`, 'program.json'].sort());
  });

  it('is made by several at once without harm', async () => {
    write('src/words/other.ts', `export const word = 'crowd';`);
    const script = `import { buildOf } from '${path.resolve('src/run/build.js')}'; await import(await buildOf('${program}', '${folder}'));`;
    const start = () => promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
    const ended = await Promise.all([start(), start(), start()]);
    expect(ended.map(({ stdout }) => stdout)).toEqual(['crowd\n', 'crowd\n', 'crowd\n']);
  });

  it('is not taken for what was saved while it was being made', async () => {
    // A row of files, each of which leads to the next, so that the making takes some time after the first was read.
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

  it('reports a failure by the lines of the sources', async () => {
    write('src/program.ts', `import './words/other.ts';`);
    write('src/words/other.ts', `export const word = 'x';\n\nthrow new Error('on the third line');`);
    const file = await buildOf(program, folder);
    const run = (): string =>
      execFileSync(process.execPath, ['--enable-source-maps', file], { encoding: 'utf8', stdio: 'pipe' });
    expect(run).toThrow(/other\.ts:3:/);
  });
});
