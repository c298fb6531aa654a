import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { wrongTotals } from '../../../../support/database/totals.ts';
import { insertTimeTracking } from '../../../../support/records.ts';
import { service } from '../../../../support/service.ts';
import { bodyOf, newWorld, type Person, type World } from '../../../../support/world.ts';
import { anonymise, asked, dump, markedUser, newMarker, tablesWith } from './support.ts';

const overridden = { retention_override: true, reason: 'The authority has ordered it.' };

/** Every figure that depends on the records of a user, as an admin reads it. */
async function figuresOf(admin: Person, userId: number) {
  const on = { params: { user_id: userId } };
  const filter = { query: `filter[user_id]=${userId}` };
  const days = { ...on, query: 'from=2026-01-01&to=2026-03-31' };
  const records = async (operation: string) => {
    const { data, meta } = await asked(admin, operation, filter);
    const { request_id: _, ...totals } = meta;
    const figures = data.map(
      ({ id, attributes }: { id: string; attributes: Record<string, unknown> }) =>
      ['gross_time', 'break_time', 'net_time', 'hours', 'days', 'confirmed', 'confirmation_status', 'sums'].map((name) => [id, attributes[name]]), // prettier-ignore
    );
    return { totals, figures };
  };
  const { data: user } = await asked(admin, 'getAccountUser', on);
  const { data: ledger } = await asked(admin, 'getUserDays', days);
  const { data: summaries } = await asked(admin, 'listUserSummaries', { query: 'from=2026-01-01&to=2026-03-31' });
  const own = summaries.find(({ id }: { id: string }) => id.includes(String(userId)));
  return {
    trackings: await records('listTimeTrackings'),
    absences: await records('listAbsences'),
    periods: await records('listAccountingPeriods'),
    ledger: JSON.parse(JSON.stringify(ledger).replaceAll(/"(title|username|name)":"[^"]*"/g, '"name":""')) as unknown,
    summary: own && JSON.parse(JSON.stringify(own).replaceAll(/"username":"[^"]*"/g, '"username":""')),
    vacation: Object.fromEntries(
      Object.entries(user.attributes as Record<string, unknown>).filter(([name]) =>
        /vacation|time_account|holiday/.test(name),
      ),
    ),
  };
}

/** A user whose last working time was long ago. */
async function formerUser(world: World, username = 'Kim Former'): Promise<Person> {
  const person = await world.addMember('employee', username);
  const ends_at = new Date('2020-01-05T16:00:00Z');
  await insertTimeTracking(world, person.id, { starts_at: new Date('2020-01-05T08:00:00Z'), ends_at });
  return person;
}

describe('createAnonymisation', () => {
  it('leaves no trace of the person in the whole database, while every figure stays equal', async () => {
    const world = await newWorld();
    const marker = newMarker();
    const user = await markedUser(world, marker);
    await world.enterprise('deactivatePublicUser', { body: { user: { id: user.id } } });
    const before = await figuresOf(world.admin, user.id);
    expect(before.summary).toBeDefined();
    expect(before.trackings.figures).not.toEqual([]);
    expect(before.absences.figures).not.toEqual([]);
    // The marker is really there before, also in places that nobody thinks of.
    expect(tablesWith(await dump(), marker)).toEqual(expect.arrayContaining([
      ...['absences', 'actions', 'breaks', 'custom_field_values', 'deleted_records', 'directory_emails', 'events', 'file_pieces'],
      ...['files', 'idempotency_keys', 'notes', 'notifications', 'preferences', 'signatures', 'time_account_entries'],
      ...['time_trackings', 'uploads', 'users', 'vacation_entitlements', 'webhook_deliveries'],
    ].map((name) => `public.${name}`))); // prettier-ignore

    const { status, body } = await anonymise(world.admin, user.id, { confirm: marker, ...overridden });
    expect([status, body.errors]).toEqual([201, undefined]);
    expect(body.data.attributes).toMatchObject({ user_id: user.id, retention_override: true });
    expect(tablesWith(await dump(), marker)).toEqual([]);
    expect(await figuresOf(world.admin, user.id)).toEqual(before);
    expect(await wrongTotals(world.db, world.accountId)).toEqual([]);
    expect((await user.call('getCurrentUser')).status).toBe(401);
  }, 300_000);

  it('201 after the retention, without an override, and the event names nobody', async () => {
    const world = await newWorld();
    const user = await formerUser(world);
    const { status, body } = await anonymise(world.admin, user.id, { confirm: 'Kim Former' });
    expect(status).toBe(201);
    expect(body.data.attributes).toMatchObject({
      retention_until: '2022-01-05T16:00:00Z',
      retention_override: false,
    });
    const shown = await asked(world.admin, 'getAccountUser', { params: { user_id: user.id } });
    expect(shown.data.attributes).toMatchObject({ username: 'Anonymised', email: '', status: 'inactive', tablet_pin: null }); // prettier-ignore
    const { data } = await asked(world.admin, 'listEvents', { query: `filter[name]=eq:user.anonymised` });
    expect(data).toHaveLength(1);
    expect(JSON.stringify(data)).not.toContain('Kim');
    expect(Object.keys(data[0].attributes.changes)).toEqual(['anonymised_at']);
  });

  it('201 with an override, whose reason stays in the history', async () => {
    const world = await newWorld();
    await insertTimeTracking(world, world.employee.id, { ends_at: new Date() });
    expect((await anonymise(world.admin, world.employee.id, { confirm: 'employee', ...overridden })).status).toBe(201);
    const { data } = await asked(world.admin, 'listEvents', { query: `filter[name]=eq:user.anonymised` });
    expect(data[0].attributes.changes).toMatchObject({
      retention_override: [null, true],
      reason: [null, 'The authority has ordered it.'],
    });
  });

  it('201 for a deleted user', async () => {
    const world = await newWorld();
    const user = await formerUser(world);
    await asked(world.admin, 'deleteUser', { params: { user_id: user.id } });
    expect((await anonymise(world.admin, user.id, { confirm: 'Kim Former' })).status).toBe(201);
    expect(await world.db.selectFrom('users').select('username').where('id', '=', user.id).executeTakeFirst()).toEqual({
      username: 'Anonymised',
    });
  });

  it('400 for another name than that of the user, and for both problems at once', async () => {
    const world = await newWorld();
    await insertTimeTracking(world, world.employee.id, { ends_at: new Date() });
    const response = await anonymise(world.admin, world.employee.id, { confirm: 'Somebody' });
    expect(response.status).toBe(400);
    expect(pointersIn(response)).toEqual(['confirm', 'retention_override']);
    expect(titlesIn(response)[0]).toBe('confirm must be the username "employee", but was "Somebody".');
    expect(titlesIn(response)[1]).toMatch(
      /^The working times of this user must be kept until .+Z\. To anonymise the user earlier, send retention_override as true, with a reason\.$/,
    );
    const { username } = await world.db.selectFrom('users').select('username').where('id', '=', world.employee.id).executeTakeFirstOrThrow(); // prettier-ignore
    expect(username).toBe('employee');
  });

  it('400 for an override without a reason', async () => {
    const world = await newWorld();
    const response = await anonymise(world.admin, world.employee.id, { confirm: 'employee', retention_override: true });
    expect([response.status, pointersIn(response)]).toEqual([400, ['reason']]);
  });

  it('400 for a user who is anonymised already, whose attributes nobody changes any more', async () => {
    const world = await newWorld();
    const user = await formerUser(world);
    await anonymise(world.admin, user.id, { confirm: 'Kim Former' });
    const again = await anonymise(world.admin, user.id, { confirm: 'Anonymised' });
    expect(again.status).toBe(400);
    expect(titlesIn(again)[0]).toMatch(/^The user \d+ was anonymised at .+Z already\. Nothing is left to remove\.$/);
    const changed = await world.admin.call('updateUser', {
      params: { user_id: user.id },
      body: bodyOf('user', { username: 'Kim Former' }),
    });
    expect([changed.status, titlesIn(changed)]).toEqual([
      400,
      ['The user was anonymised and cannot be changed any more.'],
    ]);
    expect((await world.enterprise('activatePublicUser', { body: { user: { id: user.id } } })).status).toBe(400);
  });

  it('is done once when two ask at the same time', async () => {
    const world = await newWorld();
    const user = await formerUser(world);
    const both = await Promise.all([1, 2].map(() => anonymise(world.admin, user.id, { confirm: 'Kim Former' })));
    expect(both.map(({ status }) => status).sort()).toEqual([201, 400]);
    const { data } = await asked(world.admin, 'listEvents', { query: `filter[name]=eq:user.anonymised` });
    expect(data).toHaveLength(1);
  });

  it('400 for the last account admin, 201 for one of two', async () => {
    const world = await newWorld();
    const response = await anonymise(world.admin, world.admin.id, { confirm: 'admin' });
    expect([response.status, titlesIn(response)]).toEqual([400, ['This would leave the account without an account admin.']]); // prettier-ignore
    await world.addMember('accountAdmin', 'Second');
    await asked(world.admin, 'createAction', { body: bodyOf('action', { action_type: 'start' }) });
    const own = await anonymise(world.admin, world.admin.id, { confirm: 'admin', ...overridden });
    expect([own.status, own.body.errors]).toEqual([201, undefined]);
    const notes = await world.db
      .selectFrom('notes')
      .select('content')
      .where('account_id', '=', world.accountId)
      .execute();
    expect(notes.filter(({ content }) => content.startsWith('admin'))).toEqual([]);
    const running = world.db.selectFrom('time_trackings').select('id').where('account_id', '=', world.accountId);
    expect(await running.where('ends_at', 'is', null).execute()).toEqual([]);
    expect((await world.admin.call('getAccount')).status).toBe(401);
  });

  it('400 while a batch of the user runs', async () => {
    const world = await newWorld();
    const user = await formerUser(world);
    const id = randomUUID();
    const [created_at, updated_at] = [new Date(), new Date()];
    await world.db.insertInto('batches').values({ account_id: world.accountId, id, workspace_id: world.workspaceId, user_id: user.id, action: 'notifications.destroy', input: '{}', total: 0, created_at, updated_at }).execute(); // prettier-ignore
    const response = await anonymise(world.admin, user.id, { confirm: 'Kim Former' });
    expect(titlesIn(response)).toEqual([
      `The batch ${id}, which this user has started or is part of, still runs. Try again when it has finished.`,
    ]);
  });

  it('403 for everybody else, 404 for strangers and unknown users', async () => {
    const world = await newWorld();
    for (const person of [world.employee, await world.addMember('workspaceAdmin')])
      expect((await anonymise(person, person.id, { confirm: 'employee' })).status).toBe(403);
    expect((await anonymise(world.stranger, world.employee.id, { confirm: 'employee' })).status).toBe(404);
    expect((await anonymise(world.admin, world.stranger.id, { confirm: 'stranger' })).status).toBe(404);
  });

  it('empties the stored responses about the user, and leaves the others', async () => {
    const world = await newWorld();
    const user = await formerUser(world);
    const tracking = await insertTimeTracking(world, user.id);
    await world.db.updateTable('time_trackings').set({ ends_at: new Date('2020-01-06T12:00:00Z'), starts_at: new Date('2020-01-06T08:00:00Z') }).where('id', '=', tracking).execute(); // prettier-ignore
    const key = (name: string) => ({ headers: { 'Idempotency-Key': name } });
    await asked(world.admin, 'createArea', { body: bodyOf('area', { name: 'Bar' }), ...key('area') });
    const note = { params: { time_tracking_id: tracking }, body: bodyOf('note', { content: 'Late again.' }) };
    await asked(world.admin, 'createTimeTrackingNote', { ...note, ...key('note') });
    expect((await anonymise(world.admin, user.id, { confirm: 'Kim Former' })).status).toBe(201);
    const { rows } = await sql<{ key: string; status: number; is_empty: boolean }>`
      select key, status, body is null as is_empty from idempotency_keys where account_id = ${world.accountId} order by key`.execute(
      world.db,
    );
    expect(rows).toEqual([
      { key: 'area', status: 201, is_empty: false },
      { key: 'note', status: 201, is_empty: true },
    ]);
  });

  it('lets an export that is being made begin anew', async () => {
    const world = await newWorld();
    const user = await formerUser(world);
    const { data } = await asked(world.admin, 'createTimeTrackingExport', {
      body: bodyOf('export', { export_type: 'list', format: 'csv' }),
    });
    await anonymise(world.admin, user.id, { confirm: 'Kim Former' });
    await (await service()).jobs.drain();
    const shown = await asked(world.admin, 'getTimeTrackingExport', { params: { export_id: data.id } });
    expect(shown.data.attributes.status).toBe('success');
  });
});

describe('the function that blanks events', () => {
  it('refuses users who are not anonymised, and other accounts', async () => {
    const { db, accountId, employee } = await newWorld();
    const blank = (account: number) =>
      db.transaction().execute(async (tx) => {
        await sql`set local app.account = ${sql.lit(String(account))}`.execute(tx);
        await sql`select anonymise_events(id, ${employee.id}, 'x') from accounts where id = ${accountId}`.execute(tx);
      });
    await expect(blank(accountId)).rejects.toThrow('Only the events of an anonymised user');
    await db.updateTable('users').set({ anonymised_at: new Date(), username: 'Anonymised', email: null, status: 'inactive' }).where('id', '=', employee.id).execute(); // prettier-ignore
    await blank(accountId);
    await expect(blank(accountId + 1)).rejects.toThrow('Only the events of an anonymised user');
  });
});
