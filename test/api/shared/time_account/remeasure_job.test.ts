import { describe, expect, it } from 'vitest';
import type { Db } from '../../../../src/platform/db/connection.ts';
import { timeAccountJobs } from '../../../../src/days/balance/jobs.ts';
import { absenceOf, at, daysOf, fullDays, shownAbsence } from '../../../support/absences.ts';
import { bodyOf, newWorld, type Person, type World } from '../../../support/world.ts';
import { drain } from './support.ts';

const week = fullDays('2026-04-27', '2026-05-03');

/** More users than one chunk has, each with an absence of the week of 1 May. */
async function crewOf(world: World, size: number): Promise<{ person: Person; id: string }[]> {
  const crew = [];
  for (let count = 0; count < size; count++) {
    const person = await world.addMember('employee', `member ${count}`);
    crew.push({ person, id: await absenceOf(world, person, week) });
  }
  return crew;
}

const setRegion = ({ admin }: World, holiday_region: string | null) =>
  admin.call('updateWorkspace', { body: bodyOf('workspace', { holiday_region }) });
const daysOfAll = (world: World, crew: readonly { id: string }[]) =>
  Promise.all(crew.map(async ({ id }) => (await shownAbsence(world, id))['days']));
const changesOf = (world: World, crew: readonly { id: string }[]) =>
  Promise.all(crew.map(async ({ id }) => (await shownAbsence(world, id))['updated_at']));

const jobOf = ({ accountId, workspaceId }: World) => ({
  accountId,
  workspaceId,
  from: null,
  resetsConfirmed: false,
  afterUserId: 0,
});
type Handler = (job: ReturnType<typeof jobOf> & { deadly?: object }) => Promise<void>;
const handlerOn = (db: Db, clock = () => new Date()): Handler =>
  timeAccountJobs(db, { hasMonthCache: true }, clock)['remeasure_absences'] as Handler;

describe('the job that measures the absences of a workspace', () => {
  it('measures those of everybody in chunks, and carries on after a chunk that was killed', async () => {
    const world = await newWorld();
    const crew = await crewOf(world, 23);
    await setRegion(world, 'DE-BE');
    const measured = async () => (await daysOfAll(world, crew)).filter((days) => days === 4).length;
    const handler = handlerOn(world.db);
    // The first chunk dies after its last absence, when the job for the next chunk is added.
    const deadly = { toJSON: () => { throw new Error('Killed.'); } }; // prettier-ignore
    await expect(handler({ ...jobOf(world), deadly })).rejects.toThrow('Killed.');
    expect(await measured()).toBe(0);
    await handler(jobOf(world));
    expect(await measured()).toBeGreaterThan(0);
    expect(await measured()).toBeLessThan(crew.length);
    // The job of the change and the one for the second chunk.
    await drain();
    expect(await measured()).toBe(crew.length);
  }, 60_000);

  it('changes nothing when it runs again', async () => {
    const world = await newWorld();
    const crew = await crewOf(world, 2);
    await setRegion(world, 'DE-BE');
    await drain();
    const before = await changesOf(world, crew);
    await handlerOn(world.db, () => new Date(Date.now() + 3_600_000))(jobOf(world));
    await drain();
    expect(await changesOf(world, crew)).toEqual(before);
  });

  it('leaves users alone whose days another workspace decides about', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const id = await absenceOf(world, employee, week);
    const { body } = await admin.call('createWorkspace', { body: bodyOf('workspace', { name: 'Elsewhere' }) });
    const now = new Date();
    await world.db
      .insertInto('memberships')
      .values({
        account_id: world.accountId,
        workspace_id: body.data.id,
        user_id: employee.id,
        identifier_pin: '987654',
        created_at: now,
      })
      .execute();
    await admin.call('updateWorkspace', {
      params: { workspace_id: body.data.id },
      body: bodyOf('workspace', { holiday_region: 'DE-BE' }),
    });
    await drain();
    expect(await shownAbsence(world, id)).toMatchObject({ days: 5 });
    await setRegion(world, 'DE-BE');
    await drain();
    expect(await shownAbsence(world, id)).toMatchObject({ days: 4 });
  });

  it('does not touch the absences of another account', async () => {
    const [world, other] = [await newWorld(), await newWorld()];
    const id = await absenceOf(other, other.employee, week);
    await other.admin.call('confirmAbsence', at(id));
    await setRegion(other, 'DE-BE');
    const before = [await shownAbsence(other, id), await daysOf(other, id)];
    // A job that names a workspace of another account finds nobody.
    await handlerOn(world.db)({ ...jobOf(world), workspaceId: other.workspaceId, resetsConfirmed: true });
    await setRegion(world, 'DE-BE');
    expect([await shownAbsence(other, id), await daysOf(other, id)]).toEqual(before);
    await drain();
    expect([await shownAbsence(other, id), await daysOf(other, id)]).toEqual(before);
  });
});
