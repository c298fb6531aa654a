import { sql } from 'kysely';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ActionType } from '../../src/actions/clock.ts';
import { createAction, type PunchRequest } from '../../src/actions/create.ts';
import { createActions, forGroup } from '../../src/actions/punch_groups.ts';
import { AppError } from '../../src/core/errors.ts';
import { forAccount } from '../../src/db/transactions.ts';
import { titlesIn } from '../support/client.ts';
import { at, employeeIn, notesOf, punch, tagsOf, trackingsOf } from '../support/punches.ts';
import { statementsDuring } from '../support/database/statements.ts';
import { tagTitled } from '../support/time_trackings.ts';
import { serviceWith } from '../support/service.ts';
import { bodyOf, newWorld, type Person, type World } from '../support/world.ts';

/*
 * Punches that arrive at the same moment share a transaction. The result of each is the same as if it were alone.
 */

const crowd = async (world: World, size: number): Promise<Person[]> => {
  const people: Person[] = [];
  for (let number = 1; number <= size; number++) people.push(await world.addMember('employee', `User ${number}`));
  return people;
};

describe('GATHER_PUNCHES', () => {
  it.each([
    ['on', (insertions: number) => expect(insertions).toBeLessThan(12)],
    ['off', (insertions: number) => expect(insertions).toBe(12)],
  ])('%s: carries out every punch', async (setting, expectInsertions) => {
    const world = await newWorld();
    const people = await crowd(world, 12);
    const url = await serviceWith({ GATHER_PUNCHES: setting });
    const punchThere = (person: Person) =>
      fetch(`${url}/api/v3/workspaces/${world.workspaceId}/time_trackings/actions`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${person.token}` },
        body: JSON.stringify(bodyOf('action', { action_type: 'start' })),
      });
    let statuses: number[] = [];
    const insertions = await statementsDuring(async () => {
      statuses = (await Promise.all(people.map(punchThere))).map(({ status }) => status);
    }, /insert into "?actions/);
    expect(statuses).toEqual(people.map(() => 201));
    expectInsertions(insertions);
    for (const { id } of people) expect(await trackingsOf(world, id)).toHaveLength(1);
  });
});

describe('many punches at once', () => {
  it('are all carried out, by fewer statements than there are punches', async () => {
    const world = await newWorld();
    const people = await crowd(world, 12);
    const punchAll = (type: string) => Promise.all(people.map((person) => punch(person, type)));
    const statements = await statementsDuring(async () => {
      for (const type of ['start', 'end'])
        expect((await punchAll(type)).map(({ status }) => status)).toEqual(people.map(() => 201));
    }, /insert into "?actions/);
    expect(statements).toBeLessThan(20);
    for (const person of people) {
      const [tracking, ...others] = await trackingsOf(world, person.id);
      expect(others).toEqual([]);
      expect(tracking!.ends_at).not.toBeNull();
      expect(await notesOf(world, tracking!.id)).toHaveLength(2);
    }
    const actions = await world.db
      .selectFrom('actions')
      .select('user_id')
      .where('account_id', '=', world.accountId)
      .execute();
    expect(actions).toHaveLength(24);
  });

  it('are refused one by one', async () => {
    const world = await newWorld();
    const people = await crowd(world, 6);
    await punch(people[2]!, 'start');
    const answers = await Promise.all([
      ...people.map((person) => punch(person, 'start')),
      punch(world.employee, 'start', { user_id: people[5]!.id }),
      punch(world.admin, 'start', { user_id: world.stranger.id }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 400, 201, 201, 201, 403, 400]);
    expect(titlesIn(answers[7]!)).toEqual([`user_id names ${world.stranger.id}, which is no user of this workspace.`]);
    for (const person of people) expect(await trackingsOf(world, person.id)).toHaveLength(1);
  });

  it('of one user run one after the other', async () => {
    const world = await newWorld();
    const answers = await Promise.all(Array.from({ length: 8 }, () => punch(world.employee, 'start')));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400, 400, 400, 400]);
    expect(await trackingsOf(world, world.employee.id)).toHaveLength(1);
  });

  it('get their own tags', async () => {
    const world = await newWorld();
    const people = await crowd(world, 6);
    const tags = [await tagTitled(world, 'Early'), await tagTitled(world, 'Late')];
    const byAdmin = (type: string) =>
      Promise.all(
        people.map(({ id }, index) =>
          punch(world.admin, type, { user_id: id, taggings_attributes: [{ tag_id: tags[index % 2]! }] }),
        ),
      );
    expect((await byAdmin('start')).map(({ status }) => status)).toEqual(people.map(() => 201));
    for (const [index, { id }] of people.entries()) {
      const [tracking] = await trackingsOf(world, id);
      expect(await tagsOf(world, tracking!.id)).toEqual([String(tags[index % 2])]);
    }
  });

  it('are carried out although the database refuses one of them', async () => {
    const world = await newWorld();
    const people = await crowd(world, 8);
    await sql`
      create function refuse_device() returns trigger language plpgsql as $$
        begin raise exception 'no such device' using errcode = '22003'; end $$`.execute(world.db);
    await sql`
      create trigger refuse_device before insert on actions for each row when (new.device_id = 'impossible')
      execute function refuse_device()`.execute(world.db);
    try {
      const answers = await Promise.all(
        people.map((person, index) => punch(person, 'start', index === 5 ? { device_id: 'impossible' } : {})),
      );
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 400, 201, 201]);
      const counts = await Promise.all(people.map(async ({ id }) => (await trackingsOf(world, id)).length));
      expect(counts).toEqual([1, 1, 1, 1, 1, 0, 1, 1]);
    } finally {
      await sql`drop trigger refuse_device on actions`.execute(world.db);
      await sql`drop function refuse_device()`.execute(world.db);
    }
  });
});

/** All rows that punches write, without values that differ between worlds. */
async function leftBy(world: World, people: readonly Person[]) {
  return Promise.all(
    people.map(async ({ id }) => {
      const trackings = await trackingsOf(world, id);
      const warnings = await world.db
        .selectFrom('notifications')
        .select(['rule', 'message'])
        .where('user_id', '=', id)
        .orderBy('id')
        .execute();
      const actions = await world.db
        .selectFrom('actions')
        .select(['action_type', 'action_time'])
        .where('user_id', '=', id)
        .orderBy('id')
        .execute();
      return {
        trackings: trackings.map(({ starts_at, ends_at, actual_ends_at, breaks_s, gross_s }) => ({
          starts_at,
          ends_at,
          actual_ends_at,
          breaks_s,
          gross_s,
        })),
        notes: await Promise.all(trackings.map((tracking) => notesOf(world, tracking.id))),
        warnings,
        actions,
      };
    }),
  );
}

const asked = (world: World, { id }: Person, action_type: ActionType, action_time: string): PunchRequest => ({
  actor: employeeIn(world, id),
  input: { action_type, action_time, tag_ids: [] },
  now: new Date(at('23:59:00')),
});

const alone = (world: World, { actor, input, now }: PunchRequest): Promise<string> =>
  forAccount(world.db, world.accountId, async (tx) => {
    try {
      return (await createAction(tx, actor, input, now)).action_type;
    } catch (error) {
      if (error instanceof AppError) return error.message;
      throw error;
    }
  });

const inGroup = (world: World, punches: readonly PunchRequest[]): Promise<string[]> =>
  forGroup(world.db, punches, async (tx, clocks) =>
    (await createActions(tx, punches, clocks)).map((result) => {
      if (result.state === 'alone') return 'alone';
      return result.state === 'done' ? result.action.action_type : result.error.message;
    }),
  );

describe('punches together', () => {
  it('of one user are carried out in the order in which they came', async () => {
    const world = await newWorld();
    const types = ['start', 'end'] as const;
    const outcomes = await inGroup(
      world,
      types.map((type) => asked(world, world.employee, type, at('08:00:00'))),
    );
    expect(outcomes).toEqual(['start', 'alone']);
  });

  it('write the same rows as single punches', async () => {
    const type = fc.constantFrom<ActionType>('start', 'end', 'start-break', 'end-break');
    const round = fc.record({
      types: fc.array(type, { minLength: 4, maxLength: 4 }),
      minutes: fc.integer({ min: 1, max: 300 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 3, maxLength: 8 }), async (rounds) => {
        const [one, other] = [await newWorld(), await newWorld()];
        const [people, twins] = [await crowd(one, 4), await crowd(other, 4)];
        let minute = 0;
        for (const { types, minutes } of rounds) {
          minute += minutes;
          const time = new Date(Date.parse(at('00:00:00')) + minute * 60_000).toISOString();
          const separately: string[] = [];
          for (const [index, person] of people.entries())
            separately.push(await alone(one, asked(one, person, types[index]!, time)));
          const together = await inGroup(
            other,
            twins.map((twin, index) => asked(other, twin, types[index]!, time)),
          );
          expect(together).toEqual(separately);
        }
        expect(await leftBy(other, twins)).toEqual(await leftBy(one, people));
      }),
      { numRuns: 6 },
    );
  });
});
