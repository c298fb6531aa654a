import type { Response } from 'supertest';
import { describe, expect, it } from 'vitest';
import { nearest } from '../../../src/platform/core/known_names.ts';
import { service } from '../../support/service.ts';
import { newWorld } from '../../support/world.ts';

/* What is misspelt gets an answer that names what was probably meant. */

const meantIn = ({ body }: Response): unknown =>
  (body as { errors: { meta?: { did_you_mean?: string } }[] }).errors[0]!.meta?.did_you_mean;

describe('an unknown path', () => {
  const ask = async (path: string) => {
    const response = await fetch((await service()).url + path);
    const { errors } = (await response.json()) as { errors: { code: string; meta?: object }[] };
    expect([response.status, errors[0]!.code]).toEqual([404, 'unknown_path']);
    return errors[0]!.meta;
  };

  it('404 names the one that is most like it, whatever its ids', async () => {
    expect(await ask('/api/v3/workspaces/12/time_tracking')).toEqual({
      did_you_mean: '/api/v3/workspaces/{workspace_id}/time_trackings',
    });
    expect(await ask('/api/v3/user/me')).toEqual({ did_you_mean: '/api/v3/users/me' });
    expect(await ask('/public_api/v1/absence')).toEqual({ did_you_mean: '/public_api/v1/absences' });
  });

  it('404 names none where none is like it', async () => {
    expect(await ask('/api/v3/nothing-of-the-kind')).toBeUndefined();
    expect(await ask(`/api/v3/${'workspaces/'.repeat(100)}`)).toBeUndefined();
  });
});

describe('a list', () => {
  it('200 names the filter, the order and the parameter that were probably meant', async () => {
    const { admin } = await newWorld();
    const { body } = await admin.call('listUsers', {
      query: 'filter[usernam]=eq:Bar&sort=-usrname,nothing-alike&itmes=5&filter[username]=oops',
    });
    expect(body.meta.ignored).toEqual([
      'itmes=5',
      'filter[usernam]=eq:Bar',
      'filter[username]=oops',
      'sort=-usrname',
      'sort=nothing-alike',
    ]);
    expect(body.meta.did_you_mean).toEqual({
      'itmes=5': 'items',
      'filter[usernam]=eq:Bar': 'username',
      'sort=-usrname': 'username',
    });
  });

  it('200 has no such member where nothing is like what was ignored', async () => {
    const { admin } = await newWorld();
    const { body } = await admin.call('listUsers', { query: 'sort=nothing-alike' });
    expect(body.meta).toMatchObject({ ignored: ['sort=nothing-alike'] });
    expect(body.meta).not.toHaveProperty('did_you_mean');
  });

  it('400 names them where the request is strict', async () => {
    const { admin } = await newWorld();
    const headers = { Prefer: 'handling=strict' };
    const meant = async (query: string) => meantIn(await admin.call('listUsers', { query, headers }));
    expect(await meant('filter[usernam]=eq:Bar')).toBe('username');
    expect(await meant('sort=-usrname')).toBe('username');
    expect(await meant('itmes=5')).toBe('items');
    expect(meantIn(await admin.call('listUsers', { query: 'include=area' }))).toBe('areas');
  });
});

describe('a request', () => {
  it('400 names the member, the event and the value that were probably meant', async () => {
    const { admin } = await newWorld();
    const webhook = (events: string[]) => ({
      data: { type: 'webhook', attributes: { url: 'https://93.184.215.14/', events } },
    });
    expect(meantIn(await admin.call('createWebhook', { body: webhook(['absence.confirm']) }))).toBe(
      'absence.confirmed',
    );
    expect(meantIn(await admin.call('getChanges', { query: 'types=absences' }))).toBe('absence');
    const area = { data: { type: 'area', attributes: { name: 'Bar', colour: '#112233' } } };
    const headers = { Prefer: 'handling=strict' };
    expect(meantIn(await admin.call('createArea', { body: area, headers }))).toBe('color');
    expect(meantIn(await admin.call('listSearches', { query: 'filter[query]=x&resources=Users' }))).toBe('User');
  });
});

describe('nearest', () => {
  it('is a name of which at most a third is written otherwise', () => {
    expect(nearest('NAEM', ['id', 'name', 'names'])).toBe('name');
    expect(nearest('qqqq', ['id', 'name'])).toBeUndefined();
    expect(nearest('', ['id'])).toBeUndefined();
    expect(nearest('n'.repeat(201), ['n'.repeat(201)])).toBeUndefined();
  });
});
