import { bodyOf } from '../../world.ts';
import type { Maker } from './maker.ts';
import type { Organisation } from './organisation.ts';

/** The evaluation of tomorrow. A user who was created today has none of earlier days. */
const evaluationOf = (userId: number): number => userId * 100_000 + Math.floor(Date.now() / 86_400_000) + 1;

/** What users owe, corrections of their accounts, and a closed month. */
export async function makeTimeAccount({ world, mark, asked, made }: Maker, { ids: { user } }: Organisation) {
  const { admin, employee } = world;
  const cycle = [
    { day_type: 'workday', hours: 8 },
    { day_type: 'freeday', hours: 0 },
  ];
  const target = await asked(admin, 'createTargetHour', {
    params: { user_id: user },
    body: bodyOf('target_hour', { start_date: '2026-02-01', target_working_days_attributes: cycle }),
  });
  const public_holiday = await made('createPublicHoliday', {
    body: bodyOf('public_holiday', { date: '2026-12-24', title: mark }),
  });
  const time_account_entry = await made('createTimeAccountEntry', {
    params: { user_id: user },
    body: bodyOf('time_account_entry', { date: '2026-02-02', hours: 1.5, kind: 'correction', note: mark }),
  });
  const closing = { month: '2026-01', user_ids: [employee.id] };
  const closed = await asked(admin, 'createAccountingPeriods', { body: bodyOf('accounting_period', closing) });
  return {
    ids: {
      target_hour: target.data.id,
      target_working_day: target.data.attributes.target_working_days[0].id,
      ...{ public_holiday, time_account_entry, accounting_period: closed.data[0].id, evaluation: evaluationOf(user) },
    },
  };
}
