import { describe, expect, it } from 'vitest';
import { absenceOf, at } from '../../../support/absences.ts';
import { insertArea } from '../../../support/records.ts';
import { service } from '../../../support/service.ts';
import { record } from '../../../support/time_trackings.ts';
import { bodyOf, newWorld, type Person } from '../../../support/world.ts';

/** The notifications of a person, without the warnings that admins get. */
async function newsOf(person: Person) {
  const { body } = await person.call('listNotifications', { query: 'items=100' });
  return (
    body.data as {
      type: string;
      attributes: { title: string; message: string };
      relationships: { entity: { data: { type: string; id: string } | null } };
    }[]
  )
    .filter(({ type }) => type === 'notification')
    .map(({ attributes: { title, message }, relationships: { entity } }) => ({ title, message, about: entity.data }));
}

const titlesOf = async (person: Person) => (await newsOf(person)).map(({ title }) => title);

describe('createAbsence', () => {
  it('200 notifies those who may decide about the request of an employee, and nobody else', async () => {
    const world = await newWorld();
    const [inside, outside, boss, owner] = [
      await world.addMember('areaAdmin', 'Ada'),
      await world.addMember('areaAdmin', 'Otto'),
      await world.addMember('workspaceAdmin', 'Willa'),
      await world.addMember('accountAdmin', 'Carol'),
    ];
    const colleague = await world.addMember('employee', 'Colin');
    await insertArea(world, 'Bar', [inside.id, world.employee.id, colleague.id]);
    await insertArea(world, 'Kitchen', [outside.id]);
    const id = await absenceOf(world, world.employee);
    for (const person of [world.admin, inside, boss, owner])
      expect(await newsOf(person)).toEqual([
        {
          title: 'An absence was requested',
          message: 'employee requested "Urlaub", 2026-07-06 to 2026-07-17.',
          about: { type: 'absence', id },
        },
      ]);
    for (const person of [world.employee, colleague, outside]) expect(await newsOf(person)).toEqual([]);
  });

  it('200 notifies nobody of an absence that its creator may decide about', async () => {
    const world = await newWorld();
    const boss = await world.addMember('workspaceAdmin');
    await absenceOf(world, boss, { user_id: world.employee.id });
    await absenceOf(world, boss);
    expect([await titlesOf(world.admin), await titlesOf(boss), await titlesOf(world.employee)]).toEqual([[], [], []]);
  });

  it('200 notifies the other admins where the workspace requires four eyes, also when one is set back', async () => {
    const world = await newWorld();
    const boss = await world.addMember('workspaceAdmin', 'Willa');
    await world.admin.call('updateWorkspace', { body: bodyOf('workspace', { require_four_eyes: true }) });
    const id = await absenceOf(world, boss);
    await world.admin.call('confirmAbsence', at(id));
    const body = bodyOf('absence', { ends_at: '2026-07-10T17:00:00+02:00' });
    expect((await boss.call('updateAbsence', at(id, { body }))).status).toBe(200);
    expect(await newsOf(world.admin)).toMatchObject([
      { title: 'An absence was requested' },
      {
        title: 'A confirmed absence was changed and is pending',
        message: 'Willa changed "Urlaub", 2026-07-06 to 2026-07-10.',
      },
    ]);
    expect(await titlesOf(boss)).toEqual(['Your absence was confirmed']);
  });
});

describe('a change of an absence by somebody else', () => {
  it('notifies its user of the change and of the deletion, in both APIs', async () => {
    const world = await newWorld();
    const [one, other] = [await absenceOf(world, world.employee), await absenceOf(world, world.employee)];
    const update = (person: Person, attributes: object) =>
      person.call('updateAbsence', at(one, { body: bodyOf('absence', attributes) }));
    await update(world.employee, { ends_at: '2026-07-16T17:00:00+02:00' });
    expect(await newsOf(world.employee)).toEqual([]);
    await update(world.admin, { ends_at: '2026-07-16T17:00:00+02:00' });
    expect(await newsOf(world.employee)).toEqual([]);
    await update(world.admin, { ends_at: '2026-07-10T17:00:00+02:00' });
    await world.admin.call('deleteAbsence', at(one));
    await world.enterprise('deletePublicAbsence', { body: { absence: { id: Number(other) } } });
    // The notification about the change is deleted with its absence.
    expect(await newsOf(world.employee)).toMatchObject([
      {
        title: 'Your absence was deleted',
        message: 'admin deleted "Urlaub", 2026-07-06 to 2026-07-10.',
        about: null,
      },
      { title: 'Your absence was deleted', about: null },
    ]);
  });

  it('notifies a user who follows their own absence once', async () => {
    const world = await newWorld();
    const id = await absenceOf(world, world.admin, { user_id: world.employee.id, follower_ids: [world.employee.id] });
    const body = bodyOf('absence', { ends_at: '2026-07-10T17:00:00+02:00' });
    await world.admin.call('updateAbsence', at(id, { body }));
    expect(await titlesOf(world.employee)).toEqual(['An absence was changed']);
  });
});

describe('a change of a time tracking by somebody else', () => {
  it('notifies its user of new times and breaks, and not of what leaves the time as it is', async () => {
    const { admin, employee } = await newWorld();
    const { id } = await record(employee);
    const params = { time_tracking_id: id };
    const update = (person: Person, attributes: object) =>
      person.call('updateTimeTracking', { params, body: bodyOf('time_tracking', attributes) });
    await update(employee, { ends_at: '2026-01-05T11:00:00Z' });
    await admin.call('confirmTimeTracking', { params });
    await update(admin, { ends_at: '2026-01-05T11:00:00Z', confirmed: false });
    expect(await newsOf(employee)).toEqual([]);
    await update(admin, { ends_at: '2026-01-05T12:00:00Z' });
    const pause = { starts_at: '2026-01-05T09:00:00Z', ends_at: '2026-01-05T09:30:00Z' };
    await admin.call('createBreak', { params, body: bodyOf('break', pause) });
    expect(await newsOf(employee)).toMatchObject([
      {
        title: 'Your time tracking was changed',
        message:
          'admin changed the times from 2026-01-05T09:00:00+01:00 – 2026-01-05T12:00:00+01:00 to 2026-01-05T09:00:00+01:00 – 2026-01-05T13:00:00+01:00.',
        about: { type: 'time_tracking', id },
      },
      { title: 'Your time tracking was changed', about: { type: 'time_tracking', id } },
    ]);
    expect(await newsOf(admin)).toEqual([]);
  });

  it('notifies both users when it is moved from one to the other', async () => {
    const world = await newWorld();
    const colleague = await world.addMember('employee', 'Colin');
    const { id } = await record(world.employee);
    const body = bodyOf('time_tracking', { user_id: colleague.id });
    await world.admin.call('updateTimeTracking', { params: { time_tracking_id: id }, body });
    for (const person of [world.employee, colleague])
      expect(await titlesOf(person)).toEqual(['Your time tracking was changed']);
  });

  it('notifies its user of the deletion, in a batch once for all of theirs', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const colleague = await world.addMember('employee', 'Colin');
    const { id: alone } = await record(colleague);
    await admin.call('deleteTimeTracking', { params: { time_tracking_id: alone } });
    expect(await newsOf(colleague)).toEqual([
      {
        title: 'Your time tracking was deleted',
        message: 'admin deleted the time tracking 2026-01-05T09:00:00+01:00 – 2026-01-05T11:00:00+01:00.',
        about: null,
      },
    ]);
    const ids: string[] = [];
    for (let day = 10; day < 22; day += 1)
      ids.push(
        (await record(employee, { starts_at: `2026-01-${day}T08:00:00Z`, ends_at: `2026-01-${day}T09:00:00Z` })).id,
      );
    const own = await record(admin);
    const body = bodyOf('batch_action', { action: 'destroy', ids: [...ids, own.id] });
    expect((await admin.call('batchTimeTrackings', { body })).status).toBe(200);
    await (await service()).jobs.drain();
    const news = await newsOf(employee);
    // A batch runs in chunks, the first of which has one item.
    expect(news.length).toBeLessThan(ids.length);
    const counted = news.map(({ title }) => Number(/^(\d+) of your/.exec(title)?.[1] ?? 1));
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(ids.length);
    expect(await newsOf(admin)).toEqual([]);
  });
});
