/* Spellings of times that programs of others send to the public API. */

const unencodedPlus = /^(\d{4}-\d{2}-\d{2}T[\d:.]+) (\d{2}:?\d{2})$/i;
const hour24 = /^(\d{4}-\d{2}-\d{2})T24:00(?::00(?:\.0+)?)?(z|[+-]\d{2}:?\d{2})?$/i;
const dottedDate = /^(\d{2})\.(\d{2})\.(\d{4})$/;

/**
 * The time that a text means, in ISO form, and any other text as it is. A blank is the `+` of an offset that was sent without
 * encoding. `15.11.2026` is a date. The hour 24 is the last moment of its day: what ends then does not touch the next date.
 */
export const meantTime = (text: string): string => plainTime(text).replace(hour24, '$1T23:59:59.999$2');

/** The same where seconds are counted: the hour 24 is the first moment of the next day. */
export function meantMoment(text: string): string {
  const time = plainTime(text);
  const [, date, offset = ''] = hour24.exec(time) ?? [];
  const nextDay = date === undefined ? undefined : dayAfter(date);
  return nextDay === undefined ? time : `${nextDay}T00:00:00${offset}`;
}

const plainTime = (text: string): string => text.trim().replace(unencodedPlus, '$1+$2').replace(dottedDate, '$3-$2-$1');

/** Undefined where there is no such date. */
function dayAfter(date: string): string | undefined {
  const day = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== date) return undefined;
  day.setUTCDate(day.getUTCDate() + 1);
  return day.toISOString().slice(0, 10);
}
