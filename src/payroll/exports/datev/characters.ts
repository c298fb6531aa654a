import iconv from 'iconv-lite';
import type { Problem } from '../../../platform/core/errors.ts';

/* The character set of DATEV files is Windows-1252. */

const isUnknown = (character: string): boolean =>
  iconv.decode(iconv.encode(character, 'win1252'), 'win1252') !== character;

/** The problem of a text that has a character which DATEV files lack. */
export function characterProblems(pointer: string, owner: string, text: string): Problem[] {
  const unknown = [...text].find(isUnknown);
  return unknown === undefined
    ? []
    : [
        {
          code: 'setup_incomplete',
          pointer,
          title: `${pointer} of ${owner} must have characters of Windows-1252 only, but "${text}" has "${unknown}".`,
        },
      ];
}

/** The lines of a file. Their texts were checked before. */
export const inCp1252 = (lines: readonly string[]): Buffer =>
  iconv.encode(lines.map((line) => `${line}\r\n`).join(''), 'win1252');
