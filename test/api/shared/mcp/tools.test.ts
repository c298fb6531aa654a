import { describe, expect, it } from 'vitest';
import { operationsOf, readContract } from '../../../../src/platform/http/contract_document.ts';
import { assistantOf } from '../../../support/mcp/assistant.ts';
import { bodyOf, newWorld } from '../../../support/world.ts';
import { twoMonths } from '../../v3/payroll/accounting_periods/support.ts';

const punch = { body: bodyOf('action', { action_type: 'start' }) };

describe('the tools of /mcp', () => {
  it('are about 20, each of which only reads', async () => {
    const { employee } = await newWorld();
    const { client } = await assistantOf(employee);
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThanOrEqual(20);
    expect(tools.map(({ annotations }) => annotations?.readOnlyHint)).toEqual(tools.map(() => true));
    expect(client.getInstructions()).toContain('who_am_i');
    const { inputSchema } = tools.find(({ name }) => name === 'list_time_trackings')!;
    expect(inputSchema.required).toEqual(['workspace_id']);
    expect(inputSchema.properties!['filter_user_id']).toMatchObject({ examples: [expect.stringMatching(/^\d/)] });
  });

  it('show who is here, to those who may see it', async () => {
    const { admin, employee, stranger, workspaceId } = await newWorld();
    await admin.call('createAction', punch);
    const workspace_id = String(workspaceId);
    const seen = await (await assistantOf(admin)).use('who_is_here', { workspace_id });
    expect(seen.isError).toBe(false);
    expect(seen.body!.data.map(({ attributes }) => attributes['current_status'])).toEqual(['running']);
    expect(seen.body!.included!.map(({ attributes }) => attributes['username'])).toEqual(['admin']);
    expect((await (await assistantOf(employee)).use('who_is_here', { workspace_id })).body!.data).toEqual([]);
    const foreign = await (await assistantOf(stranger)).use('who_is_here', { workspace_id });
    expect([foreign.isError, foreign.body!.errors![0]!.status]).toEqual([true, 'not_found']);
  });

  it('begin with the ids that the others need', async () => {
    const { employee, workspaceId } = await newWorld();
    const { use } = await assistantOf(employee);
    const { body } = await use('who_am_i');
    expect(body!.data.id).toBe(String(employee.id));
    const workspace_id = body!.included!.find(({ type }) => type === 'workspace')!.id;
    expect(workspace_id).toBe(String(workspaceId));
    const vacation = await use('vacation_summary', { workspace_id, user_id: body!.data.id, date: '2026-06-30' });
    expect(vacation.body!.data.attributes).toMatchObject({ date: '2026-06-30' });
  });

  it('check what a time tracking would violate, and record nothing', async () => {
    const { admin, employee, workspaceId } = await newWorld();
    const { use } = await assistantOf(admin);
    const workspace_id = String(workspaceId);
    const times = { starts_at: '2026-05-04T06:00:00Z', ends_at: '2026-05-04T18:00:00Z' };
    const { body } = await use('check_time_tracking', { workspace_id, ...times, user_id: employee.id });
    expect(JSON.stringify(body!.data)).toContain('§ 3 ArbZG');
    const days = { workspace_id, filter_overlapping_with_range: '2026-05-04_2026-05-04' };
    expect((await use('list_time_trackings', days)).body!.data).toEqual([]);
  });

  it('preview the vacation of a year, and create nothing', async () => {
    const { admin, employee, workspaceId } = await newWorld();
    const { use } = await assistantOf(admin);
    const workspace_id = String(workspaceId);
    const { body } = await use('preview_vacation_year', { workspace_id, year: 2027, days: 30 });
    expect(body!.meta).toMatchObject({ dry_run: true, created: 2 });
    const list = await use('list_vacation_entitlements', { workspace_id, user_id: String(employee.id) });
    expect(list.body!.data).toEqual([]);
    const withoutRights = await (
      await assistantOf(employee)
    ).use('preview_vacation_year', { workspace_id, year: 2027, days: 30 });
    expect(withoutRights.body!.errors![0]!.status).toBe('forbidden');
  });

  it('change nothing where the contract marks them, although their operations could', async () => {
    const { admin, employee, workspaceId } = await twoMonths();
    const { use } = await assistantOf(admin);
    const workspace_id = String(workspaceId);
    const given: Record<string, object> = {
      check_time_tracking: { starts_at: '2026-05-04T06:00:00Z', ends_at: '2026-05-04T18:00:00Z' },
      preview_vacation_year: { year: 2027, days: 30 },
      check_closing: { month: '2026-01', user_ids: [employee.id] },
    };
    const tools = operationsOf(readContract('v3')).flatMap(({ operation }) => operation['x-mcp'] ?? []);
    const marked = tools.filter(({ only_reads }) => only_reads).map(({ name }) => name);
    expect(Object.keys(given).sort()).toEqual(marked.sort());
    const history = async () => (await use('list_history', { workspace_id })).body!.data;
    const before = await history();
    for (const name of marked)
      expect(await use(name, { workspace_id, ...given[name] })).toMatchObject({ isError: false });
    expect(await history()).toEqual(before);
  });

  it('take the two ends of a month', async () => {
    const { admin, workspaceId } = await newWorld();
    for (const day of ['04-30', '05-04', '06-01'])
      await admin.call('createTimeTracking', {
        body: bodyOf('time_tracking', { starts_at: `2026-${day}T08:00:00Z`, ends_at: `2026-${day}T16:00:00Z` }),
      });
    const { use } = await assistantOf(admin);
    const { body } = await use('list_time_trackings', {
      workspace_id: String(workspaceId),
      filter_starts_at: ['gte:2026-05-01', 'lt:2026-06-01'],
    });
    expect(body!.data.map(({ attributes }) => attributes['starts_at'])).toEqual(['2026-05-04T08:00:00Z']);
  });

  it('refuse what they do not take, and say what they take', async () => {
    const { admin, workspaceId } = await newWorld();
    const { use } = await assistantOf(admin);
    const workspace_id = String(workspaceId);
    expect(await use('who_is_here', { workspace_id, filter_running: '0' })).toMatchObject({
      isError: true,
      text: 'who_is_here does not take "filter_running". It takes: workspace_id, filter_area_id, page, items.',
    });
    expect((await use('who_is_here')).text).toBe('workspace_id is required.');
    const { body } = await use('month_balances', { workspace_id, from: 'May' });
    expect(new Set(body!.errors!.map(({ source }) => source.pointer))).toEqual(new Set(['from', 'to']));
    // What a list would leave out is an error.
    const unclear = await use('list_violations', { workspace_id, filter_date: 'gte:soon' });
    expect([unclear.isError, unclear.body!.errors![0]!.source.pointer]).toEqual([true, 'filter[date]']);
    await expect(use('delete_everything')).rejects.toThrow('There is no tool "delete_everything".');
  });

  it('reach no operation that is not theirs', async () => {
    const { admin, workspaceId } = await newWorld();
    const { use } = await assistantOf(admin);
    const role = async () => (await admin.call('getCurrentWorkspaceUser')).body.data.attributes.assumed_role as string;
    const before = await role();
    for (const user_id of ['switch_role', '..', '1/../switch_role', '1?x=', ''])
      expect((await use('get_person', { workspace_id: String(workspaceId), user_id })).text).toContain(
        'which is no id',
      );
    expect(await role()).toBe(before);
  });
});
