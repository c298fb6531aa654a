import { insertAbsence, insertArea, insertTimeTracking } from './records.ts';
import { newWorld } from './world.ts';

/** An employee and a colleague who share an area, a tag and followed records. The colleague has a value in every private place. */
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
  return { world, admin, employee, colleague, params: { area_id, tag_id, time_tracking_id, absence_id } };
}
