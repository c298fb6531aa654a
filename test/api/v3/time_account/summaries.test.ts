import { describe, expect, it } from 'vitest';
import { absenceOf, at } from '../../../support/absences.ts';
import { pointersIn, titlesIn } from '../../../support/client.ts';
import { areaWith, record } from '../../../support/time_trackings.ts';
import { newWorld, type Person } from '../../../support/world.ts';

const count = (person: Person, resource: string, scopes: string) =>
  person.call('getSummary', { query: { resource, scopes } });

describe('getSummary', () => {
  it('200 counts the time trackings that the caller may read', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const areaAdmin = await world.addMember('areaAdmin');
    const colleague = await world.addMember('employee', 'colleague');
    await areaWith(world, 'Kitchen', [areaAdmin, employee]);
    await record(employee);
    const { id } = await record(employee, { starts_at: '2026-01-06T08:00:00Z', ends_at: '2026-01-06T10:00:00Z' });
    await admin.call('confirmTimeTracking', { params: { time_tracking_id: id } });
    await record(employee, { starts_at: new Date(Date.now() - 60_000).toISOString(), ends_at: null });
    await record(colleague);

    const scopes = 'running,unconfirmed, confirmed,running';
    const expected = new Map<Person, object>([
      [employee, { running: 1, unconfirmed: 1, confirmed: 1 }],
      [areaAdmin, { running: 1, unconfirmed: 1, confirmed: 1 }],
      [colleague, { running: 0, unconfirmed: 1, confirmed: 0 }],
      [admin, { running: 1, unconfirmed: 2, confirmed: 1 }],
    ]);
    for (const [person, counts] of expected) {
      const { status, body } = await count(person, 'TimeTracking', scopes);
      expect(status).toBe(200);
      expect(body).toMatchObject({ data: [], meta: counts });
    }
    const { body, headers } = await count(admin, 'TimeTracking', 'running');
    const paging = { link: 0, current_page: 1, page_items: 20, total_pages: 1, total_count: 0 };
    const { request_id, git_commit, ...rest } = body.meta;
    expect([typeof request_id, typeof git_commit, rest]).toEqual(['string', 'string', { ...paging, running: 1 }]);
    expect(headers).toMatchObject({
      'current-page': '1',
      'page-items': '20',
      'total-pages': '1',
      'total-count': '0',
    });
  });

  it('200 counts the absences that the caller may read', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const colleague = await world.addMember('employee', 'colleague');
    const id = await absenceOf(world, employee);
    await absenceOf(world, colleague);
    await admin.call('confirmAbsence', at(id));
    for (const [person, counts] of [
      [employee, { pending: 0, confirmed: 1, rejected: 0 }],
      [admin, { pending: 1, confirmed: 1, rejected: 0 }],
    ] as const)
      expect((await count(person, 'Absence', 'pending,confirmed,rejected')).body.meta).toMatchObject(counts);
  });

  it('400 names the resource or the scopes that do not exist, and what there is', async () => {
    const { employee } = await newWorld();
    const unknownResource = await count(employee, 'User', 'running');
    expect(unknownResource.status).toBe(400);
    expect(titlesIn(unknownResource)[0]).toMatch(/resource .*TimeTracking.*Absence/);
    const unknownScopes = await count(employee, 'Absence', 'pending,running,toString');
    expect(unknownScopes.status).toBe(400);
    expect(titlesIn(unknownScopes)).toEqual([
      'scopes "running,toString" is unknown. Absence has the scopes pending, confirmed, rejected.',
    ]);
    expect(pointersIn(await employee.call('getSummary', { query: {} })).sort()).toEqual(['resource', 'scopes']);
  });

  it('404 for a stranger', async () => {
    const { stranger } = await newWorld();
    expect((await count(stranger, 'TimeTracking', 'running')).status).toBe(404);
  });
});
