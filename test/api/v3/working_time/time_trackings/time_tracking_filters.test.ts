import { DateTime } from 'luxon';
import { beforeAll, describe, expect, it } from 'vitest';
import { list, idsOf, namesOf } from '../../../../support/time_tracking_lists.ts';
import { areaWith, punched, record, tagTitled } from '../../../../support/time_trackings.ts';
import { bodyOf, newWorld, type World } from '../../../../support/world.ts';

describe('filters of listTimeTrackings', () => {
  let world: World;
  let tag: string;
  let area: string;
  const uuid = '5f1c3f0e-6f1c-4a55-9d6a-0a3f3a8d9b11';
  const names = async (filter: string): Promise<string> =>
    namesOf(await list(world.admin, `${filter}&sort=external_id`)).join('');

  beforeAll(async () => {
    world = await newWorld();
    tag = await tagTitled(world, 'Night');
    area = await areaWith(world, 'Bar');
    const pause = [{ starts_at: '2026-01-06T08:10:00Z', ends_at: '2026-01-06T08:40:00Z' }];
    await record(world.admin, { external_id: 'a', assignment_id: 'Alpha_1', confirmed: true }, { tags: [tag] });
    await record(world.admin, { external_id: 'b', assignment_id: 'alpha%2', starts_at: '2026-01-06T08:00:00Z', ends_at: '2026-01-06T09:00:00Z', breaks_attributes: pause }, { area }); // prettier-ignore
    await record(world.employee, {
      external_id: 'c',
      assignment_id: '',
      starts_at: '2026-01-07T08:00:00Z',
      ends_at: '2026-01-07T12:30:00Z',
    });
    await record(world.employee, {
      external_id: 'd',
      assignment_id: 'Beta',
      starts_at: '2026-01-08T08:00:00Z',
      ends_at: null,
    });
  });

  it.each([
    // text
    ['filter[assignment_id]=eq:Beta', 'd'],
    ['filter[assignment_id]=eq:beta', ''],
    ['filter[assignment_id]=!eq:Beta', 'abc'],
    ['filter[assignment_id]=gt:Alpha_1', 'bd'],
    ['filter[assignment_id]=gte:Beta', 'bd'],
    ['filter[assignment_id]=lt:Beta', 'a'],
    ['filter[assignment_id]=lte:Beta', 'ad'],
    ['filter[assignment_id]=pre:ALPHA', 'ab'],
    ['filter[assignment_id]=suf:A', 'd'],
    ['filter[assignment_id]=ct:PHA', 'ab'],
    ['filter[assignment_id]=!ct:pha', 'cd'],
    ['filter[assignment_id]=ct:_', 'a'],
    ['filter[assignment_id]=ct:%25', 'b'],
    ['filter[assignment_id]=in:Beta,Alpha_1', 'ad'],
    ['filter[assignment_id][]=Beta&filter[assignment_id][]=Alpha_1', 'ad'],
    ['filter[assignment_id]=present:true', 'abd'],
    ['filter[assignment_id]=present:false', 'c'],
    // number
    ['filter[gross_time]=eq:1', 'b'],
    ['filter[gross_time]=!eq:1', 'acd'],
    ['filter[gross_time]=gt:2&filter[running]=0', 'c'],
    ['filter[gross_time]=gte:2&filter[running]=0', 'ac'],
    ['filter[gross_time]=lt:2', 'b'],
    ['filter[gross_time]=lte:2', 'ab'],
    ['filter[net_time]=eq:0.5', 'b'],
    ['filter[break_time]=gt:0.25', 'b'],
    ['filter[gross_time]=in:1,4.5', 'bc'],
    ['filter[break_duration]=eq:1800', 'b'],
    ['filter[break_duration]=present:true', 'b'],
    ['filter[break_duration]=present:false', 'acd'],
    ['filter[break_duration]=!eq:1800', 'acd'],
    ['filter[system_notes_count]=gt:1', 'b'],
    ['filter[user_notes_count]=eq:0', 'abcd'],
    ['filter[signatures_count]=gt:0', ''],
    ['filter[attachments_count]=lt:1', 'abcd'],
    ['filter[default_break_duration]=eq:0', 'abcd'],
    // boolean
    ['filter[confirmed]=eq:true', 'a'],
    ['filter[confirmed]=eq:0', 'bcd'],
    ['filter[confirmed]=!eq:true', 'bcd'],
    ['filter[confirmed]=in:true,false', 'abcd'],
    ['filter[confirmed]=present:true', 'abcd'],
    ['filter[force_custom_break_duration]=eq:true', ''],
    // time
    ['filter[starts_at]=eq:2026-01-06T09:00:00%2B01:00', 'b'],
    ['filter[starts_at]=!eq:2026-01-06T08:00:00Z', 'acd'],
    ['filter[starts_at]=gt:2026-01-06T08:00:00Z', 'cd'],
    ['filter[starts_at]=gte:2026-01-06T08:00:00Z', 'bcd'],
    ['filter[starts_at]=lt:2026-01-06', 'a'],
    ['filter[starts_at]=lte:2026-01-06T08:00:00Z', 'ab'],
    ['filter[starts_at]=in:2026-01-05T08:00:00Z,2026-01-07T08:00:00Z', 'ac'],
    ['filter[ends_at]=present:false', 'd'],
    ['filter[ends_at]=present:true', 'abc'],
    ['filter[actual_starts_at]=present:false', 'd'],
    ['filter[actual_ends_at]=lt:2026-01-06', 'a'],
    ['filter[created_at]=gt:2026-01-01&filter[updated_at]=present:true', 'abcd'],
    // derived
    ['filter[current_status]=eq:running', 'd'],
    ['filter[current_status]=!eq:running', 'abc'],
    ['filter[status]=eq:active', 'abcd'],
    ['filter[created_by]=eq:employee', 'cd'],
    ['filter[external_id]=in:a,d', 'ad'],
    ['filter[start_signature_id]=present:true', ''],
    ['filter[end_signature_id]=present:false', 'abcd'],
    // bare values
    ['filter[running]=1', 'd'],
    ['filter[running]=0', 'abc'],
    ['filter[running]=maybe', 'abcd'],
    ['filter[overlapping_with_range]=2026-01-05_2026-01-06', 'ab'],
    ['filter[overlapping_with_range]=2026-01-06_2026-01-06', 'b'],
    ['filter[overlapping_with_range]=2026-01-07', 'cd'],
    ['filter[overlapping_with_range]=2026-02-30', 'abcd'],
    ['filter[overlapping_with_range]=2026-01-05_2026-01-06_2026-01-07', 'abcd'],
    // several at once, and what fits nothing
    ['filter[confirmed]=eq:false&filter[gross_time]=lt:2', 'b'],
    ['filter[nonsense]=eq:1', 'abcd'],
    ['filter[gross_time]=near:1', 'abcd'],
    ['filter[gross_time]=gt:abc', 'abcd'],
    ['filter[gross_time]=ct:1', 'abcd'],
    ['filter[confirmed]=gt:false', 'abcd'],
    ['filter[starts_at]=gt:yesterday', 'abcd'],
    ['filter[starts_at]=pre:2026', 'abcd'],
    ['filter[assignment_id]=eq:a%00b', ''],
  ])('%s finds "%s"', async (filter, expected) => {
    expect(await names(filter)).toBe(expected);
  });

  it('by user, area, tag, editor and id', async () => {
    const { admin, employee } = world;
    expect(await names(`filter[user_id]=${employee.id}`)).toBe('cd');
    expect(await names(`filter[user_id]=eq:${admin.id},${employee.id}`)).toBe('abcd');
    expect(await names('filter[user_id]=abc')).toBe('');
    expect(await names(`filter[user_id]=!eq:${admin.id}`)).toBe('abcd');
    expect(await names(`filter[area_id]=${area}`)).toBe('b');
    expect(await names(`filter[tags]=${tag},999999`)).toBe('a');
    expect(await names('filter[tags]=999999')).toBe('');
    expect(await names(`filter[last_update_by]=eq:${employee.id}`)).toBe('cd');
    const [first, second] = idsOf(await list(admin, 'sort=external_id'));
    expect(await names(`filter[id]=eq:${first}`)).toBe('a');
    expect(await names(`filter[id]=!eq:${first}`)).toBe('bcd');
    expect(await names(`filter[id]=in:${first},${second}`)).toBe('ab');
    expect(await names(`filter[id]=gt:${first}`)).toBe('bcd');
  });

  it('by the UUID of a punched one, alone and among numbers', async () => {
    const own = await newWorld();
    await punched(own, own.employee.id, uuid);
    const { id } = await record(own.admin);
    const ids = async (filter: string) => idsOf(await list(own.admin, filter));
    expect(await ids(`filter[id]=eq:${uuid}`)).toEqual([uuid]);
    expect(await ids(`filter[id]=!eq:${uuid}`)).toEqual([id]);
    expect(await ids(`filter[id]=in:${uuid},${id}`)).toEqual([id, uuid]);
    expect(await ids(`filter[id][]=${uuid}`)).toEqual([uuid]);
  });

  it.each([
    ['sort=-starts_at', 'dcba'],
    ['sort=assignment_id,-external_id', 'adbc'],
    ['sort=confirmed,-gross_time&filter[running]=0', 'cba'],
    ['sort=+external_id', 'abcd'],
    ['sort=nonsense', 'abcd'],
    ['sort=nonsense,-external_id', 'dcba'],
    ['sort=-ends_at', 'dcba'],
    ['sort=status,-system_notes_count,external_id', 'bacd'],
  ])('%s orders %s', async (sort, expected) => {
    expect(namesOf(await list(world.admin, sort)).join('')).toBe(expected);
  });
});

describe('clock changes', () => {
  it.each([
    ['Europe/Berlin', '2026-03-28', 7],
    ['Europe/Berlin', '2026-10-24', 9],
    ['America/New_York', '2026-03-07', 7],
    ['America/New_York', '2026-10-31', 9],
    ['Australia/Lord_Howe', '2026-10-03', 7.5],
    ['Australia/Lord_Howe', '2026-04-04', 8.5],
  ])(
    '%s: a night shift that begins on %s has %d hours, on the right days, with the right offsets',
    async (zone, day, hours) => {
      const { admin } = await newWorld();
      await admin.call('updateWorkspace', { body: bodyOf('workspace', { time_zone: zone }) });
      const evening = DateTime.fromISO(`${day}T22:00:00`, { zone });
      const morning = evening.plus({ days: 1 }).set({ hour: 6 });
      const form = (time: DateTime) => time.toFormat("yyyy-MM-dd'T'HH:mm:ssZZ");
      // A break around the very change, one hour long by any clock.
      const pause = { starts_at: form(evening.plus({ hours: 3.5 })), ends_at: form(evening.plus({ hours: 4.5 })) };
      const { id, attributes } = await record(admin, {
        starts_at: form(evening),
        ends_at: form(morning),
        breaks_attributes: [pause],
      });
      expect(attributes).toMatchObject({ gross_time: hours, break_time: 1, net_time: hours - 1 });
      const { body } = await admin.call('listBreaks', { params: { time_tracking_id: id } });
      expect(body.data[0].attributes).toMatchObject(pause);

      const on = async (date: DateTime) =>
        (await list(admin, `filter[overlapping_with_range]=${date.toISODate()}_${date.toISODate()}`)).meta[
          'total_gross_time'
        ];
      expect(await Promise.all([-1, 0, 1, 2].map((days) => on(evening.plus({ days }))))).toEqual([0, hours, hours, 0]);
      const since = async (date: DateTime) =>
        (await list(admin, `filter[overlapping_with_range]=${date.toISODate()}`)).meta['total_count'];
      expect(await Promise.all([1, 2].map((days) => since(evening.plus({ days }))))).toEqual([1, 0]);
    },
  );

  it.each([
    ['Atlantic/Azores', '2026-10-25T00:10:00Z', '2026-10-25T00:50:00Z', '2026-10-25'],
    ['America/Havana', '2026-11-01T04:10:00Z', '2026-11-01T04:50:00Z', '2026-11-01'],
  ])('%s: a shift in the hour after the first of two midnights is found on its day', async (zone, from, to, day) => {
    const { admin } = await newWorld();
    await admin.call('updateWorkspace', { body: bodyOf('workspace', { time_zone: zone }) });
    const { id } = await record(admin, { starts_at: from, ends_at: to });
    expect(idsOf(await list(admin, `filter[overlapping_with_range]=${day}_${day}`))).toEqual([id]);
  });
});
