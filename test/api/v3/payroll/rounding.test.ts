import { describe, expect, it } from 'vitest';
import { request } from '../../../support/absences.ts';
import { record } from '../../../support/time_trackings.ts';
import { bodyOf, newWorld } from '../../../support/world.ts';

const spanOf = (seconds: number) => ({
  starts_at: '2026-01-05T08:00:00Z',
  ends_at: new Date(Date.parse('2026-01-05T08:00:00Z') + seconds * 1000).toISOString(),
});

describe('hours', () => {
  it('of 7,686 seconds are 2.14 wherever they are shown', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const span = spanOf(7_686);
    const { attributes: tracking } = await record(employee, span);
    const { body: list } = await admin.call('listTimeTrackings');
    const { body: absence } = await request(world, employee, { ...span, full_day: false });
    const { body: calculation } = await employee.call('getAbsencesCalculation', { query: span });
    const { body: absences } = await admin.call('listAbsences');
    expect({
      tracking: tracking['gross_time'],
      totals: list.meta.total_net_time,
      absence: absence.data.attributes.hours,
      calculation: calculation.data.attributes.hours,
      absences: absences.meta.total_hours,
    }).toEqual({ tracking: 2.14, totals: 2.14, absence: 2.14, calculation: 2.14, absences: 2.14 });
  });
});

describe('days', () => {
  it('of 522 minutes at 4 hours a day are 2.18', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const fourHours = {
      start_date: '2026-01-05',
      per_day: true,
      is_mon: true,
      mon: 4,
      is_tue: true,
      tue: 4,
      is_wed: true,
      wed: 4,
    };
    await admin.call('createTargetHour', {
      params: { user_id: employee.id },
      body: bodyOf('target_hour', fourHours),
    });
    // Two whole days of four hours, and 42 minutes.
    const span = { starts_at: '2026-01-05T00:00:00+01:00', ends_at: '2026-01-07T00:42:00+01:00' };
    const { body: absence } = await request(world, employee, { ...span, full_day: false });
    const { body: calculation } = await employee.call('getAbsencesCalculation', { query: span });
    expect([absence.data.attributes.days, calculation.data.attributes.days]).toEqual([2.18, 2.18]);
  });
});
