import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { DB } from '../../../../../generated/db.ts';
import { record } from '../../../../support/time_trackings.ts';
import { bodyOf, newWorld, type World } from '../../../../support/world.ts';
import { newField, newProfile } from '../../organisation/data_profiles/support.ts';
import { somebodyWaits } from '../../../../support/database/distribution.ts';

/** A record that can be deleted, with one attribute that events show. */
interface Deletable {
  readonly operation: string;
  readonly params: Readonly<Record<string, string | number>>;
  readonly table: keyof DB;
  readonly column: string;
  readonly id: string | number;
  /** The record whose lock those take who change this one. */
  readonly owner?: { readonly table: keyof DB; readonly id: string };
}

const created = async (world: World, operation: string, type: string, attributes: object): Promise<string> => {
  const { status, body } = await world.admin.call(operation, { body: bodyOf(type, attributes) });
  expect([operation, status, body.errors]).toEqual([operation, 201, undefined]);
  return body.data.id;
};

const nouns: Readonly<Record<string, (world: World) => Promise<Deletable>>> = {
  async note(world) {
    const { id: time_tracking_id } = await record(world.admin, {}, { user: world.employee.id });
    const note = await world.admin.call('createTimeTrackingNote', {
      params: { time_tracking_id },
      body: bodyOf('note', { content: 'Late.' }),
    });
    const params = { time_tracking_id, user_note_id: note.body.data.id };
    return { operation: 'deleteTimeTrackingNote', params, table: 'notes', column: 'content', id: params.user_note_id };
  },
  async absence_type(world) {
    const id = await created(world, 'createAbsenceType', 'absence_type', { title: 'Moving', kind: 'special' });
    return {
      operation: 'deleteAbsenceType',
      params: { absence_type_id: id },
      table: 'absence_types',
      column: 'title',
      id,
    };
  },
  async user(world) {
    const { id } = await world.addMember('employee');
    return { operation: 'deleteUser', params: { user_id: id }, table: 'users', column: 'staff_number', id };
  },
  async data_profile(world) {
    const id = await newProfile(world);
    return {
      operation: 'deleteDataProfile',
      params: { data_profile_id: id },
      table: 'data_profiles',
      column: 'title',
      id,
    };
  },
  async custom_field(world) {
    const owner = { table: 'data_profiles' as const, id: await newProfile(world) };
    const id = await newField(world, owner.id);
    return {
      operation: 'deleteCustomField',
      params: { custom_field_id: id },
      table: 'custom_fields',
      column: 'title',
      id,
      owner,
    };
  },
  async tag(world) {
    const id = await created(world, 'createTag', 'tag', { title: 'Event', color: '#009688' });
    return { operation: 'deleteTag', params: { tag_id: id }, table: 'tags', column: 'title', id };
  },
  async area(world) {
    const id = await created(world, 'createArea', 'area', { name: 'Bar' });
    return { operation: 'deleteArea', params: { area_id: id }, table: 'areas', column: 'name', id };
  },
  async public_holiday(world) {
    const id = await created(world, 'createPublicHoliday', 'public_holiday', { date: '2026-09-15', title: 'Outing', factor: 1 }); // prettier-ignore
    return {
      operation: 'deletePublicHoliday',
      params: { public_holiday_id: id },
      table: 'public_holidays',
      column: 'title',
      id,
    };
  },
  async wage_type(world) {
    const id = await created(world, 'createWageType', 'wage_type', { number: 100, title: 'Hours', source: 'net', unit: 'hours' }); // prettier-ignore
    return { operation: 'deleteWageType', params: { wage_type_id: id }, table: 'wage_types', column: 'title', id };
  },
  async webhook(world) {
    const id = await created(world, 'createWebhook', 'webhook', { url: 'https://93.184.215.14/', events: ['*'] });
    return { operation: 'deleteWebhook', params: { webhook_id: id }, table: 'webhooks', column: 'description', id };
  },
};

const deletedEvents = async ({ db, accountId }: World, noun: string, id: string | number) => {
  const rows = await db
    .selectFrom('events')
    .select('changes')
    .where('account_id', '=', accountId)
    .where('name', '=', `${noun}.deleted`)
    .where('record_id', '=', String(id))
    .execute();
  return rows.map(({ changes }) => changes);
};

describe.each(Object.keys(nouns))('the deletion of a record: %s', (noun) => {
  it('is recorded once, if two requests delete it at the same time', async () => {
    const world = await newWorld();
    const { operation, params, id } = await nouns[noun]!(world);
    const deletions = await Promise.all([1, 2, 3].map(() => world.admin.call(operation, { params })));
    expect(deletions.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    expect(await deletedEvents(world, noun, id)).toHaveLength(1);
  });

  it('is recorded with what another request changed at the last moment', async () => {
    const world = await newWorld();
    const { operation, params, table, column, id, owner = { table, id } } = await nouns[noun]!(world);
    const { deletion } = await world.db.transaction().execute(async (tx) => {
      await sql`
        select from ${sql.table(owner.table)} where account_id = ${world.accountId} and id = ${Number(owner.id)}
        for no key update`.execute(tx);
      await sql`
        update ${sql.table(table)} set ${sql.ref(column)} = 'at the last moment'
        where account_id = ${world.accountId} and id = ${Number(id)}`.execute(tx);
      const deletion = world.admin.call(operation, { params });
      await somebodyWaits(world.db);
      return { deletion };
    });
    expect((await deletion).status).toBe(200);
    expect(await deletedEvents(world, noun, id)).toMatchObject([{ [column]: ['at the last moment', null] }]);
  });
});
