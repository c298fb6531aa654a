import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../support/client.ts';
import { newEnterprise, type Enterprise } from '../../../support/enterprise.ts';

const given = {
  ...{ title: 'Vacation', planned_days: 28, starts_at: '2026-01-01', ends_at: '2026-12-31' },
  ...{ expires: true, transfer_remaining: true, end_of_transfer_period: '2027-03-31' },
};

async function entitled() {
  const enterprise = await newEnterprise();
  const { id: user_id } = await enterprise.newUser();
  const body = { vacation_times: { ...given, user_id } };
  const [{ id }] = (await enterprise.enterprise('createVacationEntitlement', { body })).body.vacation_times;
  const change = (attributes: object) =>
    enterprise.enterprise('updateVacationEntitlement', { body: { vacation_times: { id, ...attributes } } });
  const shown = async () =>
    (await enterprise.enterprise('listVacationEntitlements', { query: { user_id } })).body.vacation_times;
  return { ...enterprise, id: id as number, user_id, change, shown };
}

const foreignId = async (): Promise<{ id: number; world: Enterprise }> => {
  const world = await entitled();
  return { id: world.id, world };
};

describe('updateVacationEntitlement', () => {
  it('200 changes what is sent, under both names of the days', async () => {
    const { change, shown, user_id } = await entitled();
    const { status, body } = await change({ title: 'More', planned_days: '30', start_date: '2026-02-01' });
    expect(status).toBe(200);
    expect(body.vacation_times).toMatchObject([
      { ...given, user_id, title: 'More', planned_days: 30, starts_at: '2026-02-01' },
    ]);
    expect(await shown()).toEqual(body.vacation_times);
    // The user is in Berlin, where that evening in UTC is already the next day.
    const moved = await change({ starts_at: '2026-02-28T23:00:00Z', ends_at: '2026-11-30' });
    expect(moved.body.vacation_times[0]).toMatchObject({ starts_at: '2026-03-01', ends_at: '2026-11-30' });
  });

  it('200 takes null as not sent, and an empty text as cleared', async () => {
    const { change, shown } = await entitled();
    const none = { title: null, planned_days: null, starts_at: null, expires: null, end_of_transfer_period: null };
    expect((await change(none)).status).toBe(200);
    expect(await shown()).toMatchObject([given]);
    expect((await change({ transfer_remaining: false, end_of_transfer_period: '' })).status).toBe(200);
    expect(await shown()).toMatchObject([{ ...given, transfer_remaining: false, end_of_transfer_period: null }]);
  });

  it('400 with all problems, and nothing changed', async () => {
    const { change, shown, enterprise } = await entitled();
    const attempt = async (attributes: object) => {
      const response = await change(attributes);
      return [response.status, pointersIn(response).sort()];
    };
    expect(await attempt({ title: '', planned_days: -1, starts_at: 'soon' })).toEqual([
      400,
      ['planned_days', 'starts_at', 'title'],
    ]);
    expect(await attempt({ starts_at: '2026-03-01', start_date: '2026-04-01', ends_at: '2025-12-31' })).toEqual([
      400,
      ['ends_at', 'starts_at'],
    ]);
    const cleared = await change({ end_of_transfer_period: '' });
    expect([cleared.status, titlesIn(cleared)]).toEqual([
      400,
      ['end_of_transfer_period is required, because transfer_remaining is true.'],
    ]);
    const nameless = await enterprise('updateVacationEntitlement', { body: { vacation_times: { title: 'New' } } });
    expect([nameless.status, pointersIn(nameless)]).toEqual([400, ['id']]);
    expect(await shown()).toMatchObject([given]);
  });

  it('404 for an unknown one, one of another enterprise, and one of a deleted user', async () => {
    const { change, enterprise, user_id } = await entitled();
    const foreign = await foreignId();
    const attempt = async (id: number) =>
      (await enterprise('updateVacationEntitlement', { body: { vacation_times: { id, title: 'Mine' } } })).status;
    expect([await attempt(999999999), await attempt(foreign.id)]).toEqual([404, 404]);
    await enterprise('deletePublicUser', { body: { user: { id: user_id } } });
    expect((await change({ title: 'Late' })).status).toBe(404);
  });
});

describe('deleteVacationEntitlement', () => {
  it('200 named in the body or in the query, with an empty body', async () => {
    for (const place of ['body', 'query'] as const) {
      const { enterprise, id, shown } = await entitled();
      const options = place === 'body' ? { body: { vacation_times: { id } } } : { query: { id } };
      const response = await enterprise('deleteVacationEntitlement', options);
      expect([response.status, response.text]).toEqual([200, '']);
      expect(await shown()).toEqual([]);
      expect((await enterprise('deleteVacationEntitlement', options)).status).toBe(404);
    }
  });

  it('400 without an id, and for two that differ; 404 for one of another enterprise', async () => {
    const { enterprise, id } = await entitled();
    const attempt = async (options: object) => {
      const response = await enterprise('deleteVacationEntitlement', options);
      return [response.status, pointersIn(response), titlesIn(response)];
    };
    expect(await attempt({})).toEqual([400, ['id'], ['id is required.']]);
    expect(await attempt({ body: { vacation_times: { id } }, query: { id: id + 1 } })).toEqual([
      400,
      ['id'],
      [`id is given more than once, and differs: ${id}, ${id + 1}.`],
    ]);
    const foreign = await foreignId();
    expect((await attempt({ query: { id: foreign.id } }))[0]).toBe(404);
    expect(
      await foreign.world.db.selectFrom('vacation_entitlements').select('id').where('id', '=', foreign.id).execute(),
    ).toHaveLength(1);
  });
});
