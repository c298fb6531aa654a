import { beforeAll, describe, expect, it } from 'vitest';
import { pointersIn, type RequestOptions } from '../../support/client.ts';
import { newEnterprise, type Enterprise } from '../../support/enterprise.ts';

/*
 * A record of another account cannot be reached by its id or external id, in any parameter of any operation. Both accounts have
 * records of every kind. The external ids of the other account do not occur in this one.
 */

let home: Enterprise;
let own: Records;
let foreign: Records;

interface Records {
  location: number;
  area: number;
  user: number;
  tag: number;
  type: number;
  absence: number;
  upload: number;
}

const march = 'range_start=2026-03-01&range_end=2026-03-31';
const times = { starts_at: '2026-03-02', ends_at: '2026-03-06' };

/** One record of every kind, with `name` for its external id. */
async function fill(world: Enterprise, name: string): Promise<Records> {
  const { db, accountId, enterprise } = world;
  const location = (await world.newLocation('Hotel', { external_id: name })).id;
  const type = await world.absenceType('vacation', location);
  await db
    .updateTable('absence_types')
    .set({ external_id: name })
    .where('account_id', '=', accountId)
    .where('id', '=', type)
    .execute();
  const area = (await world.newArea('Bar', { external_id: name }, location)).id;
  const tag = await world.newTag('Night', location);
  const user = (await world.newUser({ location_ids: location, working_area_ids: area, tags: tag, external_id: name }))
    .id;
  const absence = { absence_type_id: type, user_id: user, ...times, external_id: name };
  const { id } = (await enterprise('createPublicAbsence', { body: { absence } })).body;
  await enterprise('createVacationEntitlement', {
    body: { vacation_times: { title: 'Vacation', user_id: user, planned_days: 28 } },
  });
  const doc = { field: 'doc', name: 'a.txt', bytes: Buffer.from('text') };
  const { upload } = (await enterprise('createUpload', { form: { user_id: String(user) }, files: [doc] })).body;
  return { location, area, user, tag, type, absence: id, upload: upload.id };
}

beforeAll(async () => {
  const abroad = await newEnterprise();
  foreign = await fill(abroad, 'foreign');
  home = await newEnterprise();
  own = await fill(home, 'own');
});

const ask = (operationId: string, options: RequestOptions) => home.enterprise(operationId, options);
const doc = { field: 'doc', name: 'a.txt', bytes: Buffer.from('text') };

describe('a record of another account', () => {
  it('404 where it is addressed, by either of its names', async () => {
    const { user, area, location, absence, type, upload } = foreign;
    const byEither = (id: number, request: (name: object) => RequestOptions) => [
      request({ id }),
      request({ external_id: 'foreign' }),
    ];
    const inQuery = (name: object): RequestOptions => ({ query: name as Record<string, string> });
    const here = { location_id: own.location };
    const requests: [string, RequestOptions[]][] = [
      ['findPublicUsers', byEither(user, inQuery)],
      ['updatePublicUser', byEither(user, (name) => ({ body: { user: { ...name, salary: 1 } } }))],
      ['activatePublicUser', byEither(user, (name) => ({ body: { user: name } }))],
      ['deactivatePublicUser', byEither(user, (name) => ({ body: { user: name } }))],
      ['deletePublicUser', [...byEither(user, (name) => ({ body: { user: name } })), ...byEither(user, inQuery)]],
      ['findPublicAbsences', byEither(absence, inQuery)],
      ['updatePublicAbsence', byEither(absence, (name) => ({ body: { absence: { ...name, ...times } } }))],
      ['confirmPublicAbsence', byEither(absence, (name) => ({ body: { absence: name } }))],
      ['resetPublicAbsence', byEither(absence, (name) => ({ body: { absence: name } }))],
      ['rejectPublicAbsence', byEither(absence, (name) => ({ body: { absence: name } }))],
      [
        'deletePublicAbsence',
        [...byEither(absence, (name) => ({ body: { absence: name } })), ...byEither(absence, inQuery)],
      ],
      ['findWorkingAreas', byEither(area, inQuery)],
      ['updateWorkingArea', byEither(area, (name) => ({ body: { ...here, working_area: { ...name, name: 'Pub' } } }))],
      ['updateWorkingArea', byEither(area, (name) => ({ body: { ...here, ...name, working_area: { name: 'Pub' } } }))],
      [
        'updateWorkingArea',
        byEither(location, (name) => ({
          body: { ...prefixed('location_', name), id: area, working_area: { name: 'Pub' } },
        })),
      ],
      [
        'updateWorkingArea',
        byEither(location, (name) => ({
          body: { ...prefixed('location_', name), id: own.area, working_area: { name: 'Pub' } },
        })),
      ],
      ['deleteWorkingArea', byEither(area, (name) => ({ body: { ...here, working_area: name } }))],
      ['deleteWorkingArea', byEither(area, (name) => inQuery({ ...here, ...name }))],
      ['deleteWorkingArea', byEither(location, (name) => inQuery({ ...prefixed('location_', name), id: area }))],
      ['deleteWorkingArea', byEither(location, (name) => inQuery({ ...prefixed('location_', name), id: own.area }))],
      ['listVacationEntitlements', byEither(user, (name) => inQuery(prefixed('user_', name)))],
      ['listUploads', byEither(user, (name) => inQuery(prefixed('user_', name)))],
      ['getUpload', [{ params: { id: upload } }]],
      ['getUpload', byEither(user, (name) => ({ params: { id: upload }, ...inQuery(prefixed('user_', name)) }))],
      ['getUpload', byEither(user, (name) => ({ params: { id: own.upload }, ...inQuery(prefixed('user_', name)) }))],
      ['findLocations', byEither(location, inQuery)],
      ['findAbsenceTypes', byEither(type, inQuery)],
    ];
    for (const [operationId, options] of requests) {
      for (const option of options)
        expect([operationId, option, (await ask(operationId, option)).status]).toEqual([operationId, option, 404]);
    }
  });

  it('400 where a body refers to it, by either of its names', async () => {
    const person = { location_ids: own.location, username: 'Erika' };
    const absence = { absence_type_id: own.type, user_id: own.user, ...times };
    const entitlement = { title: 'Vacation', planned_days: 28 };
    const requests: [string, RequestOptions, string][] = [
      ['createPublicUser', { body: { user: { ...person, location_ids: foreign.location } } }, 'location_ids'],
      [
        'createPublicUser',
        { body: { user: { ...person, location_external_ids: 'foreign' } } },
        'location_external_ids',
      ],
      ['createPublicUser', { body: { user: { ...person, working_area_ids: foreign.area } } }, 'working_area_ids'],
      [
        'createPublicUser',
        { body: { user: { ...person, working_area_external_ids: 'foreign' } } },
        'working_area_external_ids',
      ],
      ['createPublicUser', { body: { user: { ...person, tags: foreign.tag } } }, 'tags'],
      ['updatePublicUser', { body: { user: { id: own.user, working_area_ids: foreign.area } } }, 'working_area_ids'],
      [
        'updatePublicUser',
        { body: { user: { id: own.user, working_area_external_ids: 'foreign' } } },
        'working_area_external_ids',
      ],
      ['updatePublicUser', { body: { user: { id: own.user, tags: foreign.tag } } }, 'tags'],
      ['createPublicAbsence', { body: { absence: { ...absence, user_id: foreign.user } } }, 'user_id'],
      [
        'createPublicAbsence',
        { body: { absence: { ...absence, user_id: undefined, user_external_id: 'foreign' } } },
        'user_external_id',
      ],
      ['createPublicAbsence', { body: { absence: { ...absence, absence_type_id: foreign.type } } }, 'absence_type_id'],
      [
        'createPublicAbsence',
        { body: { absence: { ...absence, absence_type_id: null, absence_type_external_id: 'foreign' } } },
        'absence_type_external_id',
      ],
      ['createWorkingArea', { body: { location_id: foreign.location, working_area: { name: 'Pub' } } }, 'location_id'],
      [
        'createWorkingArea',
        { body: { location_external_id: 'foreign', working_area: { name: 'Pub' } } },
        'location_external_id',
      ],
      ['createVacationEntitlement', { body: { vacation_times: { ...entitlement, user_id: foreign.user } } }, 'user_id'],
      [
        'createVacationEntitlement',
        { body: { vacation_times: { ...entitlement, user_external_id: 'foreign' } } },
        'user_external_id',
      ],
      ['createUpload', { form: { user_id: String(foreign.user) }, files: [doc] }, 'user_id'],
      ['createUpload', { form: { user_external_id: 'foreign' }, files: [doc] }, 'user_external_id'],
    ];
    for (const [operationId, options, pointer] of requests) {
      const response = await ask(operationId, options);
      expect([operationId, options, response.status, pointersIn(response)]).toEqual([
        operationId,
        options,
        400,
        [pointer],
      ]);
    }
  });

  it('matches nothing where a list is filtered by it, and is in no list', async () => {
    const filters: [string, string, string[]][] = [
      ['findPublicUsers', 'users', [`location_ids=${foreign.location}`, 'location_external_ids=foreign', `working_area_ids=${foreign.area}`, 'working_area_external_ids=foreign', `tags=${foreign.tag}`]],
      ['findPublicAbsences', 'absences', [`user_id=${foreign.user}`, 'user_external_id=foreign', `location_id=${foreign.location}`, 'location_external_id=foreign'].map((filter) => `${march}&${filter}`)],
      ['findWorkingAreas', 'working_areas', [`location_id=${foreign.location}`, 'location_external_id=foreign']],
      ['findAbsenceTypes', 'absence_types', [`location_id=${foreign.location}`, 'location_external_id=foreign']],
    ]; // prettier-ignore
    for (const [operationId, member, queries] of filters) {
      for (const query of queries) {
        const { status, body } = await ask(operationId, { query });
        expect([operationId, query, status, body[member]]).toEqual([operationId, query, 200, []]);
      }
    }
    const listed = async (operationId: string, member: string, query = '') =>
      (await ask(operationId, { query })).body[member].map(({ id }: { id: number }) => id);
    expect(await listed('findPublicAbsences', 'absences', march)).toEqual([own.absence]);
    expect(await listed('findWorkingAreas', 'working_areas')).toEqual([own.area]);
    expect(await listed('findLocations', 'locations')).toEqual([home.workspaceId, own.location]);
    expect(await listed('findPublicUsers', 'users')).not.toContain(foreign.user);
    expect(await listed('findAbsenceTypes', 'absence_types')).not.toContain(foreign.type);
  });

  it('can have the same external id as a record here', async () => {
    const absence = { absence_type_id: own.type, user_id: own.user, ...times, external_id: 'foreign' };
    expect(
      (
        await ask('createPublicUser', {
          body: { user: { location_ids: own.location, username: 'F', external_id: 'foreign' } },
        })
      ).status,
    ).toBe(200);
    expect(
      (
        await ask('createWorkingArea', {
          body: { location_id: own.location, working_area: { name: 'F', external_id: 'foreign' } },
        })
      ).status,
    ).toBe(200);
    expect((await ask('createPublicAbsence', { body: { absence } })).status).toBe(200);
  });
});

const prefixed = (prefix: string, name: object): object =>
  Object.fromEntries(Object.entries(name).map(([member, value]) => [prefix + member, value]));
