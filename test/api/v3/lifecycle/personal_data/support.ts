import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { png } from '../../../../support/images.ts';
import { service } from '../../../../support/service.ts';
import { bodyOf, type Person, type World } from '../../../../support/world.ts';
import { bytesAt } from '../../payroll/exports/support.ts';

/** Calls an operation that succeeds, and returns the body. */
export async function asked(person: Person, operationId: string, options: object = {}) {
  const { status, body } = await person.call(operationId, options);
  expect([operationId, status, body.errors]).toEqual([operationId, status, undefined]);
  return body;
}

/** Asks for a copy of the data of a user, makes it, and returns its attributes. */
export async function madeCopy(person: Person, userId: number) {
  const { data } = await asked(person, 'createDataExport', { params: { user_id: userId } });
  expect(data.attributes).toMatchObject({ status: 'pending', file_url: null, progress: 0, message: null });
  await (await service()).jobs.drain();
  const params = { user_id: userId, data_export_id: data.id };
  return (await asked(person, 'getDataExport', { params })).data.attributes;
}

export const archiveOf = async (person: Person, userId: number): Promise<Buffer> =>
  bytesAt((await madeCopy(person, userId)).file_url);

export const anonymise = (person: Person, userId: number, attributes: object) =>
  person.call('createAnonymisation', { params: { user_id: userId }, body: bodyOf('anonymisation', attributes) });

/** The whole database as text, table by table, with the queue. Bytes are shown as bytes and as the text that they encode. */
export async function dump(): Promise<Record<string, string>> {
  const { db } = (await service()).database;
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select schemaname as schema, tablename as name from pg_tables where schemaname in ('public', 'pgboss')`.execute(db);
  const texts: Record<string, string> = {};
  for (const { schema, name } of tables) {
    const { rows } = await sql<{ text: string | null }>`
      select string_agg(line::text, E'\n') as text from ${sql.table(`${schema}.${name}`)} line`.execute(db);
    texts[`${schema}.${name}`] = rows[0]!.text ?? '';
  }
  return texts;
}

/** The tables of a dump in which a marker occurs, as text or as bytes. */
export const tablesWith = (texts: Record<string, string>, marker: string): string[] =>
  Object.entries(texts)
    .filter(([, text]) => text.toLowerCase().includes(marker) || text.includes(Buffer.from(marker).toString('hex')))
    .map(([table]) => table)
    .sort();

/** A marker that nothing else in the database contains, in lower case as addresses are. */
export const newMarker = (): string => `mark${randomUUID().replaceAll('-', '')}`;

/** A user with a marker in every personal field that they can have. */
export async function markedUser(world: World, marker: string): Promise<Person> {
  const { db, accountId, admin, enterprise } = world;
  const user = await world.addMember('employee', `Former ${marker}`);
  const { id: user_id } = user;
  const times = { starts_at: '2026-01-05T08:00:00+01:00', ends_at: '2026-01-05T20:00:00+01:00' };
  const ofUser = { user: { data: { type: 'user', id: String(user_id) } } };
  const file = { name: `${marker}.txt`, bytes: Buffer.from(`A file about ${marker}.`) };
  const image = { field: 'image', name: `${marker}.png`, bytes: png };

  const webhook = await asked(admin, 'createWebhook', {
    body: bodyOf('webhook', { url: 'https://hooks.example.com/here', events: ['*'], description: 'All' }),
  });
  await asked(admin, 'updateUser', {
    params: { user_id },
    body: bodyOf('user', {
      username: marker,
      email: `${marker}@example.com`,
      external_id: marker,
      staff_number: marker,
      abbreviation: marker.slice(0, 30),
      tablet_pin: marker.slice(0, 30),
      birthday: '1990-04-23',
      avatar: `data:image/png;base64,${png.toString('base64')}`,
    }),
  });
  await enterprise('updatePublicUser', {
    body: { user: { id: user_id, data_profiles: { phone: marker, desc: marker, start_of_work: '2026-01-01' } } },
  });
  await db.updateTable('users').set({ time_tracking_method_id: marker }).where('account_id', '=', accountId).where('id', '=', user_id).execute(); // prettier-ignore

  const tracking = await asked(admin, 'createTimeTracking', {
    body: bodyOf(
      'time_tracking',
      { ...times, external_id: marker, import_id: marker, created_by: marker, confirmed: true },
      ofUser,
    ),
    headers: { 'Idempotency-Key': `key-${user_id}` },
  });
  const onTracking = { params: { time_tracking_id: tracking.data.id } };
  const pause = { starts_at: '2026-01-05T12:00:00+01:00', ends_at: '2026-01-05T12:30:00+01:00' };
  await asked(admin, 'createBreak', { ...onTracking, body: bodyOf('break', pause) });
  await asked(admin, 'createTimeTrackingFollowers', {
    ...onTracking,
    body: bodyOf('follower', { follower_ids: [world.employee.id] }),
  });
  await asked(user, 'createTimeTrackingNote', { ...onTracking, body: bodyOf('note', { content: `${marker} wrote.` }) });
  await asked(admin, 'createTimeTrackingNote', {
    ...onTracking,
    body: bodyOf('note', { content: `About ${marker}.` }),
  });
  await asked(admin, 'createTimeTrackingAttachments', { ...onTracking, files: [{ field: 'files', ...file }] });
  await asked(user, 'createTimeTrackingSignature', { ...onTracking, form: {}, files: [image] });
  await asked(admin, 'updateTimeTracking', { ...onTracking, body: bodyOf('time_tracking', { ends_at: '2026-01-05T19:00:00+01:00' }) }); // prettier-ignore

  const deleted = await asked(admin, 'createTimeTracking', {
    body: bodyOf('time_tracking', { starts_at: '2026-01-07T08:00:00+01:00', ends_at: '2026-01-07T09:00:00+01:00', external_id: `${marker}-2` }, ofUser), // prettier-ignore
  });
  const onDeleted = { params: { time_tracking_id: deleted.data.id } };
  await asked(admin, 'createTimeTrackingNote', { ...onDeleted, body: bodyOf('note', { content: marker }) });
  await asked(admin, 'createTimeTrackingAttachments', { ...onDeleted, files: [{ field: 'files', ...file }] });
  await asked(admin, 'deleteTimeTracking', onDeleted);

  const types = await asked(admin, 'listAbsenceTypes', {});
  const leave = {
    absence_type_id: Number(types.data[0].id),
    title: `Trip of ${marker}`,
    starts_at: '2026-02-02T00:00:00+01:00',
    ends_at: '2026-02-03T23:59:59+01:00',
    created_by: marker,
    full_day: true,
  };
  const absence = await asked(user, 'createAbsence', { body: bodyOf('absence', { ...leave, user_id }) });
  const onAbsence = { params: { absence_id: absence.data.id } };
  await asked(admin, 'confirmAbsence', onAbsence);
  await asked(user, 'createAbsenceNote', { ...onAbsence, body: bodyOf('note', { content: marker }) });
  await asked(admin, 'createAbsenceAttachments', { ...onAbsence, files: [{ field: 'files', ...file }] });
  await db.updateTable('absences').set({ confirm_message: marker, external_id: marker, outlook_id: marker }).where('account_id', '=', accountId).where('user_id', '=', user_id).execute(); // prettier-ignore
  const other = { ...leave, starts_at: '2026-03-02T00:00:00+01:00', ends_at: '2026-03-02T23:59:59+01:00' };
  const withdrawn = await asked(user, 'createAbsence', { body: bodyOf('absence', { ...other, user_id, follower_ids: [world.employee.id] }) }); // prettier-ignore
  await asked(admin, 'deleteAbsence', { params: { absence_id: withdrawn.data.id } });

  await asked(admin, 'createTimeAccountEntry', {
    params: { user_id },
    body: bodyOf('time_account_entry', { date: '2026-02-02', hours: 1.5, kind: 'correction', note: marker }),
  });
  await enterprise('createVacationEntitlement', {
    body: { vacation_times: { title: marker, user_id, planned_days: 28 } },
  });
  await enterprise('createUpload', {
    form: { user_id: String(user_id), title: marker, description: marker },
    files: [{ field: 'doc', ...file }],
  });
  await asked(user, 'createAction', { body: bodyOf('action', { action_type: 'start', device_id: marker }) });
  await asked(user, 'createAction', { body: bodyOf('action', { action_type: 'end', device_id: marker }) });
  await asked(user, 'updatePreference', {
    params: { user_id, preference_id: 1 },
    body: bodyOf('preference', { value: { [marker]: true } }),
  });
  await db.updateTable('time_trackings').set({ confirmed: true }).where('account_id', '=', accountId).where('user_id', '=', user_id).execute(); // prettier-ignore
  await asked(admin, 'createAccountingPeriods', {
    body: bodyOf('accounting_period', { month: '2026-01', user_ids: [user_id] }),
  });
  // What the person left in records of others.
  const elsewhere = await asked(admin, 'createTimeTracking', {
    body: bodyOf('time_tracking', { starts_at: '2026-01-06T08:00:00+01:00', ends_at: '2026-01-06T09:00:00+01:00' }, { user: { data: { type: 'user', id: String(world.employee.id) } } }), // prettier-ignore
  });
  await db
    .insertInto('notes')
    .values(
      [
        { type: 'SystemNote', content: `${marker} changed the times.`, author_id: null, author: null },
        { type: 'UserNote', content: `By ${marker}`, author_id: user_id, author: marker },
      ].map((note) => ({
        ...note,
        account_id: accountId,
        time_tracking_id: elsewhere.data.id,
        created_at: new Date(),
        updated_at: new Date(),
      })),
    )
    .execute();

  await asked(admin, 'createTimeTrackingExport', { body: bodyOf('export', { export_type: 'list', format: 'csv' }) });
  await madeCopy(user, user_id);
  await leaveTraces(world, user_id, marker, Number(webhook.data.id));
  return user;
}

/** What receivers of webhooks, mail servers and other programs may have sent back, and what jobs kept of it. */
async function leaveTraces({ db, accountId }: World, userId: number, marker: string, webhookId: number) {
  const event = await db
    .selectFrom('events')
    .select(['id', 'name', 'record_type', 'record_id'])
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  await db
    .insertInto('webhook_deliveries')
    .values({
      account_id: accountId,
      webhook_id: webhookId,
      event_id: event.id,
      event: event.name,
      record_type: event.record_type,
      record_id: event.record_id,
      status: 'delivered',
      response_body: `Hello ${marker}`,
      created_at: new Date(),
    })
    .execute();
  await sql`
    update pgboss.job set output = ${JSON.stringify({ message: `550 ${marker}@example.com` })}::jsonb,
      data = data || ${JSON.stringify({ name: marker })}::jsonb
    where group_id = ${String(accountId)} and state = 'completed'`.execute(db);
}
