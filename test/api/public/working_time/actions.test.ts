import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../support/client.ts';
import { newEnterprise, type Enterprise } from '../../../support/enterprise.ts';
import { punch } from '../../../support/punches.ts';
import { bodyOf } from '../../../support/world.ts';

const at = (time: string): string => `2026-03-02T${time}:00+01:00`;

const send = ({ enterprise, workspaceId, employee }: Enterprise, action_type: string, more: object = {}) => {
  const usual = { location_id: workspaceId, user_id: employee.id, action_time: at('08:00') };
  return enterprise('createPublicAction', { body: { working_session_action: { ...usual, action_type, ...more } } });
};
const list = ({ enterprise, workspaceId }: Enterprise, more: object = {}) =>
  enterprise('listPublicActions', {
    query: { location_id: workspaceId, range_start: '2026-03-02', range_end: '2026-03-02', ...more },
  });
const typesIn = async (company: Enterprise, more: object = {}): Promise<string[]> =>
  (await list(company, more)).body.actions.map(({ action_type }: { action_type: string }) => action_type);

describe('createPublicAction', () => {
  it('200 moves the clock of the resource API, from start to end', async () => {
    const company = await newEnterprise();
    const { admin, employee, workspaceId, enterprise } = company;
    await admin.call('updateWorkspace', { body: bodyOf('workspace', { external_id: 'home' }) });
    const started = await send(company, 'start');
    expect([started.status, started.body]).toEqual([
      200,
      {
        id: expect.stringMatching(/^[\da-f-]{36}$/),
        action_type: 'start',
        action_time: '2026-03-02T07:00:00Z',
        user_id: employee.id,
        location_id: workspaceId,
        location_external_id: 'home',
      },
    ]);
    const byName = { location_id: null, location_external_id: 'home', user_id: String(employee.id) };
    expect((await send(company, 'start-break', { ...byName, action_time: '2026-03-02T10:00:00 01:00' })).status).toBe(
      200,
    );
    expect((await punch(employee, 'end-break', { action_time: at('10:30') })).status).toBe(201);
    const top = {
      ...byName,
      action_type: 'end',
      action_time: '2026-03-02T24:00:00+01:00',
      working_session_action: null,
    };
    expect((await enterprise('createPublicAction', { body: top })).body.action_time).toBe('2026-03-02T23:00:00Z');
    const { body } = await enterprise('findWorkingSessions', { query: { range_start: '2026-03-02' } });
    expect(body.working_sessions).toMatchObject([
      {
        starts_at: at('08:00'),
        ends_at: '2026-03-03T00:00:00+01:00',
        breaks: [{ starts_at: at('10:00'), ends_at: at('10:30') }],
      },
    ]);
    const shown = await admin.call('getAction', { params: { action_id: started.body.id } });
    expect(shown.body.data.attributes).toMatchObject({ action_type: 'start', action_time: '2026-03-02T07:00:00Z' });
  });

  it('400 for a punch that does not fit, of which one of two at once is one', async () => {
    const company = await newEnterprise();
    for (const type of ['end', 'start-break', 'end-break'])
      expect(pointersIn(await send(company, type))).toEqual(['action_type']);
    const statuses = (await Promise.all([send(company, 'start'), send(company, 'start')])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 400]);
    const before = await send(company, 'end', { action_time: at('07:59') });
    expect([before.status, pointersIn(before)]).toEqual([400, ['action_time']]);
    expect(await typesIn(company)).toEqual(['start']);
  });

  it('400 names everything that is missing, unknown or of another enterprise', async () => {
    const company = await newEnterprise();
    const other = await newEnterprise();
    const nobody = { user_id: null, location_id: '' };
    expect(
      pointersIn(await company.enterprise('createPublicAction', { body: { working_session_action: {} } })),
    ).toEqual(['action_type', 'action_time', 'location_id', 'user_id']);
    expect(pointersIn(await send(company, 'start', { ...nobody, action_time: undefined })).sort()).toEqual([
      'action_time',
      'location_id',
      'user_id',
    ]);
    expect(pointersIn(await send(company, 'start', nobody)).sort()).toEqual(['location_id', 'user_id']);
    expect(pointersIn(await send(company, 'pause'))).toEqual(['action_type']);
    expect(pointersIn(await send(company, 'start', { action_time: '2026-03-02' }))).toEqual(['action_time']);
    expect(titlesIn(await send(company, 'start', { user_id: other.employee.id }))).toEqual([
      `user_id ${other.employee.id} is no user of this location.`,
    ]);
    expect(titlesIn(await send(company, 'start', { location_id: other.workspaceId }))).toEqual([
      `location_id ${other.workspaceId} is no location of this enterprise.`,
    ]);
    expect([await typesIn(company), await typesIn(other)]).toEqual([[], []]);
  });

  it('400 in a closed month; 200 once for a repeated Idempotency-Key', async () => {
    const company = await newEnterprise();
    const { admin, employee, enterprise, workspaceId } = company;
    const body = {
      working_session_action: {
        action_type: 'start',
        action_time: at('08:00'),
        user_id: employee.id,
        location_id: workspaceId,
      },
    };
    const request = { body, headers: { 'Idempotency-Key': 'punch-1' } };
    const [one, other] = [
      await enterprise('createPublicAction', request),
      await enterprise('createPublicAction', request),
    ];
    expect([one.status, other.body]).toEqual([200, one.body]);
    await send(company, 'end', { action_time: at('09:00') });
    const [session] = (await enterprise('findWorkingSessions', { query: { range_start: '2026-03-02' } })).body
      .working_sessions;
    await enterprise('confirmWorkingSession', { body: { working_session: { id: session.id } } });
    await admin.call('updateUser', {
      params: { user_id: employee.id },
      body: bodyOf('user', { start_of_accounting: '2026-03-01' }),
    });
    const closing = bodyOf('accounting_period', { month: '2026-03', user_ids: [employee.id] });
    expect((await admin.call('createAccountingPeriods', { body: closing })).status).toBe(201);
    const refused = await send(company, 'start', { action_time: at('10:00') });
    expect([refused.status, titlesIn(refused)[0]]).toEqual([
      400,
      expect.stringMatching(/^2026-03 of user \d+ is closed/),
    ]);
  });
});

describe('listPublicActions', () => {
  it('200 with the punches of a range and of a user, by time', async () => {
    const company = await newEnterprise();
    const { employee, newUser } = company;
    const kim = (await newUser({ external_id: 'kim' })).id;
    await send(company, 'start', { action_time: at('09:00') });
    await send(company, 'start', { user_id: kim, action_time: at('08:00') });
    await send(company, 'end', { user_id: kim, action_time: at('12:00') });
    await send(company, 'end', { action_time: '2026-03-03T00:00:00+01:00' });
    const { status, body } = await list(company);
    expect([status, body.page_number, body.total_pages, body.next_page]).toEqual([200, 1, 1, null]);
    const shown = body.actions.map(({ user_id, action_time }: { user_id: number; action_time: string }) => [
      user_id,
      action_time.slice(11, 16),
    ]);
    expect(shown).toEqual([
      [kim, '07:00'],
      [employee.id, '08:00'],
      [kim, '11:00'],
    ]);
    expect(await typesIn(company, { user_external_id: 'kim' })).toEqual(['start', 'end']);
    expect(await typesIn(company, { user_id: employee.id })).toEqual(['start']);
    expect(await typesIn(company, { user_external_id: 'nobody' })).toEqual([]);
    expect(await typesIn(company, { range_start: at('12:00'), range_end: '2026-03-02T24:00:00 01:00' })).toEqual([
      'end',
    ]);
    expect(await typesIn(company, { range_start: '03.03.2026', range_end: '03.03.2026' })).toEqual(['end']);
    const beyond = await list(company, { page: 2 });
    expect([beyond.status, beyond.body.actions]).toEqual([200, []]);
  });

  it('400 without a range or a location, and for a location of another enterprise', async () => {
    const company = await newEnterprise();
    const other = await newEnterprise();
    expect(pointersIn(await company.enterprise('listPublicActions')).sort()).toEqual(['range_end', 'range_start']);
    expect(pointersIn(await list(company, { location_id: '' }))).toEqual(['location_id']);
    expect(pointersIn(await list(company, { range_end: '2026-03-01' }))).toEqual(['range_end']);
    expect(titlesIn(await list(company, { location_id: other.workspaceId }))).toEqual([
      `location_id ${other.workspaceId} is no location of this enterprise.`,
    ]);
  });
});
