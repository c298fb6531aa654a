import { isUuid } from '../../core/ids.ts';
import { endOfLocalDay, isDay, momentOf, startOfLocalDay } from '../../core/time.ts';
import type { Column, Day, Operand } from './filters.ts';

/** The value of a text, or undefined where the text does not fit the kind of column. */
export function operandIn(kind: Column['kind'], given: string): Operand | undefined {
  switch (kind) {
    case 'text':
      return given;
    case 'number':
      return /^[+-]?\d{1,100}(\.\d{1,100})?$/.test(given) ? given : undefined;
    case 'boolean':
      return ['true', '1'].includes(given) ? true : ['false', '0'].includes(given) ? false : undefined;
    case 'time':
      return isTime(withPlus(given)) ? momentOf(withPlus(given)) : undefined;
    case 'day':
      return given.length === 10 && isTime(given) ? given : undefined;
    case 'uuid':
      return isUuid(given) ? given : null;
  }
}

/** A blank before the offset is a `+` that the client did not encode. */
const withPlus = (given: string): string => given.replace(/ (\d{2}:?\d{2})$/, '+$1');

/** An ISO time with its offset, or a plain day. */
export function isTime(given: string): boolean {
  const match = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2}))?$/i.exec(given);
  return match !== null && isDay(match[1]!) && momentOf(given) >= firstTime && momentOf(given) <= lastTime;
}

/** The range that ISO and PostgreSQL write alike. */
const [firstTime, lastTime] = [momentOf('0001-01-01T00:00:00Z'), momentOf('9999-12-31T23:59:59Z')];

/** The bounds of a day in a zone. A day at either end of the range is cut off there. */
export const dayOf = (day: string, timeZone: string): Day => ({
  begin: withinRange(startOfLocalDay(day, timeZone)),
  end: withinRange(new Date(endOfLocalDay(day, timeZone).getTime() + 1000)),
});

const withinRange = (moment: Date): Date => (moment < firstTime ? firstTime : moment > lastTime ? lastTime : moment);
