import { describe, expect, it } from 'vitest';
import { forAccount } from '../../../../../src/platform/db/transactions.ts';
import { enqueueJudgement } from '../../../../../src/platform/jobs/judgement.ts';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { inboxOf } from '../../../../support/notifications.ts';
import { service } from '../../../../support/service.ts';
import { record, trackingBody } from '../../../../support/time_trackings.ts';
import { bodyOf, newWorld, type World } from '../../../../support/world.ts';
import { absent } from '../../time_account/support.ts';
import { at, elsewhere, listed, rulesSeenBy, settings } from './support.ts';

describe('work in several workspaces', () => {
  it('200 counts them together, and shows only the hours of the other workspace', async () => {
    const world = await newWorld();
    const there = await elsewhere(world);
    const { status } = await world.admin.call('createTimeTracking', {
      body: trackingBody({ starts_at: at('06:00'), ends_at: at('12:00') }, { user: world.employee.id }),
      params: there,
    });
    expect(status).toBe(201);
    await record(world.employee, { starts_at: at('13:00'), ends_at: at('18:00') });
    expect(await listed(world.admin)).toMatchObject([
      { attributes: { rule: 'long_work', value: 11, hours_elsewhere: 6 } },
    ]);
    expect(await rulesSeenBy(world.admin, '', there)).toEqual([]);
    // A change there moves what completes the violation.
    await world.admin.call('createTimeTracking', {
      body: trackingBody({ starts_at: at('02:00'), ends_at: at('05:30') }, { user: world.employee.id }),
      params: there,
    });
    expect(await listed(world.admin)).toMatchObject([{ attributes: { value: 14.5, hours_elsewhere: 9.5 } }]);
  });
});

/** Judges the last weeks of the account again, as every night. */
const nightlyJob = (world: World) =>
  forAccount(world.db, world.accountId, async (tx) => {
    await enqueueJudgement(tx, world.accountId);
  }).then(async () => (await service()).jobs.drain());

describe('settings and absences', () => {
  it('200 judges the last weeks again after a change of the rules', async () => {
    const world = await newWorld();
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    await record(world.admin, { starts_at: `${yesterday}T04:00:00Z`, ends_at: `${yesterday}T10:30:00Z` });
    expect(await rulesSeenBy(world.admin)).toEqual(['short_breaks', 'long_stretch']);
    await settings(world, { working_time_rules: ['short_breaks'] });
    expect(await rulesSeenBy(world.admin)).toEqual(['short_breaks']);
    expect((await inboxOf(world.admin)).map(({ type }) => type).sort()).toEqual(['notification', 'trigger_warning']);
  });

  it('400 for a rule that does not exist, or another rest', async () => {
    const { admin } = await newWorld();
    const change = (attributes: object) => admin.call('updateWorkspace', { body: bodyOf('workspace', attributes) });
    const refused = await change({ working_time_rules: ['overlap', 'long_lunch'] });
    expect([refused.status, pointersIn(refused)]).toEqual([400, ['working_time_rules/1']]);
    expect(titlesIn(refused)[0]).toMatch(/^An item of working_time_rules must be one of .*, but was "long_lunch"\.$/);
    expect((await change({ working_time_rules: ['overlap', 'overlap'] })).status).toBe(400);
    expect((await change({ minimum_rest_hours: 9 })).status).toBe(400);
  });

  it('200 warns about work on a day of absence, also where the absence is confirmed later', async () => {
    const world = await newWorld();
    const monday = new Date(Date.now() - 7 * 86_400_000);
    monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7));
    const [first, second] = [0, 1].map((days) =>
      new Date(monday.getTime() + days * 86_400_000).toISOString().slice(0, 10),
    ) as [string, string];
    await absent(world, 'vacation', first);
    await record(world.employee, { starts_at: `${first}T08:00:00Z`, ends_at: `${first}T09:00:00Z` });
    await record(world.employee, { starts_at: `${second}T08:00:00Z`, ends_at: `${second}T09:00:00Z` });
    const dates = async () => (await listed(world.admin, 'sort=date')).map(({ attributes }) => attributes['date']);
    expect(await dates()).toEqual([first]);
    await absent(world, 'sickness', second);
    await nightlyJob(world);
    expect(await dates()).toEqual([first, second]);
    expect(await rulesSeenBy(world.employee)).toEqual(['absence_work', 'absence_work']);
  });

  it('200 warns about Sundays and holidays where the workspace wants it', async () => {
    const world = await newWorld();
    const day = (date: string) => ({ starts_at: at('08:00', date), ends_at: at('12:00', date) });
    await record(world.employee, day('2026-01-04'));
    expect(await rulesSeenBy(world.admin)).toEqual([]);
    await settings(world, { working_time_rules: ['sunday_work'], holiday_region: 'DE-BY' });
    await record(world.employee, day('2026-01-11'));
    await record(world.employee, day('2026-01-06'));
    await record(world.employee, day('2026-01-07'));
    expect((await listed(world.admin)).map(({ attributes }) => attributes['date'])).toEqual(
      expect.arrayContaining(['2026-01-11', '2026-01-06']),
    );
    expect(await rulesSeenBy(world.admin, 'filter[date]=eq:2026-01-07')).toEqual([]);
  });
});
