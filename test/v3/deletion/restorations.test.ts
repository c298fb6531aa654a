import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { jobHandlers } from '../../../src/job_handlers.ts';
import { absenceOf, at, rowsIn } from '../../support/absences.ts';
import { titlesIn } from '../../support/client.ts';
import { png } from '../../support/images.ts';
import { service } from '../../support/service.ts';
import { areaWith, record } from '../../support/time_trackings.ts';
import { bodyOf, newWorld, type Person, type World } from '../../support/world.ts';

const named = (id: string | number) => ({ params: { time_tracking_id: id } });
const restore = (person: Person, id: string | number) => person.call('restoreTimeTracking', named(id));
const remove = async (person: Person, id: string) =>
  expect((await person.call('deleteTimeTracking', named(id))).status).toBe(200);

interface Listed {
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships: Readonly<Record<string, unknown>>;
}

const deletedOf = async (person: Person, query = ''): Promise<Listed[]> => {
  const { status, body } = await person.call('listDeletedRecords', { query });
  expect(status).toBe(200);
  return body.data;
};

/** A time tracking with everything that one can carry. */
async function carrier() {
  const world = await newWorld();
  const { admin, employee } = world;
  const colleague = await world.addMember('employee', 'colleague');
  const area = await areaWith(world, 'Bar', [employee]);
  const tag = (await admin.call('createTag', { body: bodyOf('tag', { title: 'Late' }) })).body.data.id as string;
  const breaks_attributes = [{ starts_at: '2026-01-05T08:30:00Z', ends_at: '2026-01-05T09:00:00Z' }];
  const ties = { user: employee.id, area, tags: [tag] };
  const { id } = await record(admin, { external_id: 'import-7', breaks_attributes }, ties);
  const path = { params: { time_tracking_id: id } };
  await admin.call('createTimeTrackingNote', { ...path, body: bodyOf('note', { content: 'Was late.' }) });
  await admin.call('createTimeTrackingFollowers', {
    ...path,
    body: bodyOf('follower', { follower_ids: [colleague.id] }),
  });
  await admin.call('createTimeTrackingAttachments', {
    ...path,
    files: [{ field: 'files', name: 'a.png', bytes: png }],
  });
  await admin.call('confirmTimeTracking', path);
  return { world, admin, employee, colleague, area, tag, id };
}

const shown = async (person: Person, id: string) =>
  (await person.call('getTimeTracking', { ...named(id), query: 'include=notes,attachments,breaks' })).body;

describe('restoreTimeTracking', () => {
  it('201 with everything that it had, and a note that says who restored it', async () => {
    const { admin, id } = await carrier();
    const before = await shown(admin, id);
    await remove(admin, id);
    expect((await admin.call('getTimeTracking', named(id))).status).toBe(404);
    const answer = await restore(admin, id);
    expect(answer.status).toBe(201);
    const after = await shown(admin, id);
    const [added] = after.data.relationships.notes.data.slice(-1);
    const notes = [...before.data.relationships.notes.data, added];
    expect(after.data).toEqual({
      ...before.data,
      attributes: {
        ...before.data.attributes,
        updated_at: after.data.attributes.updated_at,
        last_update_by: admin.id,
        system_notes_count: before.data.attributes.system_notes_count + 1,
      },
      relationships: { ...before.data.relationships, notes: { data: notes } },
    });
    expect(answer.body.data).toEqual(after.data);
    const texts = after.included.filter(({ type }: { type: string }) => type === 'note');
    expect(texts.at(-1).attributes.content).toBe('admin restored the time tracking.');
    const others = (all: Listed[]) => all.filter(({ id: one }) => one !== added.id);
    expect(others(after.included)).toEqual(before.included);
    expect(await deletedOf(admin)).toEqual([]);
  });

  it('201 by either form of the id, with the punches that made it', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const punch = (action_type: string, action_time: string) =>
      employee.call('createAction', { body: bodyOf('action', { action_type, action_time }) });
    expect((await punch('start', '2026-01-06T08:00:00Z')).status).toBe(201);
    const { body } = await punch('end', '2026-01-06T10:00:00Z');
    const uuid = body.data.attributes.working_session_id as string;
    await remove(admin, uuid);
    expect((await restore(admin, uuid)).status).toBe(201);
    const action = await admin.call('getAction', { params: { action_id: body.data.id } });
    expect(action.body.data.attributes.working_session_id).toBe(uuid);
  });

  it('is gone from reads, totals and files until it is restored', async () => {
    const { world, admin, employee, id } = await carrier();
    const { included } = await shown(admin, id);
    const { url } = await service();
    const address = included.find(({ type }: { type: string }) => type === 'attachment').attributes.file_url as string;
    const file = () => fetch(new URL(address, url));
    const net = async () => (await admin.call('listTimeTrackings')).body.meta.total_net_time as number;
    expect([(await file()).status, await net()]).toEqual([200, 1.5]);
    await remove(admin, id);
    expect([(await file()).status, await net()]).toEqual([404, 0]);
    const days = await admin.call('getUserDays', {
      params: { user_id: employee.id },
      query: 'from=2026-01-05&to=2026-01-05',
    });
    expect(days.body.data[0].attributes.worked).toBe(0);
    expect((await restore(admin, id)).status).toBe(201);
    expect([(await file()).status, await net()]).toEqual([200, 1.5]);
    expect(
      await world.db.selectFrom('deleted_records').selectAll().where('account_id', '=', world.accountId).execute(),
    ).toEqual([]);
  });

  it('leaves out tags, followers and areas that are gone', async () => {
    const { admin, colleague, area, tag, id } = await carrier();
    await remove(admin, id);
    await admin.call('deleteTag', { params: { tag_id: tag } });
    await admin.call('deleteUser', { params: { user_id: colleague.id } });
    await admin.call('deleteArea', { params: { area_id: area } });
    const { status, body } = await restore(admin, id);
    expect(status).toBe(201);
    const { tags, followers, ...others } = body.data.relationships;
    expect([tags.data, followers.data, others.area]).toEqual([[], [], undefined]);
  });

  it('400 where the external id is taken, or another one runs, and nothing changes', async () => {
    const { world, admin, employee, id } = await carrier();
    await remove(admin, id);
    const { id: other } = await record(admin, { external_id: 'import-7' }, { user: employee.id });
    const refused = await restore(admin, id);
    expect(refused.status).toBe(400);
    expect(titlesIn(refused)).toEqual([
      'external_id "import-7" is already used by another time tracking of this account.',
    ]);
    expect((await deletedOf(admin)).length).toBe(1);
    await remove(admin, other);
    expect((await restore(admin, id)).status).toBe(201);

    const running = { starts_at: '2026-01-07T08:00:00Z', ends_at: null };
    const { id: first } = await record(admin, running, { user: employee.id });
    await remove(admin, first);
    await record(admin, running, { user: employee.id });
    expect(titlesIn(await restore(admin, first))).toEqual([
      'Another time tracking of this user is already running in this workspace. End it first.',
    ]);
    expect(
      await world.db.selectFrom('time_trackings').select('id').where('account_id', '=', world.accountId).execute(),
    ).toHaveLength(2);
  });

  it('400 into a month that was closed since, and 201 once it is open again', async () => {
    const { admin, employee, id } = await carrier();
    await remove(admin, id);
    const body = bodyOf('accounting_period', { month: '2026-01', user_ids: [employee.id] });
    const closed = await admin.call('createAccountingPeriods', { body });
    expect(closed.status).toBe(201);
    const refused = await restore(admin, id);
    expect([refused.status, titlesIn(refused)]).toEqual([400, [expect.stringContaining('2026-01')]]);
    const params = { accounting_period_id: closed.body.data[0].id };
    await admin.call('deleteAccountingPeriod', { params, query: { reason: 'A time tracking was missing.' } });
    expect((await restore(admin, id)).status).toBe(201);
  });

  it('403 for an employee and an admin of other areas, 404 for what is not deleted, lies elsewhere or belongs to a stranger', async () => {
    const { world, admin, employee, id } = await carrier();
    const { stranger } = world;
    expect((await restore(admin, id)).status).toBe(404);
    await remove(admin, id);
    expect((await restore(employee, id)).status).toBe(403);
    expect((await restore(await world.addMember('areaAdmin'), id)).status).toBe(403);
    expect((await restore(admin, 'abc')).status).toBe(404);
    expect((await restore(admin, randomUUID())).status).toBe(404);
    expect((await admin.call('restoreAbsence', at(id))).status).toBe(404);
    expect((await restore(stranger, id)).status).toBe(404);
    const other = await admin.call('createWorkspace', { body: bodyOf('workspace', { name: 'Hill' }) });
    const params = { time_tracking_id: id, workspace_id: other.body.data.id };
    expect((await admin.call('restoreTimeTracking', { params })).status).toBe(404);
    expect((await restore(admin, id)).status).toBe(201);
  });

  it('201 once where two restore it at the same time', async () => {
    const { admin, id } = await carrier();
    await remove(admin, id);
    const answers = await Promise.all([restore(admin, id), restore(admin, id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 404]);
  });

  it('brings back what a batch has deleted', async () => {
    const { admin, id } = await carrier();
    const body = bodyOf('batch_action', { action: 'destroy', ids: [id] });
    expect((await admin.call('batchTimeTrackings', { body })).status).toBe(200);
    await (await service()).jobs.drain();
    expect((await deletedOf(admin)).map(({ attributes }) => attributes['record_id'])).toEqual([id]);
    expect((await restore(admin, id)).status).toBe(201);
  });
});

const removeAbsence = async (person: Person, id: string) =>
  expect((await person.call('deleteAbsence', at(id))).status).toBe(200);

const confirmed = async (world: World) => {
  const id = await absenceOf(world, world.employee, { external_id: 'away' });
  expect((await world.admin.call('confirmAbsence', at(id))).status).toBe(200);
  return id;
};

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

describe('listDeletedRecords', () => {
  it('200 for admins with what they may restore, and nothing for everybody else', async () => {
    const { world, admin, employee, id } = await carrier();
    const absence = await confirmed(world);
    await remove(admin, id);
    await removeAbsence(admin, absence);
    const [tracking, leave] = await deletedOf(admin);
    expect(tracking!.attributes).toMatchObject({
      record_type: 'time_tracking',
      record_id: id,
      starts_at: '2026-01-05T09:00:00+01:00',
      ends_at: '2026-01-05T11:00:00+01:00',
      deleted_by: 'admin',
    });
    const { deleted_at, kept_until } = tracking!.attributes as { deleted_at: string; kept_until: string };
    expect(Number(kept_until.slice(0, 4)) - Number(deleted_at.slice(0, 4))).toBe(2);
    expect(kept_until.slice(4, 19)).toBe(deleted_at.slice(4, 19));
    expect(tracking!.relationships).toEqual({ user: { data: { type: 'user', id: String(employee.id) } } });
    expect(leave!.attributes).toMatchObject({ record_type: 'absence', record_id: absence });
    expect(await deletedOf(employee)).toEqual([]);
    const areaAdmin = await world.addMember('areaAdmin');
    expect(await deletedOf(areaAdmin)).toEqual([]);
    await areaWith(world, 'Kitchen', [areaAdmin, employee]);
    expect(await deletedOf(areaAdmin)).toHaveLength(2);
    const filtered = await deletedOf(admin, `filter[record_type]=eq:absence&filter[user_id]=eq:${employee.id}`);
    expect(filtered.map(({ attributes }) => attributes['record_id'])).toEqual([absence]);
  });

  it('400 for a page that cannot be, 404 for a stranger', async () => {
    const { admin, stranger } = await newWorld();
    expect((await admin.call('listDeletedRecords', { query: { items: 500 } })).status).toBe(400);
    expect((await stranger.call('listDeletedRecords')).status).toBe(404);
  });
});

describe('housekeeping', () => {
  it('removes deleted records and their files for good when their time is over, not before', async () => {
    const { world, admin, id } = await carrier();
    const { db, accountId } = world;
    const { config } = await service();
    await remove(admin, id);
    const mailer = { send: async () => {}, place: 'nowhere', close: () => {} };
    const housekeepingAfter = async (months: number) => {
      const now = new Date();
      now.setUTCMonth(now.getUTCMonth() + months, 1);
      await jobHandlers(db, mailer, config, () => now)['housekeeping']!(undefined as never);
    };
    const files = () => db.selectFrom('files').select('id').where('account_id', '=', accountId).execute();
    await housekeepingAfter(23);
    expect([(await deletedOf(admin)).length, (await files()).length]).toEqual([1, 1]);
    await housekeepingAfter(26);
    expect([(await deletedOf(admin)).length, (await files()).length]).toEqual([0, 0]);
    expect((await restore(admin, id)).status).toBe(404);
  });
});
