import { describe, expect, it } from 'vitest';
import { bodyOf, newWorld, type World } from '../../../../support/world.ts';
import { close } from '../../payroll/accounting_periods/support.ts';
import { anonymise, asked, dump, tablesWith } from './support.ts';

/** A user with a salary and an opening balance that no other value in the database equals. */
async function paidUser(world: World) {
  const { data } = await asked(world.admin, 'createUser', {
    body: bodyOf('user', {
      username: 'Kim Former',
      ...{ salary: 71_717.17, initial_time_account: 313.13, start_of_accounting: '2019-07-03' },
    }),
  });
  const params = { user_id: Number(data.id) };
  await asked(world.admin, 'updateUser', { params, body: bodyOf('user', { salary: 71_717.27 }) });
  return {
    id: params.user_id,
    erased: () => anonymise(world.admin, params.user_id, { confirm: 'Kim Former' }),
    shown: async () => {
      const { data: user } = await asked(world.admin, 'getAccountUser', { params });
      const { salary, initial_time_account, start_of_accounting } = user.attributes;
      return [salary, initial_time_account, start_of_accounting];
    },
    balance: async (day: string) => {
      const { data: days } = await asked(world.admin, 'getUserDays', { params, query: { from: day, to: day } });
      return days[0].attributes.balance;
    },
  };
}

const kept: Record<string, (world: World, userId: number) => Promise<unknown>> = {
  'a closed month': (world, userId) => close(world.admin, '2019-07', { user_ids: [userId] }),
  'a booking': ({ admin }, userId) =>
    asked(admin, 'createTimeAccountEntry', {
      params: { user_id: userId },
      body: bodyOf('time_account_entry', { date: '2019-08-02', hours: 1, kind: 'correction', note: 'Extra' }),
    }),
  'a working time that was deleted': async ({ admin }, userId) => {
    const { data } = await asked(admin, 'createTimeTracking', {
      body: bodyOf(
        'time_tracking',
        { starts_at: '2019-08-01T08:00:00Z', ends_at: '2019-08-01T09:00:00Z' },
        { user: { data: { type: 'user', id: String(userId) } } },
      ),
    });
    await asked(admin, 'deleteTimeTracking', { params: { time_tracking_id: data.id } });
  },
};

describe('createAnonymisation', () => {
  it('201 without a record: salary, opening balance and start of accounting are gone everywhere', async () => {
    const world = await newWorld();
    const user = await paidUser(world);
    const figures = ['71717.17', '71717.27', '313.13', '2019-07-03'];
    const before = await dump();
    for (const figure of figures)
      expect([figure, tablesWith(before, figure)]).toEqual([figure, expect.arrayContaining(['public.events'])]);
    expect((await user.erased()).status).toBe(201);
    expect(await user.shown()).toEqual([0, 0, null]);
    expect(await user.balance('2019-08-30')).toBe(0);
    const after = await dump();
    for (const figure of figures) expect([figure, tablesWith(after, figure)]).toEqual([figure, []]);
    const { data } = await asked(world.admin, 'listUserSummaries', { query: 'from=2019-07-01&to=2019-08-31' });
    expect(data.length).toBeGreaterThan(0);
  });

  it.each(Object.entries(kept))(
    '201 with %s: the balance needs its beginning, and nothing the salary',
    async (_, keep) => {
      const world = await newWorld();
      const user = await paidUser(world);
      await keep(world, user.id);
      const before = await user.balance('2019-08-30');
      expect((await user.erased()).status).toBe(201);
      expect(await user.shown()).toEqual([0, 313.13, '2019-07-03']);
      expect(await user.balance('2019-08-30')).toBe(before);
      const after = await dump();
      for (const figure of ['71717.17', '71717.27']) expect(tablesWith(after, figure)).toEqual([]);
      // Events never had a part in a balance.
      expect(tablesWith(after, '2019-07-03')).not.toContain('public.events');
    },
  );
});
