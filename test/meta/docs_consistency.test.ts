import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ruleSettings } from '../../src/organisation/workspaces/rule_settings.ts';
import { readContract, wordsOf } from '../../src/platform/http/contract_document.ts';
import { licencesInUse } from '../../scripts/licence_list.ts';
import { sections } from '../../scripts/verify/sections.ts';

/*
 * Documents that claim to be complete are complete.
 */

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const { dependencies, devDependencies, scripts } = JSON.parse(read('package.json')) as Record<
  string,
  Record<string, string>
>;

describe('the documents', () => {
  it('give a reason for every dependency', () => {
    const names = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !name.startsWith('@types/'));
    expect(names.filter((name) => !read('docs/decisions/dependencies.md').includes(`\`${name}\``))).toEqual([]);
  });

  it('lead from CONTRIBUTING.md to every decision', () => {
    const files = readdirSync(path.join(root, 'docs/decisions'));
    expect(files.filter((file) => !read('CONTRIBUTING.md').includes(`(docs/decisions/${file})`))).toEqual([]);
  });

  it('are short where everybody begins', () => {
    const lines = (file: string): number => read(file).trimEnd().split('\n').length;
    expect(lines('README.md')).toBeLessThanOrEqual(100);
    expect(lines('CONTRIBUTING.md')).toBeLessThanOrEqual(250);
  });

  it('explain every setting', () => {
    const settings = new Set(
      [...read('src/platform/config.ts').matchAll(/(?:env\[|\(env, )'([A-Z_]+)'/g)].map((match) => match[1]!),
    );
    expect(settings.size).toBeGreaterThan(20);
    expect([...settings].filter((name) => !read('docs/settings.md').includes(name))).toEqual([]);
  });

  it('name every working-time rule and every setting of the rules', () => {
    const guide = read('openapi/guides/working_time_rules.md');
    const { paths } = readContract('v3');
    const update = paths['/workspaces/{workspace_id}']!['patch']!;
    const namesIn = (text: string): string[] => [...text.matchAll(/`(\w+)`/g)].map((match) => match[1]!);
    const rules = [...guide.matchAll(/^\| `(\w+)` \|/gm)].map((match) => match[1]!);
    expect(rules).toEqual(wordsOf(readContract('v3'), 'WorkingTimeRule'));
    const settings = namesIn(/^\*\*Settings\.\*\* .*$/m.exec(guide)![0]).filter((name) => !rules.includes(name));
    expect(settings.filter((name) => name !== 'updateWorkspace')).toEqual([...ruleSettings]);
    expect(namesIn(/After a change of [^,]*, the last 24 weeks/.exec(update.description!)![0])).toEqual([
      ...ruleSettings,
    ]);
  });

  it('show the same speed in the guide and in the report of the measurement', () => {
    const rowsOf = (file: string): string[][] =>
      [...read(file).matchAll(/^\| (.*) \|$/gm)].map(([, row]) => row!.split('|').map((cell) => cell.trim()));
    const report = rowsOf('docs/performance.md');
    const [head, , ...shown] = rowsOf('openapi/guides/performance.md');
    expect(head).toEqual(['responses per second', 'this service', 'bare server', 'ratio']);
    expect(shown.length).toBeGreaterThan(3);
    for (const [about, ours, limit, ratio] of shown) {
      const [, first, , third, fourth] = report.find(([row]) => row === about)!;
      expect([about, third, first, fourth]).toEqual([about, ours, limit, ratio]);
    }
  });

  it('explain every script', () => {
    const commands = Object.keys(scripts!).map((name) =>
      ['start', 'test'].includes(name) ? `npm ${name}` : `npm run ${name}`,
    );
    const documents = read('README.md') + read('CONTRIBUTING.md') + read('docs/development.md');
    expect(commands.filter((command) => !documents.includes(command))).toEqual([]);
  });

  it('list every section of npm run verify', () => {
    const files = readdirSync(path.join(root, 'test/verify'), { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.test.ts'),
    );
    const listed = sections.flatMap(({ command }) => command.filter((word) => word.endsWith('.test.ts')));
    expect(listed.sort()).toEqual(files.map((file) => `test/verify/${file}`).sort());
  });

  it('list no licence that requires more than attribution', () => {
    const packages = licencesInUse();
    expect(packages.length).toBeGreaterThan(100);
    expect(packages.filter(({ isAllowed }) => !isAllowed)).toEqual([]);
  });

  it('name a test for every decision', () => {
    const rows = read('openapi/DECISIONS.md')
      .split('\n')
      .filter((line) => line.startsWith('| ') && !line.startsWith('| point'));
    const pins = rows.flatMap((row) => row.replace(/ \|$/, '').split(' | ').at(-1)!.split('<br>'));
    const wrong = pins.filter((pin) => {
      const [, file, title] = /^`([\w/]+)` (.+)$/.exec(pin) ?? [];
      return file === undefined || !read(`test/${file}.test.ts`).includes(`'${title}'`);
    });
    expect(pins.length).toBeGreaterThan(100);
    expect(wrong).toEqual([]);
  });

  it('name no registry in the lock file', () => {
    expect(read('package-lock.json')).not.toContain('"resolved"');
  });
});
