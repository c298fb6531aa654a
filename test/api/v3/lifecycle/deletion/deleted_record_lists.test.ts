import { describe, expect, it } from 'vitest';
import { jobHandlers } from '../../../../../src/programs/job_handlers.ts';
import { service } from '../../../../support/service.ts';
import { areaWith } from '../../../../support/time_trackings.ts';
import { newWorld } from '../../../../support/world.ts';
import { carrier, confirmed, deletedOf, remove, removeAbsence, restore } from './support.ts';

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

  it('400 for an invalid page, 404 for a stranger', async () => {
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
