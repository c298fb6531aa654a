import { invalid } from '../../../platform/core/errors.ts';
import { sameText } from '../../../platform/core/secrets.ts';
import { positionIn, positionText, type Position } from './position.ts';

/** Turns positions into cursors and back. */
export interface Cursors {
  cursorOf(accountId: number, position: Position): string;
  /** Refuses a cursor that the service did not make for this account. */
  positionOf(accountId: number, cursor: string): Position;
}

/** Signs each position together with its account, so that no cursor can be made up or used for another account. */
export function cursorsWith(sign: (purpose: string, text: string) => string): Cursors {
  const cursorOf = (accountId: number, position: Position): string => {
    const text = positionText(position);
    return `${Buffer.from(text).toString('base64url')}.${sign(`change feed of ${accountId}`, text)}`;
  };
  return {
    cursorOf,
    positionOf(accountId, cursor) {
      const text = Buffer.from(cursor.split('.', 1)[0]!, 'base64url').toString();
      // Compared as a whole, because a decoder accepts several spellings of the same position.
      const position = /^\d+\.\d+\.\d+$/.test(text) ? positionIn(text) : undefined;
      if (position && sameText(cursor, cursorOf(accountId, position))) return position;
      throw invalid('invalid_value', 'cursor', `cursor must be a next_cursor of this account, but was "${cursor}".`);
    },
  };
}
