import { setImmediate } from 'node:timers/promises';
import {
  escape,
  foldLines,
  ICalCalendar,
  ICalEvent,
  ICalEventBusyStatus,
  ICalEventStatus,
  ICalEventTransparency,
} from 'ical-generator';
import type { LocalDate } from '../../days/calendar/dates.ts';

/** One entry of a calendar: whole days, without a zone, or from one moment to another. */
export interface CalendarEntry {
  /** The same at every read. */
  readonly uid: string;
  readonly summary: string;
  readonly description?: string;
  readonly isTentative: boolean;
  readonly blocksTime: boolean;
  readonly span:
    | { readonly firstDay: LocalDate; readonly dayAfter: LocalDate }
    | { readonly starts_at: Date; readonly ends_at: Date };
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** How many entries are written before other requests get their turn. */
const batchSize = 50;

/** By RFC 5545, without the line break. */
const maxLineBytes = 75;

const end = 'END:VCALENDAR';

/** A calendar as a file of RFC 5545. Moments are in UTC, so that the file needs no definitions of zones. */
export async function writeCalendar(title: string, entries: readonly CalendarEntry[]): Promise<string> {
  const calendar = new ICalCalendar({
    prodId: { company: 'Punchcard', product: 'Calendars', language: 'EN' },
    // The library writes the name as it is.
    name: escape(printable(title), false),
    // How often clients should read it, in seconds.
    ttl: 3600,
  });
  const parts: string[] = [];
  for (const [index, entry] of entries.entries()) {
    if (index % batchSize === 0) await setImmediate();
    parts.push(folded(eventOf(entry, calendar).toString()));
  }
  return `${calendar.toString().slice(0, -end.length)}${parts.join('')}${end}\r\n`;
}

/** The library measures every character of a line, which takes long, and few lines are long. */
const folded = (text: string): string =>
  text
    .split('\r\n')
    .map((line) => (Buffer.byteLength(line) > maxLineBytes ? foldLines(line) : line))
    .join('\r\n');

function eventOf(entry: CalendarEntry, calendar: ICalCalendar): ICalEvent {
  const { span, isTentative, blocksTime, created_at, updated_at } = entry;
  const times =
    'firstDay' in span
      ? { start: new Date(span.firstDay), end: new Date(span.dayAfter), allDay: true }
      : { start: span.starts_at, end: span.ends_at };
  return new ICalEvent(
    {
      ...times,
      id: `${entry.uid}@punchcard`,
      summary: printable(entry.summary),
      description: entry.description ? printable(entry.description) : null,
      status: isTentative ? ICalEventStatus.TENTATIVE : ICalEventStatus.CONFIRMED,
      transparency: blocksTime ? ICalEventTransparency.OPAQUE : ICalEventTransparency.TRANSPARENT,
      busystatus: !blocksTime
        ? ICalEventBusyStatus.FREE
        : isTentative
          ? ICalEventBusyStatus.TENTATIVE
          : ICalEventBusyStatus.BUSY,
      // Records count no revisions. This number rises with every change as well.
      sequence: Math.max(0, Math.floor((updated_at.getTime() - created_at.getTime()) / 1000)),
      created: created_at,
      lastModified: updated_at,
      stamp: updated_at,
    },
    calendar,
  );
}

/** Without control characters, which the format forbids. Line breaks stay: the library encodes them. */
const printable = (text: string): string => text.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n]/gu, ' ');
