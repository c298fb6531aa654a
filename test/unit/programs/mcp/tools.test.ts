import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { operationsOf, readContract } from '../../../../src/platform/http/contract_document.ts';
import { requestOf } from '../../../../src/programs/mcp/request.ts';
import { toolsOf } from '../../../../src/programs/mcp/tools.ts';

const contract = readContract('v3');
const tools = toolsOf(contract);
const toolNamed = (name: string) => tools.find((tool) => tool.name === name)!;

describe('the tools of the contract', () => {
  it('only read, until tokens say what they may be used for', () => {
    expect(tools.filter(({ onlyReads }) => !onlyReads).map(({ name }) => name)).toEqual([]);
  });

  it('are described, and have names of their own that every assistant takes', () => {
    expect(tools.filter(({ description }) => !/^[A-Z].{30,}\.$/s.test(description)).map(({ name }) => name)).toEqual(
      [],
    );
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
    const argumentNames = tools.flatMap(({ takes }) => [...takes.keys()]);
    const names = [...tools.map(({ name }) => name), ...argumentNames];
    expect(names.filter((name) => !/^[a-z][a-z0-9_]{0,63}$/.test(name))).toEqual([]);
  });

  it('describe every argument, without references to the contract', () => {
    const properties = tools.flatMap(({ name, inputSchema }) =>
      Object.entries(inputSchema.properties).map(([key, schema]) => ({ key: `${name} ${key}`, schema })),
    );
    expect(properties.filter(({ schema }) => !('description' in schema)).map(({ key }) => key)).toEqual([]);
    expect(JSON.stringify(tools.map(({ inputSchema }) => inputSchema))).not.toMatch(/"\$ref"|"x-/);
  });

  it('are in the resource API alone, which knows whose token it is', () => {
    expect(operationsOf(readContract('public')).filter(({ operation }) => operation['x-mcp'])).toEqual([]);
  });

  it('are all in the guide, which names no other', () => {
    const guide = readFileSync('openapi/guides/assistants.md', 'utf8');
    const listed = guide
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .flatMap((line) => [...line.split('|')[1]!.matchAll(/`(\w+)`/g)].map((match) => match[1]));
    expect(listed.sort()).toEqual(tools.map(({ name }) => name).sort());
  });

  it('write, unless their operation reads or they are marked', () => {
    const marked = (operationId: string, tool: object) => {
      const changed = structuredClone(contract);
      const { operation } = operationsOf(changed).find((one) => one.operation.operationId === operationId)!;
      Object.assign(operation, { 'x-mcp': [{ name: 'new_one', description: 'A tool.', ...tool }] });
      return toolsOf(changed).find(({ name }) => name === 'new_one')!;
    };
    expect(marked('switchRole', {}).onlyReads).toBe(false);
    expect(marked('createAbsence', { takes: ['full_day'] }).onlyReads).toBe(false);
    expect(marked('batchVacationEntitlements', { sends: { dry_run: true } }).onlyReads).toBe(false);
    expect(marked('batchVacationEntitlements', { sends: { dry_run: true }, only_reads: true }).onlyReads).toBe(true);
    expect(() => marked('listAreas', { takes: ['filter[nonsense]'] })).toThrow(
      'listAreas does not take filter[nonsense]',
    );
  });
});

describe('requestOf', () => {
  const here = { workspace_id: '1' };

  it('puts every argument in its place', () => {
    expect(requestOf(toolNamed('who_is_here'), { ...here, filter_area_id: ['3', '4'], items: 5, page: null })).toEqual({
      method: 'GET',
      address:
        '/workspaces/1/time_trackings?filter%5Brunning%5D=1&include=user%2Carea&filter%5Barea_id%5D=3&filter%5Barea_id%5D=4&items=5',
      body: undefined,
    });
    const check = requestOf(toolNamed('check_time_tracking'), { ...here, starts_at: '2026-05-04T06:00:00Z' });
    expect(check).toMatchObject({
      method: 'POST',
      address: '/workspaces/1/time_trackings/checks',
      body: '{"data":{"type":"time_tracking","attributes":{"starts_at":"2026-05-04T06:00:00Z"}}}',
    });
  });

  it('takes no value that changes the path', () => {
    const uuid = '0a1b2c3d-0000-7000-8000-00000000000f';
    expect(requestOf(toolNamed('get_time_tracking'), { ...here, time_tracking_id: uuid })).toMatchObject({
      address: expect.stringContaining(`/time_trackings/${uuid}?`) as string,
    });
    for (const time_tracking_id of ['checks', '..', '1/breaks', '%2e%2e', ' 1', '1\n', {}, [1, 2], ''])
      expect(requestOf(toolNamed('get_time_tracking'), { ...here, time_tracking_id })).toEqual([
        expect.stringContaining('which is no id'),
      ]);
  });
});
