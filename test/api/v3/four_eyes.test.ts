import { describe, expect, it } from 'vitest';
import { absenceOf, at, employSince } from '../../support/absences.ts';
import { titlesIn } from '../../support/client.ts';
import { service } from '../../support/service.ts';
import { record, systemNotes } from '../../support/time_trackings.ts';
import { bodyOf, newWorld, type Person, type World } from '../../support/world.ts';

/** A workspace that requires four eyes, with two admins. */
async function careful() {
  const world = await newWorld();
  const other = await world.addMember('workspaceAdmin', 'Olive');
  const settings = bodyOf('workspace', { require_four_eyes: true });
  const { status, body } = await world.admin.call('updateWorkspace', { body: settings });
  expect([status, body.data.attributes.require_four_eyes]).toEqual([200, true]);
  return { ...world, world, other };
}

const tracking = (id: string, attributes?: object) => ({
  params: { time_tracking_id: id },
  ...(attributes ? { body: bodyOf('time_tracking', attributes) } : {}),
});

async function batch(person: Person, attributes: object) {
  const started = await person.call('batchTimeTrackings', { body: bodyOf('batch_action', attributes) });
  if (started.status !== 200) return { titles: titlesIn(started) };
  await (await service()).jobs.drain();
  const shown = await person.call('getBatchAction', { params: { batch_id: started.body.meta.batch_id } });
  return shown.body.data.attributes as { total: number; done: number; failures: { id: string; reason: string }[] };
}

const isConfirmed = async ({ admin }: Pick<World, 'admin'>, id: string) =>
  (await admin.call('getTimeTracking', tracking(id))).body.data.attributes.confirmed as boolean;

describe('time trackings where the workspace requires four eyes', () => {
  it('403 confirms one’s own, and 200 that of another admin', async () => {
    const { admin, other } = await careful();
    const { id } = await record(admin);
    expect((await admin.call('confirmTimeTracking', tracking(id))).status).toBe(403);
    expect((await admin.call('updateTimeTracking', tracking(id, { confirmed: true }))).status).toBe(403);
    expect((await other.call('confirmTimeTracking', tracking(id))).status).toBe(200);
    expect((await admin.call('updateTimeTracking', tracking(id, { confirmed: false }))).status).toBe(403);
    expect((await other.call('updateTimeTracking', tracking(id, { confirmed: false }))).status).toBe(200);
  });

  it('201 creates one’s own unconfirmed, and that of another confirmed', async () => {
    const { admin, other } = await careful();
    expect((await record(admin, { confirmed: true })).attributes['confirmed']).toBe(false);
    expect((await record(admin, { confirmed: true }, { user: other.id })).attributes['confirmed']).toBe(true);
  });

  it('200 sets one’s own confirmed one back when one changes it, or takes over that of another', async () => {
    const { admin, other } = await careful();
    const [own, foreign] = [
      await record(other, { confirmed: true }, { user: admin.id }),
      await record(admin, { confirmed: true }, { user: other.id }),
    ];
    for (const [{ id }, change] of [
      [own, { ends_at: '2026-01-05T11:00:00Z' }],
      [foreign, { user_id: admin.id }],
    ] as const) {
      const { body } = await admin.call('updateTimeTracking', tracking(id, change));
      expect(body.data.attributes.confirmed).toBe(false);
      expect((await systemNotes(admin, id)).at(-1)).toBe(
        'The time tracking is no longer confirmed, because admin changed it and may not confirm it.',
      );
    }
  });

  it('403 deletes one’s own confirmed one; `permissions` says so', async () => {
    const { admin, other } = await careful();
    const { id } = await record(other, { confirmed: true }, { user: admin.id });
    const destroyOf = async (person: Person) =>
      (await person.call('getTimeTracking', { ...tracking(id), query: 'permissions=destroy' })).body.data.attributes
        .permissions;
    expect(await destroyOf(admin)).toEqual({ destroy: false });
    expect((await admin.call('deleteTimeTracking', tracking(id))).status).toBe(403);
    expect(await destroyOf(other)).toEqual({ destroy: true });
    expect((await other.call('deleteTimeTracking', tracking(id))).status).toBe(200);
  });

  it('400 names one’s own in a batch that confirms, takes back or deletes confirmed ones', async () => {
    const { admin, other } = await careful();
    const [open, done] = [await record(admin), await record(other, { confirmed: true }, { user: admin.id })];
    const refused = ({ id }: { id: string }) => ({
      titles: [
        `ids names "${id}", which is your own time tracking. The workspace requires four eyes: another admin decides about its confirmation.`,
      ],
    });
    expect(await batch(admin, { action: 'confirm', ids: [open.id] })).toEqual(refused(open));
    expect(await batch(admin, { action: 'unconfirm', ids: [done.id] })).toEqual(refused(done));
    expect(await batch(admin, { action: 'destroy', ids: [done.id, 4_711] })).toEqual(refused(done));
    expect(await batch(admin, { action: 'destroy', ids: [open.id] })).toMatchObject({ done: 1 });
    expect(await batch(other, { action: 'unconfirm', ids: [done.id] })).toMatchObject({ done: 1 });
  });

  it('200 confirms all others in a batch', async () => {
    const { admin, employee } = await careful();
    const [own, foreign] = [await record(admin), await record(employee)];
    expect(await batch(admin, { action: 'confirm', all: true })).toMatchObject({ total: 1, done: 1, failures: [] });
    expect([await isConfirmed({ admin }, own.id), await isConfirmed({ admin }, foreign.id)]).toEqual([false, true]);
  });

  it('a batch refuses one’s own if the workspace requires four eyes by the time it runs', async () => {
    const world = await newWorld();
    const { admin } = world;
    const other = await world.addMember('workspaceAdmin');
    const [open, done] = [await record(admin), await record(other, { confirmed: true }, { user: admin.id })];
    const start = (action: string, { id }: { id: string }) =>
      admin.call('batchTimeTrackings', { body: bodyOf('batch_action', { action, ids: [id] }) });
    const started = [await start('confirm', open), await start('unconfirm', done), await start('destroy', done)];
    await admin.call('updateWorkspace', { body: bodyOf('workspace', { require_four_eyes: true }) });
    await (await service()).jobs.drain();
    for (const { body } of started) {
      const shown = await admin.call('getBatchAction', { params: { batch_id: body.meta.batch_id } });
      expect(shown.body.data.attributes.failures).toMatchObject([
        {
          reason: 'The workspace requires four eyes: another admin decides about the confirmation of your own time.',
        },
      ]);
    }
    expect([await isConfirmed(world, open.id), await isConfirmed(world, done.id)]).toEqual([false, true]);
  });
});

describe('absences where the workspace requires four eyes', () => {
  it('403 decides about one’s own, and 200 about that of another admin', async () => {
    const { world, admin, other } = await careful();
    const id = await absenceOf(world, admin);
    for (const operation of ['confirmAbsence', 'rejectAbsence', 'resetAbsence']) {
      expect((await admin.call(operation, at(id))).status).toBe(403);
      expect((await other.call(operation, at(id))).status).toBe(200);
    }
  });

  it('200 sets one’s own confirmed one back when one changes it, and 403 deletes it', async () => {
    const { world, admin, other } = await careful();
    await employSince(world, admin.id);
    const id = await absenceOf(world, admin);
    await other.call('confirmAbsence', at(id));
    expect((await admin.call('deleteAbsence', at(id))).status).toBe(403);
    const update = (person: Person, attributes: object) =>
      person.call('updateAbsence', at(id, { body: bodyOf('absence', attributes) }));
    const decided = { confirmation_status: 'confirmed', confirmed: true };
    const same = { starts_at: '2026-07-06T00:00:00+02:00', ends_at: '2026-07-17T23:00:00+02:00', full_day: true };
    expect((await update(admin, same)).body.data.attributes).toMatchObject(decided);
    expect((await update(other, { half_start: true })).body.data.attributes).toMatchObject({ ...decided, days: 9.5 });
    expect((await update(admin, { half_start: false })).body.data.attributes).toMatchObject({
      confirmation_status: 'pending',
      confirmed: null,
      confirmed_at: null,
      days: 10,
    });
    const { body } = await admin.call('listAbsenceNotes', at(id, { query: 'filter[type]=eq:SystemNote&items=100' }));
    expect(body.data.at(-1).attributes.content).toBe(
      'The absence is pending again, because admin changed it and may not decide about it.',
    );
    expect((await admin.call('deleteAbsence', at(id))).status).toBe(200);
  });

  it('200 keeps the amount of one’s own confirmed one that is sent unchanged, although the target has changed', async () => {
    const { world, admin, other } = await careful();
    await employSince(world, admin.id);
    const id = await absenceOf(world, admin);
    await other.call('confirmAbsence', at(id));
    await world.db
      .updateTable('target_hours')
      .set({ is_fri: false })
      .where('account_id', '=', world.accountId)
      .where('user_id', '=', admin.id)
      .execute();
    const body = bodyOf('absence', { starts_at: '2026-07-06T00:00:00+02:00', full_day: true });
    const updated = await admin.call('updateAbsence', at(id, { body }));
    expect(updated.body.data.attributes).toMatchObject({ confirmation_status: 'confirmed', days: 10 });
  });

  it('200 lets an external system decide, change and delete: it is no user', async () => {
    const { world, admin } = await careful();
    const id = Number(await absenceOf(world, admin));
    const named = { body: { absence: { id } } };
    expect((await world.enterprise('confirmPublicAbsence', named)).body.confirmed).toBe(true);
    const times = { starts_at: '2026-07-06', ends_at: '2026-07-10' };
    await world.enterprise('updatePublicAbsence', { body: { absence: { id, ...times } } });
    const shown = await admin.call('getAbsence', at(id));
    expect(shown.body.data.attributes.confirmation_status).toBe('confirmed');
    expect((await world.enterprise('deletePublicAbsence', named)).status).toBe(200);
  });
});
