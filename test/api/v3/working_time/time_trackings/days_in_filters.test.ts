import { beforeAll, describe, expect, it } from 'vitest';
import { list, namesOf } from '../../../../support/time_tracking_lists.ts';
import { record } from '../../../../support/time_trackings.ts';
import { bodyOf, newWorld, type World } from '../../../../support/world.ts';

describe('plain days in filters of times', () => {
  let world: World;
  const names = async (query: string): Promise<string> =>
    namesOf(await list(world.admin, `${query}&sort=external_id`)).join('');

  beforeAll(async () => {
    world = await newWorld();
    await world.admin.call('updateWorkspace', { body: bodyOf('workspace', { time_zone: 'Berlin' }) });
    const shift = (external_id: string, starts_at: string, ends_at: string | null) =>
      record(world.admin, { external_id, starts_at, ends_at });
    await shift('a', '2026-04-30T23:59:59+02:00', '2026-05-01T00:30:00+02:00');
    await shift('b', '2026-05-01T00:00:00+02:00', '2026-05-01T08:00:00+02:00');
    await shift('c', '2026-05-31T23:59:59+02:00', '2026-06-01T06:00:00+02:00');
    await shift('d', '2026-06-01T00:00:00+02:00', null);
  });

  it.each([
    ['filter[starts_at]=gte:2026-05-01', 'bcd'],
    ['filter[starts_at]=lte:2026-05-31', 'abc'],
    ['filter[starts_at]=gt:2026-05-01', 'cd'],
    ['filter[starts_at]=lt:2026-05-31', 'ab'],
    ['filter[starts_at]=eq:2026-05-01', 'b'],
    ['filter[starts_at]=!eq:2026-05-01', 'acd'],
    ['filter[ends_at]=!eq:2026-05-01', 'cd'],
    ['filter[starts_at]=in:2026-05-01,2026-06-01', 'bd'],
    ['filter[starts_at]=in:2026-05-01,2026-06-01T00:00:00%2B02:00', 'bd'],
    ['filter[starts_at][]=2026-04-30&filter[starts_at][]=2026-05-31', 'ac'],
    ['filter[starts_at][]=gte:2026-05-01&filter[starts_at][]=lte:2026-05-31', 'bc'],
    ['filter[starts_at]=gte:2026-05-01&filter[starts_at]=lte:2026-05-31', 'bc'],
    // Some clients join a list with commas.
    ['filter[starts_at]=gte:2026-05-01,lte:2026-05-31', 'bc'],
    ['filter[starts_at]=gte:2026-05-01,in:2026-05-01,2026-06-01', 'bd'],
    ['filter[starts_at]=in:2026-04-30,2026-05-01&filter[starts_at]=in:2026-06-01', 'abd'],
    ['filter[external_id]=in:a,c&filter[external_id]=eq:d', 'acd'],
    ['filter[external_id]=ct:a,ct:b', ''],
    ['filter[starts_at]=gte:0001-01-01', 'abcd'],
    ['filter[starts_at]=lte:9999-12-31', 'abcd'],
    ['filter[starts_at]=eq:2026-02-30', 'abcd'],
    // A time with an offset stays a moment, also where its plus was not encoded.
    ['filter[starts_at]=gte:2026-05-01T00:00:01%2B02:00', 'cd'],
    ['filter[starts_at]=gte:2026-05-01T00:00:01+02:00', 'cd'],
    ['filter[starts_at]=gte:2026-05-01T00:00:01+0200', 'cd'],
    ['filter[starts_at]=eq:2026-05-01T00:00:00+02:00', 'b'],
    ['filter[starts_at]=in:2026-05-01T00:00:00+02:00,2026-06-01T00:00:00+02:00', 'bd'],
    ['filter[starts_at][]=2026-05-01T00:00:00+02:00&filter[starts_at][]=2026-06-01', 'bd'],
  ])('%s lists %s, and the totals agree', async (query, expected) => {
    expect(await names(query)).toBe(expected);
    const { meta, data } = await list(world.admin, query);
    expect(meta['total_count']).toBe(data.length);
    const gross = data.reduce((sum, { attributes }) => sum + (attributes['gross_time'] as number), 0);
    expect(meta['total_gross_time']).toBeCloseTo(gross, 1);
  });

  it('count a night shift in one month only, where a range of days counts it in both', async () => {
    const overlapping = (range: string) => names(`filter[overlapping_with_range]=${range}`);
    expect(await overlapping('2026-04-01_2026-04-30')).toBe('a');
    expect(await overlapping('2026-05-01_2026-05-31')).toBe('abc');
    expect(await names('filter[starts_at]=gte:2026-04-01&filter[starts_at]=lte:2026-04-30')).toBe('a');
    expect(await names('filter[starts_at]=gte:2026-05-01&filter[starts_at]=lte:2026-05-31')).toBe('bc');
  });

  it('are days of UTC in lists that belong to no workspace', async () => {
    for (const [name, created_at] of [
      ['a', '2026-04-30T23:59:59Z'],
      ['b', '2026-05-01T00:00:00Z'],
      ['c', '2026-05-01T23:59:59Z'],
      ['d', '2026-05-02T00:00:00Z'],
    ] as const) {
      const { body } = await world.admin.call('createApiToken', { body: bodyOf('api_token', { name }) });
      await world.db
        .updateTable('api_tokens')
        .set({ created_at: new Date(created_at) })
        .where('account_id', '=', world.accountId)
        .where('id', '=', body.data.id)
        .execute();
    }
    const tokens = async (query: string): Promise<string> =>
      (await world.admin.call('listApiTokens', { query: `${query}&sort=name` })).body.data
        .map(({ attributes }: { attributes: { name: string } }) => attributes.name)
        .filter((name: string) => name.length === 1)
        .join('');
    expect(await tokens('filter[created_at]=eq:2026-05-01')).toBe('bc');
    expect(await tokens('filter[created_at]=lte:2026-04-30')).toBe('a');
    expect(await tokens('filter[created_at][]=gte:2026-05-01&filter[created_at][]=lte:2026-05-02')).toBe('bcd');
    expect(await tokens('filter[created_at]=in:2026-04-30,2026-05-02')).toBe('ad');
  });
});
