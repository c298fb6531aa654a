import supertest from 'supertest';
import { beforeAll, describe, expect, it } from 'vitest';
import { pointersIn } from '../../../support/client.ts';
import { newEnterpriseWithAbsences, type EnterpriseWithAbsences } from '../../../support/enterprise_absences.ts';

const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);

describe('findPublicAbsences', () => {
  it('200 with one absence by id or by external id, with times in local form', async () => {
    const { enterprise, newAbsence } = await newEnterpriseWithAbsences();
    const made = await newAbsence({ external_id: 'leave-7' });
    for (const query of [`id=${made.id}`, 'external_id=leave-7', `id=${made.id}&user_id=999999999`]) {
      const { status, body } = await enterprise('findPublicAbsences', { query });
      expect(status).toBe(200);
      expect(body).toEqual({
        ...made,
        absence_type_external_id: 'leave',
        starts_at: '2026-03-02T00:00:00+01:00',
        ends_at: '2026-03-06T23:59:59+01:00',
        confirmed: null,
        uuid,
        status: 'active',
      });
    }
  });

  it("200 with full days as dates of the absence's own zone where it has one, and +00:00 where that is UTC", async () => {
    const { enterprise, newAbsence } = await newEnterpriseWithAbsences();
    const shown = async (time_zone: string) => {
      const { id } = await newAbsence({ time_zone });
      const { starts_at, time_zone: zone } = (await enterprise('findPublicAbsences', { query: { id } })).body;
      return [starts_at, zone];
    };
    expect(await shown('New York')).toEqual(['2026-03-02T00:00:00-05:00', 'New York']);
    expect(await shown('UTC')).toEqual(['2026-03-02T00:00:00+00:00', 'UTC']);
  });

  it('200 in a range leaves out deleted users, also where they are named; id finds their absence', async () => {
    const { enterprise, newAbsence, newUser } = await newEnterpriseWithAbsences();
    const leaver = await newUser({ external_id: 'leaver' });
    const [gone, stays] = [await newAbsence({ user_id: leaver.id }), await newAbsence()];
    const listed = async (more: object = {}) => {
      const query = { range_start: '2026-03-01', range_end: '2026-03-31', ...more };
      const { body } = await enterprise('findPublicAbsences', { query });
      return body.absences.map(({ id }: { id: number }) => id);
    };
    expect(await listed()).toEqual([gone.id, stays.id]);
    await enterprise('deactivatePublicUser', { body: { user: { id: leaver.id } } });
    expect(await listed()).toEqual([gone.id, stays.id]);
    await enterprise('deletePublicUser', { body: { user: { id: leaver.id } } });
    expect([await listed(), await listed({ user_id: leaver.id })]).toEqual([[stays.id], []]);
    expect((await enterprise('findPublicAbsences', { query: { id: gone.id } })).status).toBe(200);
  });

  describe('in a range', () => {
    let place: EnterpriseWithAbsences;
    const made: Record<string, number> = {};
    beforeAll(async () => {
      place = await newEnterpriseWithAbsences();
      const hotel = await place.newLocation('Hotel', { external_id: 'hotel', time_zone: 'New York' });
      const guest = await place.newUser({ location_ids: hotel.id, external_id: 'guest' });
      made['first'] = (await place.newAbsence({ starts_at: '2026-03-02', ends_at: '2026-03-06' })).id;
      made['second'] = (await place.newAbsence({ starts_at: '2026-03-16', ends_at: '2026-03-16' })).id;
      const absence_type_id = await place.absenceType('sickness', hotel.id);
      made['abroad'] = (
        await place.newAbsence({ absence_type_id, user_id: guest.id, starts_at: '2026-03-06', ends_at: '2026-03-06' })
      ).id;
      made['hotel'] = hotel.id;
      made['guest'] = guest.id;
    });
    const found = async (query: string): Promise<string[]> => {
      const { status, body } = await place.enterprise('findPublicAbsences', { query });
      expect(status).toBe(200);
      return body.absences.map(({ id }: { id: number }) => Object.keys(made).find((name) => made[name] === id));
    };

    it('200 with any overlap, and with the first and the last day', async () => {
      expect(await found('range_start=2026-03-01&range_end=2026-03-31')).toEqual(['first', 'second', 'abroad']);
      expect(await found('range_start=2026-03-06&range_end=2026-03-16')).toEqual(['first', 'second', 'abroad']);
      expect(await found('range_start=2026-02-01&range_end=2026-03-02')).toEqual(['first']);
      expect(await found('range_start=2026-03-04&range_end=2026-03-04')).toEqual(['first']);
      expect(await found('range_start=2026-03-07&range_end=2026-03-15')).toEqual([]);
      expect(await found('range_start=2026-02-01&range_end=2026-03-01')).toEqual([]);
    });

    it.each([
      ['Azores', '2026-10-24', '2026-10-25', '2026-10-25T00:10:00Z', '2026-10-25T00:50:00Z'],
      ['Havana', '2026-10-31', '2026-11-01', '2026-11-01T04:10:00Z', '2026-11-01T04:50:00Z'],
    ])('200 with the first of the two midnights of a day in %s', async (time_zone, before, day, starts_at, ends_at) => {
      const { newLocation, newUser, newAbsence, absenceType, enterprise } = await newEnterpriseWithAbsences();
      const { id: location_id } = await newLocation('Island', { time_zone });
      const absence_type_id = await absenceType('sickness', location_id);
      const newIn = async (times: object) =>
        (await newAbsence({ ...times, absence_type_id, user_id: (await newUser({ location_ids: location_id })).id }))
          .id;
      const dayBefore = await newIn({ starts_at: before, ends_at: before });
      const wholeDay = await newIn({ starts_at: day, ends_at: day });
      const firstHour = await newIn({ starts_at, ends_at, full_day: false });
      const idsOn = async (date: string) => {
        const query = `range_start=${date}&range_end=${date}&location_id=${location_id}`;
        const { body } = await enterprise('findPublicAbsences', { query });
        return body.absences.map(({ id }: { id: number }) => id);
      };
      expect(await idsOn(before)).toEqual([dayBefore]);
      expect(await idsOn(day)).toEqual([wholeDay, firstHour]);
    });

    it('200 from the first day of the calendar to the last', async () => {
      expect(await found('range_start=0000-01-01&range_end=9999-12-31')).toEqual(['first', 'second', 'abroad']);
      expect(await found('range_start=9999-12-31&range_end=9999-12-31')).toEqual([]);
    });

    it('200 with moments, whose + may be encoded or not', async () => {
      expect(await found('range_start=2026-03-06T23:00:00%2B01:00&range_end=2026-03-07T02:00:00%2B01:00')).toEqual([
        'first',
        'abroad',
      ]);
      expect(await found('range_start=2026-03-07T00:00:00+01:00&range_end=2026-03-07T02:00:00+01:00')).toEqual([
        'abroad',
      ]);
      expect(await found('range_start=2026-03-16T12:00:00Z&range_end=2026-03-31')).toEqual(['second']);
    });

    it('200 narrowed to a user or a location, by either name', async () => {
      const march = 'range_start=2026-03-01&range_end=2026-03-31';
      expect(await found(`${march}&user_id=${place.userId}`)).toEqual(['first', 'second']);
      expect(await found(`${march}&user_external_id=guest`)).toEqual(['abroad']);
      expect(await found(`${march}&user_id=${made['guest']}&user_external_id=guest`)).toEqual(['abroad']);
      expect(await found(`${march}&location_id=${place.workspaceId}`)).toEqual(['first', 'second']);
      expect(await found(`${march}&location_external_id=hotel`)).toEqual(['abroad']);
      expect(await found(`${march}&location_id=${made['hotel']}&user_external_id=erika`)).toEqual([]);
      for (const unknown of [
        'user_id=999999999',
        'user_external_id=nobody',
        'location_id=999999999',
        'location_external_id=nowhere',
      ]) {
        expect(await found(`${march}&${unknown}`)).toEqual([]);
      }
      expect(
        (
          await place.enterprise('findPublicAbsences', {
            query: `${march}&user_id=${place.userId}&user_external_id=guest`,
          })
        ).status,
      ).toBe(400);
    });

    it('200 with the times in UTC', async () => {
      const { absences, ...page } = (
        await place.enterprise('findPublicAbsences', { query: 'range_start=2026-03-01&range_end=2026-03-31' })
      ).body;
      expect(absences[0].starts_at).toBe('2026-03-01T23:00:00Z');
      expect(absences[2].starts_at).toBe('2026-03-06T05:00:00Z');
      expect(absences[0]).not.toHaveProperty('confirmed');
      expect(page).toEqual({ page_number: 1, total_pages: 1, next_page: null });
    });

    it('200 in pages of 25, whose addresses keep the range', async () => {
      const { enterprise, newAbsence } = await newEnterpriseWithAbsences();
      for (let day = 1; day <= 26; day++) {
        const date = `2026-03-${String(day).padStart(2, '0')}`;
        await newAbsence({ starts_at: date, ends_at: date });
      }
      const query = 'range_start=2026-03-01T00:00:00%2B01:00&range_end=2026-03-31T23:59:59+02:00';
      const { body } = await enterprise('findPublicAbsences', { query });
      expect([body.absences.length, body.total_pages]).toEqual([25, 2]);
      const next = await supertest(body.next_page).get('');
      expect([next.status, next.body.absences.length, next.body.next_page]).toEqual([200, 1, null]);
    });

    it('400 without a range, with days that do not exist, or in the wrong order', async () => {
      const attempt = async (query: string) => {
        const response = await place.enterprise('findPublicAbsences', { query });
        return [response.status, pointersIn(response)];
      };
      expect(await attempt('')).toEqual([400, ['range_start', 'range_end']]);
      expect(await attempt('range_start=2026-03-01')).toEqual([400, ['range_end']]);
      expect(await attempt('range_start=2026-02-30&range_end=2026-03-31T00:00:00')).toEqual([
        400,
        ['range_start', 'range_end'],
      ]);
      expect(await attempt('range_start=2026-03-02&range_end=2026-03-01')).toEqual([400, ['range_end']]);
      expect(await attempt('external_id=')).toEqual([400, ['range_start', 'range_end']]);
    });
  });

  it('404 for an unknown one', async () => {
    const { enterprise } = await newEnterpriseWithAbsences();
    expect((await enterprise('findPublicAbsences', { query: { id: 999999999 } })).status).toBe(404);
    expect((await enterprise('findPublicAbsences', { query: { external_id: 'nothing' } })).status).toBe(404);
  });
});
