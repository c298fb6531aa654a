import { mkdtempSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { record } from '../../../../support/time_trackings.ts';
import { command } from '../../../../support/processes/command.ts';
import { newWorld } from '../../../../support/world.ts';
import { rowsIn } from './support.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'punchcard-export-'));

const run = (...options: readonly string[]) => command(['export', ...options]);

describe('the command export', () => {
  it('writes the same file as the API, with progress, for the rights of a user', async () => {
    const { admin, employee, workspaceId } = await newWorld();
    await record(admin);
    await record(employee, { starts_at: '2026-01-06T08:00:00Z', ends_at: '2026-01-06T09:30:00Z' });
    const all = path.join(folder, 'all.csv');
    const { code, told, shares } = await run('--workspace', String(workspaceId), '--output', all, '--language', 'en');
    expect([code, told, shares]).toEqual([0, `Wrote ${all}, which covers 2 time trackings.`, [1]]);
    expect(rowsIn(readFileSync(all)).map((row) => row['User'])).toEqual(['admin', 'employee']);

    const own = path.join(folder, 'own.csv');
    await run('--workspace', String(workspaceId), '--output', own, '--as', employee.email, '--from', '2026-01-01');
    expect(rowsIn(readFileSync(own), ';')).toMatchObject([{ Benutzer: 'employee', 'Netto (h)': '1,5' }]);
    // A file that exists is not overwritten.
    expect((await run('--workspace', String(workspaceId), '--output', own)).code).toBe(1);
  });

  it.each([
    [['--output', 'x'], 2, '--workspace is required.'],
    [['--workspace', '1', '--output', 'x', '--type', 'all'], 2, '--type must be one of list, sum, timesheet'],
    [['--workspace', '1', '--output', 'x', '--from', 'May'], 2, '--from must be a day'],
    [['--workspace', '0', '--output', 'x'], 1, 'There is no workspace 0.'],
    [
      ['--workspace', '1', '--output', 'x', '--format', 'pdf'],
      1,
      'format must be one of csv, xlsx for export_type list',
    ],
  ])('refuses %j', async (options, code, message) => {
    const refused = await run(...options);
    expect(refused.code).toBe(code);
    expect(refused.told).toContain(message);
  });
});
