import { describe, expect, it } from 'vitest';
import { assignmentId, insertShift } from '../../shared/planning/support.ts';
import { pointersIn, titlesIn } from '../../../support/client.ts';
import { newEnterprise, type Enterprise } from '../../../support/enterprise.ts';
import { punch, trackingsOf } from '../../../support/punches.ts';

const assign = ({ enterprise }: Enterprise, assignment: object) =>
  enterprise('createAssignment', { body: { assignment } });
const remove = ({ enterprise }: Enterprise, assignment: object) =>
  enterprise('deleteAssignment', { body: { assignment } });

/** A shift and two users. */
async function newRoster() {
  const company = await newEnterprise();
  const [ann, bob] = [
    await company.newUser({ username: 'Ann', external_id: 'ann' }),
    await company.newUser({ username: 'Bob' }),
  ];
  const shift = await insertShift(company);
  const found = async () => (await company.enterprise('getAssignments', { query: { shift_id: shift.id } })).body.users;
  return { company, shift, shift_id: shift.id, ann, bob, found };
}

const named = ({ id, username }: { id: number } & Record<string, unknown>) => ({ id, username });

describe('createAssignment', () => {
  it('200 moves a user to the list asked for and never doubles them, in the order in which they were added', async () => {
    const { company, shift_id, ann, bob, found } = await newRoster();
    const first = await assign(company, { shift_id: String(shift_id), user_external_id: 'ann', application: 'true' });
    expect([first.status, first.body]).toEqual([200, { users: { assigned: [], applied: [named(ann)] } }]);
    await assign(company, { shift_id, user_id: bob.id });
    const { body } = await assign(company, { shift_id, user_id: String(ann.id), user_external_id: null });
    expect(body.users).toEqual({ assigned: [named(bob), named(ann)], applied: [] });
    await assign(company, { shift_id, user_id: ann.id, application: false });
    expect(await found()).toEqual({ assigned: [named(bob), named(ann)], applied: [] });
    await assign(company, { shift_id, user_id: bob.id, application: true });
    expect(await found()).toEqual({ assigned: [named(ann)], applied: [named(bob)] });
  });

  it('200 with the members at the top level, with more users than needed, and also for those who are absent', async () => {
    const { company, shift_id, ann, bob, found } = await newRoster();
    const days = { starts_at: '2026-03-02', ends_at: '2026-03-02', full_day: true };
    const absence = { ...days, user_id: ann.id, absence_type_id: await company.absenceType('vacation') };
    expect((await company.enterprise('createPublicAbsence', { body: { absence } })).status).toBe(200);
    for (const user of [ann, bob])
      expect((await company.enterprise('createAssignment', { body: { shift_id, user_id: user.id } })).status).toBe(200);
    expect((await found()).assigned).toEqual([named(ann), named(bob)]);
  });

  it('400 names a shift and a user that are not there', async () => {
    const { company, shift_id, ann } = await newRoster();
    const stranger = await newRoster();
    const { shift_id: foreign } = stranger;
    expect(titlesIn(await assign(company, { shift_id: foreign, user_id: stranger.ann.id }))).toEqual([
      `shift_id ${foreign} is no shift of this enterprise.`,
      `user_id ${stranger.ann.id} is no user of this enterprise.`,
    ]);
    expect(pointersIn(await assign(company, { shift_id: 4711_000, user_id: ann.id }))).toEqual(['shift_id']);
    expect(pointersIn(await assign(company, { shift_id }))).toEqual(['user_id']);
    expect(pointersIn(await assign(company, { user_id: ann.id }))).toEqual(['shift_id']);
    await company.enterprise('deletePublicUser', { body: { user: { id: ann.id } } });
    expect(pointersIn(await assign(company, { shift_id, user_id: ann.id }))).toEqual(['user_id']);
  });
});

describe('getAssignments', () => {
  it('200 with both lists, also where they are empty', async () => {
    const { found } = await newRoster();
    expect(await found()).toEqual({ assigned: [], applied: [] });
  });

  it('200 still names users who were deleted', async () => {
    const { company, shift_id, ann, found } = await newRoster();
    await assign(company, { shift_id, user_id: ann.id });
    expect((await company.enterprise('deletePublicUser', { body: { user: { id: ann.id } } })).status).toBe(200);
    expect((await found()).assigned).toEqual([named(ann)]);
    const { body } = await remove(company, { shift_id, user_id: ann.id });
    expect(body.users.assigned).toEqual([]);
  });

  it('400 without a shift, 404 for one that is unknown or of another enterprise', async () => {
    const { company, shift_id } = await newRoster();
    const stranger = await newRoster();
    const ask = (query: object) => company.enterprise('getAssignments', { query: { ...query } });
    expect((await ask({})).status).toBe(400);
    expect((await ask({ shift_id: stranger.shift_id })).status).toBe(404);
    expect((await ask({ shift_id: 4711_000 })).status).toBe(404);
    expect((await ask({ shift_id })).status).toBe(200);
  });
});

describe('deleteAssignment', () => {
  it('200 takes a user out of either list, named in the body or in the query', async () => {
    const { company, shift_id, ann, bob, found } = await newRoster();
    await assign(company, { shift_id, user_id: ann.id });
    await assign(company, { shift_id, user_id: bob.id, application: true });
    const { status, body } = await remove(company, { shift_id, user_external_id: 'ann' });
    expect([status, body.users]).toEqual([200, { assigned: [], applied: [named(bob)] }]);
    const query = { shift_id, user_id: bob.id };
    expect((await company.enterprise('deleteAssignment', { query })).status).toBe(200);
    expect(await found()).toEqual({ assigned: [], applied: [] });
  });

  it('200 clears the link of the work that was recorded for the shift', async () => {
    const { company, shift, shift_id } = await newRoster();
    const { employee } = company;
    await assign(company, { shift_id, user_id: employee.id });
    await punch(employee, 'start', { action_time: '2026-03-02T08:00:00+01:00' });
    const link = async () => (await trackingsOf(company, employee.id))[0]!.assignment_id;
    expect(await link()).toBe(await assignmentId(company, shift, employee.id));
    await remove(company, { shift_id, user_id: employee.id });
    expect(await link()).toBeNull();
  });

  it('400 without a user, 404 for a shift that is unknown and for a user who is in neither list', async () => {
    const { company, shift_id, ann, bob } = await newRoster();
    const stranger = await newRoster();
    await assign(company, { shift_id, user_id: ann.id });
    expect(pointersIn(await remove(company, { shift_id }))).toEqual(['user_id']);
    expect(pointersIn(await remove(company, { user_id: ann.id }))).toEqual(['shift_id']);
    expect((await remove(company, { shift_id, user_id: bob.id })).status).toBe(404);
    expect((await remove(company, { shift_id: 4711_000, user_id: ann.id })).status).toBe(404);
    expect((await remove(stranger.company, { shift_id, user_id: ann.id })).status).toBe(404);
  });
});
