import { describe, expect, it } from 'vitest';
import { bodyOf, newWorld, type World } from '../../../support/world.ts';
import { closed, reopen, twoMonths } from '../../v3/payroll/accounting_periods/support.ts';
import { asked, setEmployee } from '../../v3/time_account/support.ts';

const payrolls = ({ enterprise, employee }: World, query: object = {}) =>
  enterprise('listPayrolls', { query: { user_id: employee.id, ...query } });

describe('listPayrolls', () => {
  it('200 with the closed months, as they were when they were closed', async () => {
    const world = await twoMonths();
    await setEmployee(world, { salary: 18.5, initial_time_account: 4 });
    const january = await closed(world, '2026-01');
    const february = await closed(world, '2026-02');
    await setEmployee(world, { salary: 20 });
    await asked(world, 'updateWorkspace', { body: bodyOf('workspace', { holiday_region: null }) });
    const { status, body } = await payrolls(world);
    expect(status).toBe(200);
    const common = {
      user_id: world.employee.id,
      salary: 18.5,
      bonus: 0,
      selected_data: 'plan-actual',
      payroll_visible: true,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    };
    // January has 22 working days of 8 hours, one of them a holiday; two are vacation.
    expect(body).toEqual({
      payrolls: [
        {
          ...common,
          id: Number(january),
          day: '2026-01-31',
          calc_hours: 16.5,
          paid_hours: 16.5 + 8 + 16,
          additional_charged_hours: 2,
          time_account_start: 4,
          time_account_end: 4 + 16.5 + 8 + 16 + 2 - 176,
        },
        {
          ...common,
          id: Number(february),
          day: '2026-02-28',
          calc_hours: 8,
          paid_hours: 8 + 8,
          additional_charged_hours: 0,
          time_account_start: -129.5,
          time_account_end: -129.5 + 16 - 160,
        },
      ],
      page_number: 1,
      total_pages: 1,
      next_page: null,
    });
    await reopen(world.admin, february);
    expect((await payrolls(world)).body.payrolls.map(({ id }: { id: number }) => id)).toEqual([Number(january)]);
  });

  it('400 without a user, 404 for an unknown one', async () => {
    const world = await newWorld();
    expect((await world.enterprise('listPayrolls')).status).toBe(400);
    expect((await payrolls(world, { user_id: 4711 })).status).toBe(404);
    expect((await payrolls(world)).body.payrolls).toEqual([]);
  });
});
