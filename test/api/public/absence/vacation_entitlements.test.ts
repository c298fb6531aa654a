import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { employSince } from '../../../support/absences.ts';
import { pointersIn, titlesIn } from '../../../support/client.ts';
import { newEnterprise } from '../../../support/enterprise.ts';

const year = new Date().getUTCFullYear();

describe('createVacationEntitlement', () => {
  it('200 with every attribute, for a user named by id', async () => {
    const { enterprise, newUser } = await newEnterprise();
    const { id: user_id } = await newUser();
    const given = { title: 'Vacation', user_id, planned_days: 28.5, expires: true, transfer_remaining: true };
    const vacation_times = {
      ...given,
      start_date: '2026-01-01',
      end_date: '2026-12-31',
      end_of_transfer_period: '2027-03-31',
    };
    const { status, body } = await enterprise('createVacationEntitlement', { body: { vacation_times } });
    expect(status).toBe(200);
    expect(body).toEqual({
      vacation_times: [
        {
          id: expect.any(Number),
          ...given,
          starts_at: '2026-01-01',
          ends_at: '2026-12-31',
          end_of_transfer_period: '2027-03-31',
          spent_days: 0,
          transferred_days: 0,
          transferred_to: null,
          import_id: null,
          status: 'active',
          locked: false,
          created_at: expect.stringMatching(/Z$/),
          updated_at: expect.stringMatching(/Z$/),
        },
      ],
    });
  });

  it('200 for a user named by external id, for the current year where no days are given', async () => {
    const { enterprise, newUser } = await newEnterprise();
    const { id } = await newUser({ external_id: 'erika' });
    const body = {
      vacation_times: {
        title: 'Vacation',
        user_external_id: 'erika',
        planned_days: '28',
        starts_at: '',
        end_date: null,
        expires: '',
      },
    };
    const [made] = (await enterprise('createVacationEntitlement', { body })).body.vacation_times;
    expect(made).toMatchObject({
      user_id: id,
      planned_days: 28,
      starts_at: `${year}-01-01`,
      ends_at: `${year}-12-31`,
      expires: false,
      transfer_remaining: false,
    });
    expect(made.end_of_transfer_period).toBeNull();
  });

  it('200 with starts_at and ends_at, as days or as moments of a local day', async () => {
    const { enterprise, newUser } = await newEnterprise();
    const { id: user_id } = await newUser();
    const made = async (period: object) =>
      (
        await enterprise('createVacationEntitlement', {
          body: { vacation_times: { title: 'V', user_id, planned_days: 1, ...period } },
        })
      ).body.vacation_times[0];
    expect(await made({ starts_at: '2026-02-01', ends_at: '2026-02-28' })).toMatchObject({
      starts_at: '2026-02-01',
      ends_at: '2026-02-28',
    });
    // The location is in Berlin, where that evening in UTC is already the next day.
    expect(await made({ starts_at: '2026-01-31T23:00:00Z', ends_at: '2026-02-28T23:59:59+01:00' })).toMatchObject({
      starts_at: '2026-02-01',
      ends_at: '2026-02-28',
    });
  });

  it('400 without title, user and days, and without the end of a transfer, all at once', async () => {
    const { enterprise } = await newEnterprise();
    const response = await enterprise('createVacationEntitlement', {
      body: { vacation_times: { transfer_remaining: true, starts_at: '2026-02-30' } },
    });
    expect(response.status).toBe(400);
    expect(pointersIn(response).sort()).toEqual([
      'end_of_transfer_period',
      'planned_days',
      'starts_at',
      'title',
      'user_id',
    ]);
    expect(titlesIn(response)).toContain(
      'starts_at must be an ISO 8601 time with an offset, like 2026-01-30T08:00:00+01:00, of a day that exists, or must be a day that exists, like 2026-01-30, but was "2026-02-30".',
    );
  });

  it('400 for an unknown user, and for days in the wrong order', async () => {
    const { enterprise, newUser } = await newEnterprise();
    const { id: user_id } = await newUser();
    const attempt = async (more: object) => {
      const response = await enterprise('createVacationEntitlement', {
        body: { vacation_times: { title: 'V', planned_days: 1, ...more } },
      });
      return [response.status, pointersIn(response)];
    };
    expect(await attempt({ user_id: 999999999 })).toEqual([400, ['user_id']]);
    expect(await attempt({ user_external_id: 'nobody', starts_at: '2026-12-31', ends_at: '2026-01-01' })).toEqual([
      400,
      ['user_external_id', 'ends_at'],
    ]);
    expect(await attempt({ user_id, starts_at: '2026-01-01', start_date: '2026-01-02' })).toEqual([400, ['starts_at']]);
    expect(await attempt({ user_id, starts_at: '2026-12-31', ends_at: '2026-01-01' })).toEqual([400, ['ends_at']]);
    const transfer = { transfer_remaining: true, starts_at: '2026-01-01', ends_at: '2026-12-31' };
    expect(await attempt({ user_id, ...transfer, end_of_transfer_period: '2026-12-31' })).toEqual([
      400,
      ['end_of_transfer_period'],
    ]);
    expect(await attempt({ user_id, ...transfer })).toEqual([400, ['end_of_transfer_period']]);
    expect(await attempt({ user_id, starts_at: '2026-01-01T00:00:00' })).toEqual([400, ['starts_at']]);
  });
});

describe('listVacationEntitlements', () => {
  it('200 with those of a user named by id or by external id, that overlap the days asked for', async () => {
    const { enterprise, newUser } = await newEnterprise();
    const { id: user_id } = await newUser({ external_id: 'erika' });
    const made: number[] = [];
    for (const y of [2025, 2026, 2027]) {
      const vacation_times = {
        title: String(y),
        user_id,
        planned_days: 28,
        starts_at: `${y}-01-01`,
        ends_at: `${y}-12-31`,
      };
      made.push(
        (await enterprise('createVacationEntitlement', { body: { vacation_times } })).body.vacation_times[0].id,
      );
    }
    const found = async (query: string) => {
      const { status, body } = await enterprise('listVacationEntitlements', { query });
      expect(status).toBe(200);
      return body.vacation_times.map(({ id }: { id: number }) => made.indexOf(id));
    };
    expect(await found(`user_id=${user_id}`)).toEqual([0, 1, 2]);
    expect(await found('user_external_id=erika')).toEqual([0, 1, 2]);
    expect(await found(`user_id=${user_id}&start_date=2025-12-31&end_date=2026-01-01`)).toEqual([0, 1]);
    expect(await found(`user_id=${user_id}&start_date=2026-01-01`)).toEqual([1, 2]);
    expect(await found(`user_id=${user_id}&end_date=2025-12-31`)).toEqual([0]);
    expect(
      await found(`user_id=${user_id}&start_date=2026-01-01T00:30:00+01:00&end_date=2026-12-31T23:59:59%2B01:00`),
    ).toEqual([1]);
    expect(await found(`user_id=${user_id}&start_date=2030-01-01`)).toEqual([]);
  });

  it('200 in pages of 25', async () => {
    const { db, accountId, enterprise, newUser } = await newEnterprise();
    const { id: user_id } = await newUser();
    const now = new Date();
    const row = {
      account_id: accountId,
      user_id,
      title: 'V',
      starts_at: '2026-01-01',
      ends_at: '2026-12-31',
      planned_days: 1,
      created_at: now,
      updated_at: now,
    };
    await db
      .insertInto('vacation_entitlements')
      .values(Array.from({ length: 30 }, () => row))
      .execute();
    const { body } = await enterprise('listVacationEntitlements', { query: { user_id } });
    expect([body.vacation_times.length, body.page_number, body.total_pages]).toEqual([25, 1, 2]);
    expect((await supertest(body.next_page).get('')).body.vacation_times).toHaveLength(5);
  });

  it('200 with the days that confirmed vacation has spent, each counted once, in the entitlement that ends first', async () => {
    const world = await newEnterprise();
    const { enterprise, newUser, absenceType } = world;
    const { id: user_id } = await newUser();
    await employSince(world, user_id);
    const entitle = async (title: string, starts_at: string, ends_at: string) =>
      enterprise('createVacationEntitlement', {
        body: { vacation_times: { title, user_id, planned_days: 28, starts_at, ends_at } },
      });
    await entitle('year', '2026-01-01', '2026-12-31');
    await entitle('spring', '2026-03-01', '2026-05-31');
    const absent = async (kind: string, starts_at: string, ends_at: string, isConfirmed = true) => {
      const absence = { absence_type_id: await absenceType(kind), user_id, starts_at, ends_at, full_day: true };
      const { id } = (await enterprise('createPublicAbsence', { body: { absence } })).body;
      if (isConfirmed) await enterprise('confirmPublicAbsence', { body: { absence: { id } } });
      return id;
    };
    const spent = async () => {
      const { vacation_times } = (await enterprise('listVacationEntitlements', { query: { user_id } })).body;
      return vacation_times.map(({ title, spent_days }: { title: string; spent_days: number }) => [title, spent_days]);
    };
    await absent('vacation', '2026-03-02', '2026-03-08', false);
    await absent('sickness', '2026-04-06', '2026-04-10');
    expect(await spent()).toEqual([['year', 0], ['spring', 0]]); // prettier-ignore
    const id = await absent('vacation', '2026-02-26', '2026-03-03');
    expect(await spent()).toEqual([['year', 2], ['spring', 2]]); // prettier-ignore
    await enterprise('resetPublicAbsence', { body: { absence: { id } } });
    expect(await spent()).toEqual([['year', 0], ['spring', 0]]); // prettier-ignore
  });

  it('200 for a deleted user who is named by id, as it was before; 404 by external id and for other enterprises', async () => {
    const world = await newEnterprise();
    const { enterprise, newUser, absenceType } = world;
    const { id: user_id } = await newUser({ external_id: 'leaver' });
    await employSince(world, user_id);
    const vacation_times = {
      title: 'Vacation',
      user_id,
      planned_days: 28,
      start_date: '2026-01-01',
      end_date: '2026-12-31',
    };
    await enterprise('createVacationEntitlement', { body: { vacation_times } });
    const week = { starts_at: '2026-03-02', ends_at: '2026-03-06', full_day: true };
    const absence = { ...week, user_id, absence_type_id: await absenceType('vacation') };
    const { id } = (await enterprise('createPublicAbsence', { body: { absence } })).body;
    await enterprise('confirmPublicAbsence', { body: { absence: { id } } });
    const listed = (query: object) => enterprise('listVacationEntitlements', { query: { ...query } });
    const before = await listed({ user_id });
    expect(before.body.vacation_times).toMatchObject([{ planned_days: 28, spent_days: 5 }]);
    await enterprise('deletePublicUser', { body: { user: { id: user_id } } });
    const after = await listed({ user_id, start_date: '2026-06-01' });
    expect([after.status, after.body]).toEqual([200, before.body]);
    expect((await listed({ user_external_id: 'leaver' })).status).toBe(404);
    const other = await newEnterprise();
    expect((await other.enterprise('listVacationEntitlements', { query: { user_id } })).status).toBe(404);
  });

  it('400 without a user, 404 for an unknown user', async () => {
    const { enterprise } = await newEnterprise();
    const nameless = await enterprise('listVacationEntitlements');
    expect([nameless.status, pointersIn(nameless)]).toEqual([400, ['user_id']]);
    expect(
      (await enterprise('listVacationEntitlements', { query: { user_id: 5, start_date: '2026-02-30' } })).status,
    ).toBe(400);
    expect((await enterprise('listVacationEntitlements', { query: { user_id: 999999999 } })).status).toBe(404);
    expect((await enterprise('listVacationEntitlements', { query: { user_external_id: 'nobody' } })).status).toBe(404);
  });
});
