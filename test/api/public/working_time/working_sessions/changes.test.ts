import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { notesOf, punch } from '../../../../support/punches.ts';
import { record } from '../../../../support/time_trackings.ts';
import { at, newSessions, type Sessions } from './support.ts';

const named = (company: Sessions, operationId: string, working_session: object) =>
  company.enterprise(operationId, { body: { working_session } });

describe('updateWorkingSession', () => {
  it('200 changes times, area, pause and external id, and leaves the rest alone', async () => {
    const company = await newSessions();
    const { id } = await company.made();
    const desk = (await company.newArea('Desk', { external_id: 'desk' })).id;
    expect((await company.put({ id: String(id), ends_at: at('13:00'), starts_at: null })).body).toMatchObject({
      starts_at: at('08:00'),
      ends_at: at('13:00'),
      actual_ends_at: at('12:00'),
    });
    const change = { id, working_area_external_id: 'desk', manual_pause: '45', external_id: 'shift-7', color: null };
    expect((await company.put(change)).body).toMatchObject({
      working_area_id: desk,
      manual_pause: 45,
      break_time: 0.75,
      external_id: 'shift-7',
    });
    const shown = await company.admin.call('getTimeTracking', { params: { time_tracking_id: id } });
    expect(shown.body.data.attributes).toMatchObject({ break_duration: 2700, external_id: 'shift-7' });
    expect((await company.put({ external_id: 'shift-7', manual_pause: '' })).body).toMatchObject({
      manual_pause: null,
      break_time: 0,
      external_id: 'shift-7',
    });
    expect((await notesOf(company, id)).slice(-1)[0]).toMatch(/ changed the manual pause from 45 minutes to none\.$/);
    expect((await company.put({ id, working_area_id: '', external_id: '' })).body).toMatchObject({
      working_area_id: null,
      external_id: null,
    });
  });

  it('400 for times that overlap another one; 200 for what overlaps already and stays', async () => {
    const company = await newSessions();
    const { admin, employee } = company;
    const { id } = await company.made();
    await company.made({ starts_at: at('12:00'), ends_at: at('14:00') });
    const refused = await company.put({ id, ends_at: at('12:01') });
    expect([refused.status, pointersIn(refused)]).toEqual([400, ['starts_at']]);
    expect((await company.put({ id, starts_at: at('07:00') })).status).toBe(200);
    await record(admin, { starts_at: at('07:30'), ends_at: at('09:00') }, { user: employee.id });
    expect((await company.put({ id, starts_at: at('07:00'), manual_pause: 5 })).status).toBe(200);
    expect((await company.put({ id, starts_at: at('07:01') })).status).toBe(400);
  });

  it('400 for another external id, a pause that is too long, an unknown area, and without a name', async () => {
    const company = await newSessions();
    const other = await newSessions();
    const { id } = await company.made({ external_id: 'shift-7' });
    await company.made({ starts_at: at('13:00'), ends_at: at('14:00'), external_id: 'shift-8' });
    const { id: bare } = await company.made({ starts_at: at('15:00'), ends_at: at('16:00') });
    expect(titlesIn(await company.put({ id, external_id: 'shift-9' }))).toEqual([
      'external_id "shift-9" is not that of the working session, which has "shift-7". It cannot be changed.',
    ]);
    expect(pointersIn(await company.put({ id: bare, external_id: 'shift-8' }))).toEqual(['external_id']);
    expect(pointersIn(await company.put({ id: bare, manual_pause: 60 }))).toEqual(['manual_pause']);
    expect(titlesIn(await company.put({ id: bare, working_area_id: other.areaId }))).toEqual([
      `working_area_id ${other.areaId} is no active working area of this location.`,
    ]);
    expect(pointersIn(await company.put({ manual_pause: 5 }))).toEqual(['id']);
    await company.put({ id: bare, manual_pause: 30 });
    const shorter = await company.admin.call('updateTimeTracking', {
      params: { time_tracking_id: bare },
      body: { data: { type: 'time_tracking', attributes: { ends_at: at('15:30') } } },
    });
    expect([shorter.status, pointersIn(shorter)]).toEqual([400, ['ends_at']]);
  });

  it('200 ends a running one', async () => {
    const company = await newSessions();
    await punch(company.employee, 'start', { action_time: at('08:00') });
    const [running] = (await company.find({ range_start: '2026-03-02' })).body.working_sessions;
    expect((await company.put({ id: running.id, ends_at: at('10:00') })).body.ends_at).toBe(at('10:00'));
  });

  it('404 for one of another enterprise, by id or external id', async () => {
    const company = await newSessions();
    const other = await newSessions();
    const { id } = await company.made({ external_id: 'shift-7' });
    for (const name of [{ id }, { external_id: 'shift-7' }]) {
      expect((await other.put({ ...name, manual_pause: 5 })).status).toBe(404);
      for (const operationId of ['confirmWorkingSession', 'resetWorkingSession', 'deleteWorkingSession'])
        expect((await named(other, operationId, name)).status).toBe(404);
    }
    expect((await company.find({ id })).body).toMatchObject({ manual_pause: null, confirmed: false });
  });
});

describe('confirmWorkingSession and resetWorkingSession', () => {
  it('200 confirm and take it back; twice changes nothing', async () => {
    const company = await newSessions();
    const { id } = await company.made({ external_id: 'shift-7' });
    const confirmed = await named(company, 'confirmWorkingSession', { external_id: 'shift-7' });
    expect([confirmed.status, confirmed.body]).toMatchObject([200, { id, confirmed: true, is_confirmed: true }]);
    expect((await named(company, 'confirmWorkingSession', { id })).body).toEqual(confirmed.body);
    const shown = await company.admin.call('getTimeTracking', { params: { time_tracking_id: id } });
    expect(shown.body.data.attributes.confirmed).toBe(true);
    expect((await company.put({ id, manual_pause: 5 })).body.confirmed).toBe(true);
    const reset = await named(company, 'resetWorkingSession', { id: String(id), external_id: null });
    expect([reset.status, reset.body.is_confirmed]).toEqual([200, false]);
    expect((await named(company, 'resetWorkingSession', { id })).body).toEqual(reset.body);
  });

  it('400 for a running one, and for two names that differ', async () => {
    const company = await newSessions();
    const { id } = await company.made({ external_id: 'shift-7' });
    await punch(company.employee, 'start', { action_time: at('13:00') });
    const running = (await company.find({ range_start: '2026-03-02' })).body.working_sessions[1];
    expect((await named(company, 'confirmWorkingSession', { id: running.id })).status).toBe(400);
    expect((await named(company, 'resetWorkingSession', { id: running.id })).status).toBe(200);
    expect((await named(company, 'resetWorkingSession', { id: running.id, external_id: 'shift-7' })).status).toBe(400);
    expect((await named(company, 'confirmWorkingSession', {})).status).toBe(400);
    expect((await named(company, 'confirmWorkingSession', { id, external_id: 'shift-8' })).status).toBe(400);
  });
});

describe('deleteWorkingSession', () => {
  it('200 deletes a confirmed one, by the body or the query, and its external id is free again', async () => {
    const company = await newSessions();
    const { id } = await company.made({ external_id: 'shift-7', manual_pause: 20 });
    await named(company, 'confirmWorkingSession', { id });
    const deleted = await named(company, 'deleteWorkingSession', { external_id: 'shift-7' });
    expect([deleted.status, deleted.text]).toEqual([200, '']);
    expect((await named(company, 'deleteWorkingSession', { id })).status).toBe(404);
    const second = await company.made({ external_id: 'shift-7' });
    const inQuery = await company.enterprise('deleteWorkingSession', { query: { id: second.id } });
    expect(inQuery.status).toBe(200);
    const restored = await company.admin.call('restoreTimeTracking', { params: { time_tracking_id: id } });
    expect([restored.status, restored.body.data?.attributes.break_duration]).toEqual([201, 1200]);
    expect((await company.find({ id })).body.manual_pause).toBe(20);
  });

  it('400 without a name', async () => {
    const company = await newSessions();
    expect(pointersIn(await company.enterprise('deleteWorkingSession', { body: {} }))).toEqual(['id']);
  });
});
