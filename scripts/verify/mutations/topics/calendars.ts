import type { Mutation } from '../mutation.ts';

/** Calendar feeds and the absence calendar: who reads them, and what they show of others. */
export const calendarMutations: readonly Mutation[] = [
  {
    file: 'src/integration/calendar_feeds/reader.ts',
    find: "if (!actor || !may(actor, 'subscribe', 'workspace', { id: workspaceId })) return undefined;",
    replace: 'if (!actor) return undefined;',
    breaks: 'Admins who have lost their role still read the feed of the workspace.',
    tests: ['test/api/v3/integration/calendars/feed_rights.test.ts'],
  },
  {
    file: 'src/integration/calendar_feeds/entries.ts',
    find: 'const summary = ofOthers ? `${row.username}: ${known.absent}` : row.title;',
    replace: 'const summary = ofOthers ? `${row.username}: ${row.title}` : row.title;',
    breaks: 'A feed of a workspace shows why colleagues are absent.',
    tests: ['test/api/v3/integration/calendars/feed_rights.test.ts'],
  },
  {
    file: 'src/integration/calendar_feeds/entries.ts',
    find: 'dayAfter: addDays(row.last_date, 1)',
    replace: 'dayAfter: row.last_date',
    breaks: 'Calendars lack the last day of every absence.',
    tests: ['test/api/v3/integration/calendars/feed_contents.test.ts'],
  },
  {
    file: 'src/integration/calendar_feeds/icalendar.ts',
    find: 'name: escape(printable(title), false),',
    replace: 'name: title,',
    breaks: 'The name of a workspace can add lines to a calendar.',
    tests: ['test/api/v3/integration/calendars/feed_contents.test.ts'],
  },
  {
    file: 'src/absence/absence_calendar/absence_calendar.ts',
    find: "and absence.confirmation_status = 'confirmed'",
    replace: '',
    breaks: 'Every member sees absences that nobody has confirmed.',
    tests: ['test/api/v3/integration/calendars/absence_calendar.test.ts'],
  },
];
