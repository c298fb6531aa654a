import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { titlesIn } from '../../../support/client.ts';
import { notesOf, punch, tagsOf, trackingsOf } from '../../../support/punches.ts';
import { tagTitled } from '../../../support/time_trackings.ts';
import { newWorld, type Person, type World } from '../../../support/world.ts';

const crowd = async (world: World, size: number): Promise<Person[]> => {
  const people: Person[] = [];
  for (let number = 1; number <= size; number++) people.push(await world.addMember('employee', `User ${number}`));
  return people;
};

describe('many punches at once', () => {
  it('are all carried out', async () => {
    const world = await newWorld();
    const people = await crowd(world, 12);
    for (const type of ['start', 'end']) {
      const answers = await Promise.all(people.map((person) => punch(person, type)));
      expect(answers.map(({ status }) => status)).toEqual(people.map(() => 201));
    }
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
