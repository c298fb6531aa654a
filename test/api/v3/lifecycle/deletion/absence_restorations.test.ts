import { describe, expect, it } from 'vitest';
import { absenceOf, at, rowsIn } from '../../../../support/absences.ts';
import { titlesIn } from '../../../../support/client.ts';
import { bodyOf, newWorld } from '../../../../support/world.ts';
import { confirmed, removeAbsence } from './support.ts';

describe('restoreAbsence', () => {
  it('201 with its state, days and notes', async () => {
    const world = await newWorld();
    const { admin } = world;
    const id = await confirmed(world);
    const before = (await admin.call('getAbsence', at(id))).body.data;
    await removeAbsence(admin, id);
    expect(await rowsIn(world)).toMatchObject({ absences: 0, notes: 0 });
    const { status, body } = await admin.call('restoreAbsence', at(id));
    expect(status).toBe(201);
    const { attributes, relationships } = body.data;
    expect({ ...attributes, updated_at: null, system_notes_count: 0 }).toEqual({
      ...before.attributes,
      updated_at: null,
      system_notes_count: 0,
    });
    expect(attributes.system_notes_count).toBe(before.attributes.system_notes_count + 1);
    expect(relationships.notes.data.slice(0, -1)).toEqual(before.relationships.notes.data);
    const days = await admin.call('getUserDays', {
      params: { user_id: world.employee.id },
      query: 'from=2026-07-06&to=2026-07-06',
    });
    expect(days.body.data[0].attributes.absence_credit).toBe(8);
  });

  it('201 with the days of the target hours that count now, unless it is confirmed', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const [pending, sure] = [await absenceOf(world, employee), await confirmed(world)];
    for (const id of [pending, sure]) await removeAbsence(admin, id);
    const { body } = await admin.call('listTargetHours', { params: { user_id: employee.id } });
    const change = await admin.call('updateTargetHour', {
      params: { user_id: employee.id, target_hour_id: body.data[0].id },
      body: bodyOf('target_hour', { is_fri: false }),
    });
    expect(change.status).toBe(200);
    const daysOf = async (id: string) =>
      (await admin.call('restoreAbsence', at(id))).body.data.attributes.days as number;
    expect([await daysOf(pending), await daysOf(sure)]).toEqual([8, 10]);
  });

  it('400 where the external id is taken', async () => {
    const world = await newWorld();
    const id = await confirmed(world);
    await removeAbsence(world.admin, id);
    await absenceOf(world, world.employee, { external_id: 'away' });
    const refused = await world.admin.call('restoreAbsence', at(id));
    expect(refused.status).toBe(400);
    expect(titlesIn(refused)).toEqual(['external_id "away" is already used by another absence of this account.']);
  });

  it('201 after a deletion by the public API; 403 for the employee, 404 for a stranger', async () => {
    const world = await newWorld();
    const { admin, employee, stranger } = world;
    const id = await confirmed(world);
    const removed = await world.enterprise('deletePublicAbsence', { body: { absence: { id: Number(id) } } });
    expect(removed.status).toBe(200);
    expect((await employee.call('restoreAbsence', at(id))).status).toBe(403);
    expect((await stranger.call('restoreAbsence', at(id))).status).toBe(404);
    expect((await admin.call('restoreAbsence', at(id))).status).toBe(201);
  });
});
