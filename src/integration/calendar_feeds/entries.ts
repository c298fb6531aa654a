import { addDays } from '../../days/calendar/dates.ts';
import type { Db } from '../../platform/db/connection.ts';
import type { Language } from '../../payroll/exports/table.ts';
import type { CalendarEntry } from './icalendar.ts';
import type { Reader } from './reader.ts';
import { feedAbsences, feedShifts, type FeedAbsence, type FeedShift } from './records.ts';

interface Words {
  readonly title: string;
  readonly absent: string;
  readonly shift: string;
  readonly half: Readonly<Record<'only' | 'first' | 'last' | 'both', string>>;
}

const words: Readonly<Record<Language, Words>> = {
  de: {
    title: 'Abwesenheiten und Schichten',
    absent: 'abwesend',
    shift: 'Schicht',
    half: {
      only: 'halber Tag',
      first: 'erster Tag halb',
      last: 'letzter Tag halb',
      both: 'erster und letzter Tag halb',
    },
  },
  en: {
    title: 'Absences and shifts',
    absent: 'absent',
    shift: 'Shift',
    half: { only: 'half a day', first: 'first day half', last: 'last day half', both: 'first and last day half' },
  },
};

/** The title of a feed, and its entries in the order of time. */
export async function calendarFor(
  db: Db,
  reader: Reader,
  now: Date,
): Promise<{ title: string; entries: CalendarEntry[] }> {
  const [absences, shifts] = [await feedAbsences(db, reader, now), await feedShifts(db, reader, now)];
  const known = words[reader.language];
  const ofOthers = reader.scope !== 'own';
  return {
    title: reader.scope === 'own' ? known.title : reader.title,
    entries: [
      ...absences.toReversed().map((row) => absenceEntry(row, known, { ofOthers })),
      ...shifts.toReversed().map((row) => shiftEntry(row, known, { ofOthers })),
    ],
  };
}

/** A feed of one's own has the titles of absences. Any other says only that somebody is absent, and blocks no time of its reader. */
function absenceEntry(row: FeedAbsence, known: Words, { ofOthers }: { ofOthers: boolean }): CalendarEntry {
  const half = halfOf(row);
  const summary = ofOthers ? `${row.username}: ${known.absent}` : row.title;
  return {
    uid: `absence-${row.uuid}`,
    summary: half === undefined ? summary : `${summary} (${known.half[half]})`,
    isTentative: row.confirmation_status !== 'confirmed',
    blocksTime: !ofOthers,
    span: row.full_day
      ? { firstDay: row.first_date, dayAfter: addDays(row.last_date, 1) }
      : { starts_at: row.starts_at, ends_at: row.ends_at },
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

function halfOf({ full_day, half_start, half_end, first_date, last_date }: FeedAbsence) {
  if (!full_day || (!half_start && !half_end)) return undefined;
  if (first_date === last_date) return 'only';
  return half_start && half_end ? 'both' : half_start ? 'first' : 'last';
}

/** Drafts are tentative. A feed of one's own has no names: its reader is on every shift. */
function shiftEntry(row: FeedShift, known: Words, { ofOthers }: { ofOthers: boolean }): CalendarEntry {
  const summary = row.area_name === null ? known.shift : `${known.shift}: ${row.area_name}`;
  const names = ofOthers ? row.usernames : [];
  return {
    uid: `shift-${row.uuid}`,
    summary: ofOthers ? `${summary} (${row.usernames.length}/${row.number_of_employees})` : summary,
    description: [names.join('\n'), row.note ?? ''].filter((text) => text !== '').join('\n\n'),
    isTentative: row.visible === false,
    blocksTime: !ofOthers,
    span: { starts_at: row.starts_at, ends_at: row.ends_at },
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
