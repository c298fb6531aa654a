import { describe, expect, it } from 'vitest';
import { pointersIn } from '../../support/client.ts';
import { newEnterprise, type Enterprise } from '../../support/enterprise.ts';

interface Subject {
  readonly find: string;
  readonly update: string;
  readonly remove?: string;
  make(company: Enterprise): Promise<number>;
  /** The body that names the record and changes it. */
  body(id: number, company: Enterprise, name: string): object;
}

const subjects: readonly (readonly [string, Subject])[] = [
  [
    'users',
    {
      find: 'findPublicUsers',
      update: 'updatePublicUser',
      remove: 'deletePublicUser',
      make: async ({ newUser }) => (await newUser()).id,
      body: (id, _company, username) => ({ user: { id, username } }),
    },
  ],
  [
    'absences',
    {
      find: 'findPublicAbsences',
      update: 'updatePublicAbsence',
      remove: 'deletePublicAbsence',
      make: async ({ enterprise, employee, absenceType }) => {
        const days = { starts_at: '2026-03-02', ends_at: '2026-03-03', full_day: true };
        const absence = { ...days, user_id: employee.id, absence_type_id: await absenceType('vacation') };
        return (await enterprise('createPublicAbsence', { body: { absence } })).body.id as number;
      },
      body: (id, _company, name) => ({
        absence: { id, starts_at: '2026-03-02', ends_at: `2026-03-${String(3 + name.length).padStart(2, '0')}` },
      }),
    },
  ],
  [
    'working areas',
    {
      find: 'findWorkingAreas',
      update: 'updateWorkingArea',
      remove: 'deleteWorkingArea',
      make: async ({ newArea }) => (await newArea('Bar')).id,
      body: (id, { workspaceId }, name) => ({ location_id: workspaceId, working_area: { id, name } }),
    },
  ],
  [
    'shifts',
    {
      find: 'findPublicShifts',
      update: 'updatePublicShift',
      remove: 'deletePublicShift',
      make: async ({ enterprise, workspaceId, newArea }) => {
        const { id } = await newArea('Bar');
        const times = { starts_at: '2026-06-08T08:00:00+02:00', ends_at: '2026-06-08T16:00:00+02:00' };
        const shift = { location_id: workspaceId, working_area_id: id, ...times, number_of_employees: 1 };
        return (await enterprise('createPublicShift', { body: { shift } })).body.id as number;
      },
      body: (id, _company, note) => ({ shift: { id, note } }),
    },
  ],
  [
    'filters',
    {
      find: 'findFilters',
      update: 'updateFilter',
      make: ({ newTag }) => newTag('Night'),
      body: (id, _company, title) => ({ filter: { id, title } }),
    },
  ],
  [
    'working sessions',
    {
      find: 'findWorkingSessions',
      update: 'updateWorkingSession',
      remove: 'deleteWorkingSession',
      make: async ({ enterprise, newArea, employee, workspaceId }) => {
        const refs = { location_id: workspaceId, working_area_id: (await newArea('Bar')).id, user_id: employee.id };
        const times = { starts_at: '2026-03-02T08:00:00Z', ends_at: '2026-03-02T09:00:00Z' };
        return (await enterprise('createWorkingSession', { body: { working_session: { ...refs, ...times } } })).body.id;
      },
      body: (id, _company, name) => ({ working_session: { id, manual_pause: name.length } }),
    },
  ],
  [
    'locations',
    {
      find: 'findLocations',
      update: 'updateLocation',
      make: async ({ newLocation }) => (await newLocation('Hotel')).id,
      body: (id, _company, name) => ({ location: { id, name } }),
    },
  ],
];

describe.each(subjects)('If-Match in the public API: %s', (_name, subject) => {
  it('accepts one of two writes, and refuses the other with 412 and the current tag', async () => {
    const company = await newEnterprise();
    const { enterprise } = company;
    const id = await subject.make(company);
    const tag = async () => (await enterprise(subject.find, { query: { id } })).headers['etag']!;
    const first = await tag();
    expect(first).toMatch(/^"[\w-]{27}"$/);
    const write = (name: string, ifMatch: string) =>
      enterprise(subject.update, { body: subject.body(id, company, name), headers: { 'If-Match': ifMatch } });
    const answers = await Promise.all([write('A', first), write('AB', first), write('ABC', first)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
    const refused = answers.find(({ status }) => status === 412)!;
    expect(pointersIn(refused)).toEqual(['If-Match']);
    expect(refused.headers['etag']).toBe(await tag());
    expect((await write('ABCD', `W/${await tag()}`)).status).toBe(412);
    expect((await write('ABCD', `"x", ${await tag()}`)).status).toBe(200);
    expect((await write('ABCDE', '*')).status).toBe(200);
    expect((await write('ABCDE', 'no tag')).status).toBe(400);
    if (subject.remove === undefined) return;
    const remove = (ifMatch: string) =>
      enterprise(subject.remove!, { body: subject.body(id, company, 'A'), headers: { 'If-Match': ifMatch } });
    expect((await remove(first)).status).toBe(412);
    expect((await remove(await tag())).status).toBe(200);
    expect((await remove('*')).status).toBe(404);
  });
});

describe('a list', () => {
  it('has no tag', async () => {
    const { enterprise } = await newEnterprise();
    expect((await enterprise('findPublicUsers')).headers).not.toHaveProperty('etag');
  });
});
