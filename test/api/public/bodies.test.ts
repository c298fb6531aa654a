import supertest, { type Response } from 'supertest';
import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../support/client.ts';
import { service } from '../../support/service.ts';
import { newWorld, type World } from '../../support/world.ts';

/** A request without the defaults of the test client. */
async function bare(
  method: 'get' | 'post' | 'put' | 'patch' | 'delete' | 'options',
  address: string,
  body?: object | string,
  headers: Record<string, string> = {},
): Promise<Response> {
  const request = supertest((await service()).url)
    [method](`/public_api/v1${address}`)
    .set(headers);
  return body === undefined ? request : request.send(body);
}

const person = (world: World, more: object = {}) => ({
  user: { location_ids: world.workspaceId, username: 'Erika', ...more },
});

describe('a body', () => {
  it('is JSON whatever its Content-Type says', async () => {
    const world = await newWorld();
    const labels = [
      'application/json',
      'text/plain',
      'text/plain;charset=UTF-8',
      'application/x-www-form-urlencoded',
      'application/vnd.api+json',
      'text/html',
      'nonsense',
    ];
    for (const label of labels) {
      const response = await bare(
        'post',
        '/users',
        JSON.stringify({ api_token: world.apiToken, ...person(world, { username: 'Jürgen' }) }),
        {
          'Content-Type': label,
        },
      );
      expect([label, response.status, response.body.username]).toEqual([label, 200, 'Jürgen']);
    }
  });

  it('400 when it is not JSON', async () => {
    const world = await newWorld();
    const response = await bare('post', `/users?api_token=${world.apiToken}`, 'user[username]=Erika', {
      'Content-Type': 'text/plain',
    });
    expect(response.status).toBe(400);
    expect(response.body.errors[0].title).toBe('The body is not valid JSON.');
  });

  it('400 when it is missing, or no object', async () => {
    const world = await newWorld();
    for (const text of ['', '[]', '5', 'null', '"text"']) {
      const response = await bare('post', `/users?api_token=${world.apiToken}`, text, {
        'Content-Type': 'application/json',
      });
      expect([text, response.status]).toEqual([text, 400]);
    }
  });

  it('may contain numbers and booleans as text, numbers as names, and unknown members', async () => {
    const world = await newWorld();
    const more = {
      location_ids: [String(world.workspaceId)],
      salary: '18.5',
      home_office: 'true',
      external_id: 1002,
      staff_number: 7,
      color: 'red',
    };
    const { status, body } = await world.enterprise('createPublicUser', {
      body: { ...person(world, more), sender: 'payroll' },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      location_ids: [world.workspaceId],
      salary: 18.5,
      home_office: true,
      external_id: '1002',
      staff_number: '7',
    });
    const found = await world.enterprise('updatePublicUser', {
      body: { user: { id: String(body.id), external_id: 1002, salary: '19' } },
    });
    expect(found.body).toMatchObject({ id: body.id, salary: 19 });
  });

  it('may contain blank values, which mean "not given"', async () => {
    const world = await newWorld();
    const blanks = {
      email: '',
      salary: '',
      home_office: null,
      locale: '',
      tags: '',
      working_area_ids: null,
      data_profiles: { birthday: '' },
      external_id: null,
    };
    const { status, body } = await world.enterprise('createPublicUser', { body: person(world, blanks) });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      email: null,
      salary: 0,
      home_office: false,
      locale: null,
      tags: [],
      working_area_ids: [],
      external_id: null,
    });
  });

  it('400 with NUL in a text', async () => {
    const world = await newWorld();
    const response = await world.enterprise('createPublicUser', { body: person(world, { username: 'a\0b' }) });
    expect([response.status, pointersIn(response)]).toEqual([400, ['username']]);
  });
});

describe('the two names of a record', () => {
  const named = async () => {
    const world = await newWorld();
    const make = async (name: string) =>
      (await world.enterprise('createPublicUser', { body: person(world, { external_id: name }) })).body.id as number;
    return { ...world, one: await make('one'), other: await make('other') };
  };

  it('lead to the same record, alone and together', async () => {
    const { enterprise, one } = await named();
    for (const query of [`id=${one}`, 'external_id=one', `id=${one}&external_id=one`]) {
      const { status, body } = await enterprise('findPublicUsers', { query });
      expect([status, body.id]).toEqual([200, one]);
    }
  });

  it('400 when they differ', async () => {
    const { enterprise, one } = await named();
    for (const external_id of ['other', 'nobody']) {
      const response = await enterprise('findPublicUsers', { query: { id: one, external_id } });
      expect(response.status).toBe(400);
      expect(titlesIn(response)).toEqual([`id ${one} and external_id "${external_id}" do not name the same record.`]);
      expect((await enterprise('updatePublicUser', { body: { user: { id: one, external_id } } })).status).toBe(400);
      expect((await enterprise('deletePublicUser', { body: { user: { id: one, external_id } } })).status).toBe(400);
    }
  });

  it('400 when body and query differ', async () => {
    const { enterprise, one, other, apiToken } = await named();
    const response = await enterprise('deletePublicUser', { body: { user: { id: one } }, query: { id: other } });
    expect([response.status, pointersIn(response)]).toEqual([400, ['id']]);
    expect(
      (await enterprise('deletePublicUser', { body: { user: { id: one } }, query: { id: one, api_token: apiToken } }))
        .status,
    ).toBe(200);
  });

  it('400 when a name is blank and the other is not given', async () => {
    const { enterprise } = await named();
    for (const response of [
      await enterprise('updatePublicUser', { body: { user: { external_id: '', id: null, salary: 5 } } }),
      await enterprise('activatePublicUser', { body: { user: {} } }),
      await enterprise('deletePublicUser', { body: { user: { external_id: '' } } }),
      await enterprise('deletePublicUser'),
    ]) {
      expect([response.status, pointersIn(response)]).toEqual([400, ['id']]);
    }
  });

  it('404 for unknown ones, and 400 for an invalid id', async () => {
    const { enterprise } = await named();
    for (const query of ['id=0', 'id=999999999', 'id=9007199254740991', 'external_id=nobody', 'external_id=a%00b']) {
      expect([query, (await enterprise('findPublicUsers', { query })).status]).toEqual([query, 404]);
    }
    for (const id of ['abc', '-1', '1.5', '9007199254740993', '99999999999999999999']) {
      const response = await enterprise('findPublicUsers', { query: { id } });
      expect([id, response.status, pointersIn(response)]).toEqual([id, 400, ['id']]);
    }
  });
});
