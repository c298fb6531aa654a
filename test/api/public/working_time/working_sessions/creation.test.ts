import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { punch } from '../../../../support/punches.ts';
import { service } from '../../../../support/service.ts';
import { record } from '../../../../support/time_trackings.ts';
import { bodyOf } from '../../../../support/world.ts';
import { at, newSessions } from './support.ts';

describe('createWorkingSession', () => {
  it('200 with a time tracking that the resource API shows', async () => {
    const company = await newSessions();
    const { admin, employee, workspaceId, areaId } = company;
    const body = await company.made({ external_id: 'shift-7', manual_pause: 30 });
    const { id, secure_id, created_at } = body;
    expect(body).toEqual({
      id,
      starts_at: at('08:00'),
      ends_at: at('12:00'),
      actual_starts_at: at('08:00'),
      actual_ends_at: at('12:00'),
      breaks: [],
      break_time: 0.5,
      manual_pause: 30,
      filters: [],
      user_id: employee.id,
      employee_id: employee.id,
      location_id: workspaceId,
      working_area_id: areaId,
      confirmed: false,
      is_confirmed: false,
      external_id: 'shift-7',
      last_edit_by: null,
      start_signature_id: null,
      end_signature_id: null,
      secure_id,
      created_at,
      updated_at: created_at,
    });
    expect(secure_id).toMatch(/^[\da-f-]{36}$/);
    expect(created_at).toMatch(/\+0[12]:00$/);
    const shown = (await admin.call('getTimeTracking', { params: { time_tracking_id: id } })).body.data;
    expect(shown.attributes).toMatchObject({ external_id: 'shift-7', break_duration: 1800, net_time: 3.5 });
    expect([shown.relationships.user.data.id, shown.relationships.area.data.id]).toEqual([
      String(employee.id),
      String(areaId),
    ]);
    const notes = await admin.call('listTimeTrackingNotes', { params: { time_tracking_id: id } });
    expect(notes.body.data.at(-1).attributes.content).toMatch(/ recorded a manual pause of 30 minutes\.$/);
  });

  it('200 by external ids, with numbers as texts, a blank for the plus, the hour 24, and much that it does not know', async () => {
    const company = await newSessions();
    const { admin, employee, newUser, apiToken } = company;
    await admin.call('updateWorkspace', { body: bodyOf('workspace', { external_id: 'home' }) });
    await newUser({ external_id: 'erika' });
    const working_session = {
      location_id: null,
      location_external_id: 'home',
      working_area_id: '',
      working_area_external_id: 'bar',
      user_external_id: 'erika',
      starts_at: '2026-03-02T20:00:00 01:00',
      ends_at: '2026-03-02T24:00:00.000+01:00',
      manual_pause: '15',
      external_id: null,
      shift: null,
      color: null,
    };
    const sent = await supertest((await service()).url)
      .post('/public_api/v1/working_sessions')
      .set('Content-Type', 'text/plain')
      .send(JSON.stringify({ api_token: apiToken, user: null, absence: null, shift: null, working_session }));
    expect([sent.status, sent.body]).toMatchObject([
      200,
      { starts_at: at('20:00'), ends_at: at('00:00', '2026-03-03') },
    ]);
    expect(sent.body).toMatchObject({ external_id: null, break_time: 0.25 });
    const top = { ...company.basics, user_id: String(employee.id) };
    const atTheTop = await company.enterprise('createWorkingSession', { body: { ...top, working_session: null } });
    expect([atTheTop.status, atTheTop.body.user_id]).toEqual([200, employee.id]);
  });

  it('400 names the location, the area and the user that the enterprise does not have', async () => {
    const company = await newSessions();
    const other = await newSessions();
    const hotel = await company.newLocation('Hotel');
    const outsider = await company.newUser({ location_ids: hotel.id });
    const foreign = { location_id: other.workspaceId, working_area_id: other.areaId, user_id: other.employee.id };
    expect(titlesIn(await company.post(foreign))).toEqual([
      `location_id ${other.workspaceId} is no location of this enterprise.`,
      `user_id ${other.employee.id} is no user of this enterprise.`,
    ]);
    expect(titlesIn(await company.post({ working_area_id: other.areaId, user_id: outsider.id }))).toEqual([
      `user_id ${outsider.id} is no user of this location.`,
      `working_area_id ${other.areaId} is no active working area of this location.`,
    ]);
    const nothing = await company.enterprise('createWorkingSession', {
      body: { working_session: { starts_at: at('08:00'), ends_at: at('09:00') } },
    });
    expect(pointersIn(nothing).sort()).toEqual(['location_id', 'user_id', 'working_area_id']);
    const started = await company.enterprise('createWorkingSession', {
      body: { working_session: { starts_at: at('08:00') } },
    });
    expect(pointersIn(started).sort()).toEqual(['ends_at', 'location_id', 'user_id', 'working_area_id']);
    expect(pointersIn(await company.enterprise('createWorkingSession', { body: {} }))).toEqual(['working_session']);
    const range = { range_start: '2026-01-01' };
    expect([await company.startsIn(range), await other.startsIn(range)]).toEqual([[], []]);
  });

  it('400 for times that do not fit, and a manual pause that is not shorter', async () => {
    const { post } = await newSessions();
    expect(pointersIn(await post({ ends_at: at('08:00') }))).toEqual(['ends_at']);
    expect(pointersIn(await post({ starts_at: '2026-03-02', ends_at: '' })).sort()).toEqual(['ends_at', 'starts_at']);
    const long = await post({ manual_pause: 240 });
    expect([pointersIn(long), titlesIn(long)]).toEqual([
      ['manual_pause'],
      ['The manual_pause of 240 minutes must be shorter than the time tracking, which has 14400 seconds.'],
    ]);
    for (const manual_pause of [-1, 1.5, 'many', 9e15]) expect((await post({ manual_pause })).status).toBe(400);
    expect((await post({ manual_pause: 239 })).status).toBe(200);
  });

  it('400 for one that overlaps another of the user, in any location; touching is none', async () => {
    const company = await newSessions();
    const { admin, employee } = company;
    const hotel = await company.newLocation('Hotel');
    const area = (await company.newArea('Desk', {}, hotel.id)).id;
    const nina = (await company.newUser({ location_ids: `${company.workspaceId},${hotel.id}` })).id;
    const first = await company.made({ user_id: nina });
    const there = { user_id: nina, location_id: hotel.id, working_area_id: area };
    const refused = await company.post({ ...there, starts_at: at('11:59'), ends_at: at('13:00') });
    expect([refused.status, pointersIn(refused), titlesIn(refused)]).toEqual([
      400,
      ['starts_at'],
      [`The times overlap the working session ${first.id} of this user, from ${at('08:00')} to ${at('12:00')}.`],
    ]);
    for (const [from, to] of [
      ['07:00', '08:01'],
      ['09:00', '10:00'],
      ['07:00', '13:00'],
      ['08:00', '12:00'],
    ] as const)
      expect((await company.post({ ...there, starts_at: at(from), ends_at: at(to) })).status).toBe(400);
    expect((await company.post({ ...there, starts_at: at('12:00'), ends_at: at('13:00') })).status).toBe(200);
    expect((await company.post({ ...there, starts_at: at('07:00'), ends_at: at('08:00') })).status).toBe(200);
    expect((await company.post()).status).toBe(200);
    // One that lasts for days, and one that is running, began long before.
    await record(admin, { starts_at: '2026-04-01T08:00:00Z', ends_at: '2026-04-05T08:00:00Z' }, { user: employee.id });
    await record(admin, { starts_at: '2026-05-01T08:00:00Z', ends_at: undefined }, { user: employee.id });
    const times = (day: string) => ({ starts_at: at('10:00', day), ends_at: at('11:00', day) });
    expect((await company.post(times('2026-04-04'))).status).toBe(400);
    expect((await company.post(times('2026-04-06'))).status).toBe(200);
    expect(titlesIn(await company.post(times('2026-06-01')))[0]).toMatch(
      / which is running since 2026-05-01T10:00:00\+02:00\.$/,
    );
    expect((await record(admin, { starts_at: at('09:00'), ends_at: at('10:00') }, { user: nina })).id).toBeDefined();
  });

  it('200 with the record that is there for a repeated external id, 400 for another user or other times', async () => {
    const company = await newSessions();
    const first = await company.made({ external_id: 'shift-7' });
    const again = await company.post({
      external_id: 'shift-7',
      manual_pause: 10,
      starts_at: '2026-03-02T07:00:00.000Z',
    });
    expect([again.status, again.body]).toEqual([200, first]);
    const later = await company.post({ external_id: 'shift-7', ends_at: at('12:01') });
    expect([later.status, titlesIn(later)]).toEqual([
      400,
      ['external_id "shift-7" is already used by another working session of this enterprise.'],
    ]);
    expect((await company.post({ external_id: 'shift-7', user_id: company.admin.id })).status).toBe(400);
    const other = await newSessions();
    expect((await other.post({ external_id: 'shift-7' })).status).toBe(200);
    expect(await company.startsIn({ range_start: '2026-01-01' })).toEqual([at('08:00')]);
  });

  it('200 for exactly one of five that arrive at once, and for all of five that are the same', async () => {
    const company = await newSessions();
    const statuses = async (requests: object[]) =>
      (await Promise.all(requests.map((request) => company.post(request)))).map(({ status }) => status).sort();
    const minutes = ['00', '01', '02', '03', '04'];
    expect(await statuses(minutes.map((minute) => ({ starts_at: at(`08:${minute}`) })))).toEqual([
      ...[200, 400, 400, 400, 400],
    ]);
    const same = { starts_at: at('13:00'), ends_at: at('14:00'), external_id: 'once' };
    expect(await statuses(minutes.map(() => same))).toEqual([200, 200, 200, 200, 200]);
    const users = await Promise.all(minutes.map(() => company.newUser()));
    expect(await statuses(users.map(({ id }) => ({ user_id: id, external_id: 'one' })))).toEqual([
      ...[200, 400, 400, 400, 400],
    ]);
    expect(await company.startsIn({ range_start: '2026-01-01' })).toHaveLength(3);
  });

  it('200 once for a repeated Idempotency-Key, and again for a punch that ended before', async () => {
    const company = await newSessions();
    const { employee } = company;
    const request = { body: { working_session: company.basics }, headers: { 'Idempotency-Key': 'session-1' } };
    const answers = [
      await company.enterprise('createWorkingSession', request),
      await company.enterprise('createWorkingSession', request),
    ];
    expect(answers[1]!.body).toEqual(answers[0]!.body);
    await punch(employee, 'start', { action_time: at('13:00') });
    await punch(employee, 'end', { action_time: at('14:00') });
    expect((await company.post({ starts_at: at('13:30'), ends_at: at('15:00') })).status).toBe(400);
    expect((await company.post({ starts_at: at('14:00'), ends_at: at('15:00') })).status).toBe(200);
  });

  it('400 in a closed month, 403 with a token that may only read', async () => {
    const company = await newSessions();
    const { admin, employee } = company;
    const { id } = await company.made({ external_id: 'shift-7' });
    const closing = { month: '2026-03', user_ids: [employee.id] };
    expect((await admin.call('createAccountingPeriods', { body: bodyOf('accounting_period', closing) })).status).toBe(
      400,
    );
    await company.enterprise('confirmWorkingSession', { body: { working_session: { id } } });
    await admin.call('updateUser', {
      params: { user_id: employee.id },
      body: bodyOf('user', { start_of_accounting: '2026-03-01' }),
    });
    const closed = await admin.call('createAccountingPeriods', { body: bodyOf('accounting_period', closing) });
    expect([closed.status, closed.body.errors]).toEqual([201, undefined]);
    const late = { starts_at: at('13:00'), ends_at: at('14:00') };
    for (const refused of [
      await company.post(late),
      await company.put({ id, manual_pause: 5 }),
      await company.enterprise('resetWorkingSession', { body: { working_session: { id } } }),
      await company.enterprise('deleteWorkingSession', { query: { id } }),
    ])
      expect([refused.status, titlesIn(refused)[0]]).toEqual([
        400,
        expect.stringMatching(/^2026-03 of user \d+ is closed/),
      ]);
    expect((await company.post({ external_id: 'shift-7' })).status).toBe(200);
    const token = (
      await admin.call('createApiToken', { body: bodyOf('api_token', { name: 'Reads', read_only: true }) })
    ).body.data.attributes.token;
    const reading = supertest((await service()).url);
    const address = `/public_api/v1/working_sessions?api_token=${token}`;
    expect((await reading.post(address).send({ working_session: { ...company.basics, ...late } })).status).toBe(403);
    expect((await reading.get(`${address}&id=${id}`)).status).toBe(200);
    expect((await reading.delete(`${address}&id=${id}`)).status).toBe(403);
  });
});
