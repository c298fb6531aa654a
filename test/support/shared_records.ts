import { randomUUID } from 'node:crypto';
import { insertWebhook } from './contract/webhook.ts';
import { insertAbsence, insertArea, insertTimeTracking } from './records.ts';
import { newWorld } from './world.ts';

/** An employee and a colleague who share an area, a tag and followed records. Every private attribute of the colleague has a value. */
export async function sharedRecords() {
  const world = await newWorld();
  const { db, accountId, workspaceId, admin, employee } = world;
  const colleague = await world.addMember('employee', 'Colleague');
  const now = new Date();
  await db
    .updateTable('users')
    .set({ salary: 99, birthday: '1990-01-01', tablet_pin: '4711', staff_number: '7', initial_time_account: 12 })
    .set({ external_id: 'colleague', locale: 'de', time_zone: 'Europe/Berlin', checkin_complete: true, saldo_type: 2 })
    .where('account_id', '=', accountId)
    .where('id', '=', colleague.id)
    .execute();
  const area_id = await insertArea(world, 'Bar', [employee.id, colleague.id]);
  const { id: tag_id } = await db
    .insertInto('tags')
    .values({ account_id: accountId, workspace_id: workspaceId, title: 'Late', created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const user_id of [employee.id, colleague.id])
    await db.insertInto('user_tags').values({ account_id: accountId, user_id, tag_id }).execute();
  const time_tracking_id = await insertTimeTracking(world, employee.id, { area_id });
  await insertTimeTracking(world, colleague.id, { ends_at: null });
  const absence_id = await insertAbsence(world, employee.id);
  const tracked = { account_id: accountId, user_id: colleague.id };
  await db.insertInto('time_tracking_followers').values({ ...tracked, time_tracking_id }).execute(); // prettier-ignore
  await db.insertInto('absence_followers').values({ ...tracked, absence_id }).execute(); // prettier-ignore
  await db.insertInto('time_tracking_tags').values({ account_id: accountId, time_tracking_id, tag_id }).execute();
  const fields = await db.selectFrom('custom_fields').select('id').where('account_id', '=', accountId).execute();
  for (const { id } of fields)
    await db
      .insertInto('custom_field_values')
      .values({ ...tracked, custom_field_id: id, value: 'private' })
      .execute();
  const times = { starts_at: new Date('2026-01-07T08:00:00Z'), ends_at: new Date('2026-01-07T16:00:00Z') };
  const { id: shift_id } = await db
    .insertInto('shifts')
    .values({
      ...times,
      account_id: accountId,
      workspace_id: workspaceId,
      area_id,
      uuid: randomUUID(),
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('assignments').values({ ...tracked, ...times, shift_id, application: false, created_at: now }).execute(); // prettier-ignore
  const webhook_id = await insertWebhook(world);
  const params = { area_id, tag_id, time_tracking_id, absence_id, shift_id, webhook_id };
  return { world, admin, employee, colleague, params };
}
