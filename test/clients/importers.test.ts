import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from './run.ts';
import { serverUrl } from './server.ts';

/* Programs that import records through the public API, as integrations do. Each runs twice and imports everything once. */

const programs = path.resolve(import.meta.dirname, 'programs');

async function runImporter(name: string) {
  const { code, output } = await run(process.execPath, [`${name}.mjs`, serverUrl(), 'demo-api-token'], programs);
  expect([code, output]).toEqual([0, output]);
  return JSON.parse(output);
}

describe('an importer of punches', () => {
  it('imports a month five at a time, and the second run finds the same working sessions', async () => {
    const first = await runImporter('punch_importer');
    expect(first).toMatchObject({ statuses: [200], hours: 30 * 8 });
    expect([...first.listed].sort()).toEqual([...first.ids].sort());
    expect(new Set(first.ids).size).toBe(30);
    expect(await runImporter('punch_importer')).toEqual(first);
  });
});

describe('an importer of absences', () => {
  it('asks with JSON in the body of GET what is missing, and the second run creates nothing', async () => {
    const found = ['hr-06', 'hr-13', 'hr-20'];
    expect(await runImporter('absence_importer')).toEqual({ created: 3, found });
    expect(await runImporter('absence_importer')).toEqual({ created: 0, found });
  });
});
