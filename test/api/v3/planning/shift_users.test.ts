import { describe, expect, it } from 'vitest';
import { absenceOf } from '../../../support/absences.ts';
import { pointersIn, titlesIn } from '../../../support/client.ts';
import { insertTimeTracking } from '../../../support/records.ts';
import { newRoster, newShift, shiftsSeenBy, updateShift, type RosterWorld } from '../../../support/shifts/shifts.ts';
import { bodyOf, type Person } from '../../../support/world.ts';

const assign = (person: Person, shift_id: string, user_ids: readonly (number | string)[], more: object = {}) =>
  person.call('updateShiftUsers', { params: { shift_id }, body: bodyOf('event', { user_ids, ...more }) });

const at = (starts_at: string, ends_at: string) => ({
  starts_at: `2026-06-${starts_at}:00+02:00`,
  ends_at: `2026-06-${ends_at}:00+02:00`,
});

/** A shift of the bar on Tuesday, 9 June, from 8 to 16. */
const tuesday = ({ admin, bar }: RosterWorld) =>
  newShift(admin, { working_area_id: bar, ...at('09T08:00', '09T16:00') });

async function absent(roster: RosterWorld, user: Person, times: object, isConfirmed: boolean): Promise<void> {
  const absence_id = await absenceOf(roster, roster.admin, { user_id: user.id, ...times });
  if (isConfirmed) await roster.admin.call('confirmAbsence', { params: { absence_id } });
}

const tuesdayOff = { starts_at: '2026-06-09T00:00:00+02:00', ends_at: '2026-06-09T23:59:59+02:00', full_day: true };

describe('updateShiftUsers', () => {
  it('200 replaces the users, in the order in which they came, also by an area admin', async () => {
    const roster = await newRoster();
    const { admin, employee, barAdmin } = roster;
    const { id } = await tuesday(roster);
    const users = async (ids: readonly number[]) => {
      const { status, body } = await assign(barAdmin, id, ids);
      expect(status).toBe(200);
      return body.data.relationships.users.data.map((user: { id: string }) => Number(user.id));
    };
    expect(await users([employee.id, admin.id])).toEqual([employee.id, admin.id]);
    expect(await users([barAdmin.id, admin.id])).toEqual([admin.id, barAdmin.id]);
    expect(await shiftsSeenBy(admin, `filter[user_id]=${barAdmin.id}`)).toEqual([id]);
    expect(await shiftsSeenBy(admin, `filter[user_id]=${employee.id}`)).toEqual([]);
    const shown = await admin.call('getShift', { params: { shift_id: id }, query: { include: 'users' } });
    expect(shown.body.included).toHaveLength(2);
    expect(await users([])).toEqual([]);
  });

  it('400 for users who are absent, with the absence, and 200 if it is forced', async () => {
    const roster = await newRoster();
    const { admin, employee, barAdmin } = roster;
    await absent(roster, employee, tuesdayOff, true);
    await absent(roster, barAdmin, tuesdayOff, false);
    const { id } = await tuesday(roster);
    const response = await assign(admin, id, [employee.id, barAdmin.id, admin.id]);
    expect(response.status).toBe(400);
    expect(pointersIn(response)).toEqual(['user_ids', 'user_ids']);
    const span = 'from 2026-06-09T00:00:00+02:00 to 2026-06-09T23:59:59+02:00';
    expect(titlesIn(response).sort()).toEqual(
      [
        `user_ids names ${employee.id}, who has a confirmed absence ${span}. Send force to assign them all the same.`,
        `user_ids names ${barAdmin.id}, who has requested an absence ${span}. Send force to assign them all the same.`,
      ].sort(),
    );
    const { body } = await admin.call('getShift', { params: { shift_id: id } });
    expect(body.data.relationships.users.data).toEqual([]);
    expect((await assign(admin, id, [employee.id, barAdmin.id], { force: true })).status).toBe(200);
    // Who is on the shift already is not checked again.
    expect((await assign(admin, id, [employee.id, admin.id])).status).toBe(200);
  });

  it('200 for an absence that was rejected, and one on the day before', async () => {
    const roster = await newRoster();
    const { admin, employee, barAdmin } = roster;
    await absent(roster, employee, tuesdayOff, false);
    const { body } = await admin.call('listAbsences', { query: `filter[user_id]=${employee.id}` });
    await admin.call('resetAbsence', { params: { absence_id: body.data[0].id } });
    const monday = { ...tuesdayOff, starts_at: '2026-06-08T00:00:00+02:00', ends_at: '2026-06-08T23:59:59+02:00' };
    await absent(roster, barAdmin, monday, true);
    const { id } = await tuesday(roster);
    expect((await assign(admin, id, [employee.id, barAdmin.id])).status).toBe(200);
  });

  it('400 for a user on another shift at that time, and 200 for one that touches it', async () => {
    const roster = await newRoster();
    const { admin, employee, kitchen } = roster;
    const late = await newShift(admin, { working_area_id: kitchen, ...at('09T15:59', '09T20:00') });
    const { id } = await tuesday(roster);
    await assign(admin, late.id, [employee.id]);
    const response = await assign(admin, id, [employee.id]);
    expect(titlesIn(response)).toEqual([
      `user_ids names ${employee.id}, who is on another shift from 2026-06-09T15:59:00+02:00 to 2026-06-09T20:00:00+02:00. Send force to assign them all the same.`,
    ]);
    await updateShift(admin, late.id, { starts_at: '2026-06-09T16:00:00+02:00' });
    expect((await assign(admin, id, [employee.id])).status).toBe(200);
  });

  it('400 for too little rest before or after the shift, by the rules of the workspace', async () => {
    const roster = await newRoster();
    const { admin, employee, bar } = roster;
    const { id } = await tuesday(roster);
    const evening = await newShift(admin, { working_area_id: bar, ...at('08T16:00', '08T22:00') });
    const night = await newShift(admin, { working_area_id: bar, ...at('10T02:30', '10T06:00') });
    for (const shift of [evening, night]) expect((await assign(admin, shift.id, [employee.id])).status).toBe(200);
    const response = await assign(admin, id, [employee.id]);
    expect(titlesIn(response)).toEqual([
      `user_ids names ${employee.id}, whose rest before the shift would be 10 hours. At least 11 hours are needed. Send force to assign them all the same.`,
      `user_ids names ${employee.id}, whose rest after the shift would be 10 hours 30 minutes. At least 11 hours are needed. Send force to assign them all the same.`,
    ]);
    await admin.call('updateWorkspace', { body: bodyOf('workspace', { minimum_rest_hours: 10 }) });
    expect((await assign(admin, id, [employee.id])).status).toBe(200);
  });

  it('200 for too little rest where the workspace has switched the rule off', async () => {
    const roster = await newRoster();
    const { admin, employee, bar } = roster;
    await admin.call('updateWorkspace', { body: bodyOf('workspace', { working_time_rules: ['long_work'] }) });
    const { id } = await tuesday(roster);
    const evening = await newShift(admin, { working_area_id: bar, ...at('08T16:00', '08T23:00') });
    await assign(admin, evening.id, [employee.id]);
    expect((await assign(admin, id, [employee.id])).status).toBe(200);
  });

  it('400 for too little rest after a shift of another workspace, and after recorded work', async () => {
    const roster = await newRoster();
    const { admin, employee } = roster;
    const { body } = await admin.call('createWorkspace', { body: bodyOf('workspace', { name: 'Hill' }) });
    const params = { workspace_id: body.data.id };
    const area = await admin.call('createArea', { params, body: bodyOf('area', { name: 'Cellar' }) });
    const late = bodyOf('event', { working_area_id: area.body.data.id, ...at('08T16:00', '08T22:00') });
    const elsewhere = await admin.call('createShift', { params, body: late });
    const inHill = { ...params, shift_id: elsewhere.body.data.id };
    const first = await admin.call('updateShiftUsers', {
      params: inHill,
      body: bodyOf('event', { user_ids: [admin.id] }),
    });
    expect(first.status).toBe(200);
    await insertTimeTracking(roster, employee.id, {
      starts_at: new Date('2026-06-08T14:00:00Z'),
      ends_at: new Date('2026-06-08T21:00:00Z'),
    });
    const { id } = await tuesday(roster);
    expect(titlesIn(await assign(admin, id, [admin.id, employee.id])).sort()).toEqual(
      [
        `user_ids names ${admin.id}, whose rest before the shift would be 10 hours. At least 11 hours are needed. Send force to assign them all the same.`,
        `user_ids names ${employee.id}, whose rest before the shift would be 9 hours. At least 11 hours are needed. Send force to assign them all the same.`,
      ].sort(),
    );
  });

  it('400 for who is no active user of the workspace, forced or not', async () => {
    const roster = await newRoster();
    const { admin, employee, stranger, db, accountId } = roster;
    await db
      .updateTable('users')
      .set({ status: 'inactive' })
      .where('account_id', '=', accountId)
      .where('id', '=', employee.id)
      .execute();
    const { id } = await tuesday(roster);
    const response = await assign(admin, id, [employee.id, stranger.id, 'abc'], { force: true });
    expect(titlesIn(response)).toEqual([
      `user_ids names "abc", ${employee.id}, ${stranger.id}, which is no active user of this workspace.`,
    ]);
  });

  it('403 for an area admin, of a shift in a foreign area', async () => {
    const { admin, employee, barAdmin, kitchen } = await newRoster();
    const { id } = await newShift(admin, { working_area_id: kitchen, visible: true });
    expect((await assign(barAdmin, id, [barAdmin.id])).status).toBe(403);
    expect((await assign(employee, id, [employee.id])).status).toBe(403);
  });

  it('404 for an unknown shift', async () => {
    const { admin } = await newRoster();
    expect((await assign(admin, '4711', [])).status).toBe(404);
  });
});

describe('updateShift of a shift with users', () => {
  it('400 for times that do not suit a user, and 200 if it is forced', async () => {
    const roster = await newRoster();
    const { admin, employee } = roster;
    await absent(roster, employee, tuesdayOff, true);
    const { id } = await newShift(admin, { working_area_id: roster.bar, ...at('10T08:00', '10T16:00') });
    await assign(admin, id, [employee.id]);
    const response = await updateShift(admin, id, at('09T08:00', '09T16:00'));
    expect(pointersIn(response)).toEqual(['starts_at']);
    expect(titlesIn(response)[0]).toContain(`starts_at does not suit user ${employee.id}, who has a confirmed absence`);
    const shown = await admin.call('getShift', { params: { shift_id: id } });
    expect(shown.body.data.attributes.starts_at).toBe('2026-06-10T06:00:00Z');
    expect((await updateShift(admin, id, { ...at('09T08:00', '09T16:00'), force: true })).status).toBe(200);
    // What does not change the times needs no force.
    expect((await updateShift(admin, id, { note: 'Sorry' })).status).toBe(200);
  });
});
