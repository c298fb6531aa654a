import { callerOf } from './service.mjs';

/*
 * Imports the punches of a terminal as working sessions, five at a time, and prints what became of them and what is there
 * afterwards. Every request has all members that the program knows, most of them null.
 * Usage: node punch_importer.mjs SERVICE TOKEN
 */
const [, , service, token] = process.argv;
const call = callerOf(service, token);
const days = Array.from({ length: 30 }, (_, index) => `2031-09-${String(index + 1).padStart(2, '0')}`);
const empty = { page: null, shift_id: null, title: null, application: null, working_area_external_id: null };

const bodyOf = (day) => ({
  ...empty,
  working_session: {
    location_id: '1',
    working_area_id: '1',
    user_external_id: 'erin',
    starts_at: `${day}T08:00:00.000+02:00`,
    ends_at: `${day}T16:30:00.000+02:00`,
    manual_pause: '30',
    external_id: `terminal-${day}`,
    note: null,
  },
});

const answers = [];
for (let first = 0; first < days.length; first += 5) {
  const posts = days.slice(first, first + 5).map((day) => call('POST', 'working_sessions', bodyOf(day)));
  answers.push(...(await Promise.all(posts)));
}

const listed = [];
for (let page = 1, next = ''; next !== null; page++) {
  const range = { range_start: '2031-09-01', range_end: '2031-09-30', user_external_id: 'erin', page: String(page) };
  const { body } = await call('GET', 'working_sessions', range);
  listed.push(...body.working_sessions);
  next = body.next_page;
}

console.log(
  JSON.stringify({
    statuses: [...new Set(answers.map(({ status }) => status))],
    ids: answers.map(({ body }) => body.id),
    listed: listed.map(({ id }) => id),
    hours: listed.reduce((sum, { starts_at, ends_at, break_time }) => {
      return sum + (Date.parse(ends_at) - Date.parse(starts_at)) / 3_600_000 - break_time;
    }, 0),
  }),
);
