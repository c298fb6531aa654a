import { describe, expect, it } from 'vitest';
import { absenceOf, at, shownAbsence, typeOf } from '../../../support/absences.ts';
import { pointersIn, titlesIn } from '../../../support/client.ts';
import { newEnterpriseWithAbsences } from '../../../support/enterprise_absences.ts';
import { bodyOf, newWorld, type World } from '../../../support/world.ts';

const retype = ({ employee }: World, id: string, absence_type_id: unknown, person = employee) =>
  person.call('updateAbsence', at(id, { body: bodyOf('absence', { absence_type_id }) }));

const typeShown = async ({ admin }: World, id: string): Promise<number> =>
  Number((await admin.call('getAbsence', at(id))).body.data.relationships.absence_type.data.id);

describe('another absence type', () => {
  it('200 for a pending absence, which is measured again, with the title of the type and a note', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    await admin.call('updateUser', {
      params: { user_id: employee.id },
      body: bodyOf('user', { calc_vacation_options: 'custom', hours_on_vacation_day: 6 }),
    });
    const id = await absenceOf(world, employee);
    expect(await shownAbsence(world, id)).toMatchObject({ title: 'Urlaub', days: 10, hours: 60 });
    const sickness = await typeOf(world, 'sickness');
    const { status, body } = await retype(world, id, String(sickness));
    expect([status, body.data.attributes]).toEqual([
      200,
      expect.objectContaining({ title: 'Krankheit', days: 10, hours: 80, confirmation_status: 'pending' }),
    ]);
    expect(await typeShown(world, id)).toBe(sickness);
    const { body: notes } = await admin.call('listAbsenceNotes', at(id, { query: { sort: '-id' } }));
    expect(notes.data[0].attributes.content).toBe(
      'employee changed the absence from Urlaub, 2026-07-06 to 2026-07-17, 10 days, 60 hours to Krankheit, 2026-07-06 to 2026-07-17, 10 days, 80 hours.',
    );
  });

  it('200 and keeps a title that somebody gave', async () => {
    const world = await newWorld();
    const id = await absenceOf(world, world.employee, { title: 'Summer' });
    const { body } = await retype(world, id, await typeOf(world, 'special'));
    expect(body.data.attributes.title).toBe('Summer');
  });

  it('400 for an absence that is decided, and 200 for the type that it has', async () => {
    const world = await newWorld();
    const { admin } = world;
    const [vacation, sickness] = [await typeOf(world), await typeOf(world, 'sickness')];
    for (const [decide, status] of [
      ['confirmAbsence', 'confirmed'],
      ['resetAbsence', 'rejected'],
    ] as const) {
      const id = await absenceOf(world, world.employee);
      await admin.call(decide, at(id));
      const refused = await retype(world, id, sickness, admin);
      expect([refused.status, pointersIn(refused), titlesIn(refused)]).toEqual([
        400,
        ['absence_type_id'],
        [expect.stringContaining(`this one is ${status}`)],
      ]);
      expect((await retype(world, id, vacation, admin)).status).toBe(200);
      expect(await typeShown(world, id)).toBe(vacation);
    }
  });

  it('400 for a type that is unknown or that the user may not use, also where the change says more', async () => {
    const world = await newWorld();
    const id = await absenceOf(world, world.employee);
    const sickness = await typeOf(world, 'sickness');
    await world.admin.call('updateUser', {
      params: { user_id: world.employee.id },
      body: bodyOf('user', { absence_type_ids: [await typeOf(world)] }),
    });
    for (const absence_type_id of [sickness, 999_999_999]) {
      const refused = await world.admin.call(
        'updateAbsence',
        at(id, { body: bodyOf('absence', { absence_type_id, ends_at: '2026-07-01T09:00:00+02:00' }) }),
      );
      expect([refused.status, pointersIn(refused)]).toEqual([400, ['absence_type_id', 'ends_at']]);
    }
  });
});

describe('another absence type in the public API', () => {
  it('200 by id and by external id while the absence is pending, 400 afterwards, and 200 with the record as it is shown', async () => {
    const { enterprise, newAbsence, typeId, absenceType } = await newEnterpriseWithAbsences();
    const { id } = await newAbsence();
    const special = await absenceType('special');
    const times = { starts_at: '2026-03-02', ends_at: '2026-03-06' };
    const put = (more: object) => enterprise('updatePublicAbsence', { body: { absence: { id, ...times, ...more } } });
    expect((await put({ absence_type_id: special })).body).toMatchObject({
      absence_type_id: special,
      title: 'Sonderurlaub',
    });
    expect((await put({ absence_type_external_id: 'leave' })).body).toMatchObject({ absence_type_id: typeId });
    expect((await put({ absence_type_id: null, absence_type_external_id: '' })).body).toMatchObject({
      absence_type_id: typeId,
    });
    expect(pointersIn(await put({ absence_type_id: special, absence_type_external_id: 'leave' }))).toEqual([
      'absence_type_id',
    ]);
    await enterprise('confirmPublicAbsence', { body: { absence: { id } } });
    expect(pointersIn(await put({ absence_type_id: special }))).toEqual(['absence_type_id']);
    const { body: shown } = await enterprise('findPublicAbsences', { query: { id } });
    expect((await put(shown)).body).toMatchObject({ absence_type_id: typeId, vacation_days: 5 });
  });
});
