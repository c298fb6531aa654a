import { readFileSync } from 'node:fs';
import path from 'node:path';

/*
 * The catalogue of errors in openapi/guides/error_codes.md: a section for each code, with its cause, its fix, an example and the
 * titles that it can have.
 */

export interface ErrorSection {
  readonly code: string;
  readonly cause: string | undefined;
  readonly fix: string | undefined;
  /** A problem, as JSON. */
  readonly example: string | undefined;
  readonly titles: readonly { readonly status: number; readonly pattern: RegExp }[];
}

const file = path.resolve(import.meta.dirname, '../openapi/guides/error_codes.md');

export function readErrorCatalogue(): ErrorSection[] {
  const [, ...sections] = readFileSync(file, 'utf8').split(/^## /m);
  return sections.map((text) => ({
    code: text.slice(0, text.indexOf('\n')),
    cause: /^\*\*Cause\.\*\* (.+)$/m.exec(text)?.[1],
    fix: /^\*\*Fix\.\*\* (.+)$/m.exec(text)?.[1],
    example: /^```json\n(.+?)^```$/ms.exec(text)?.[1],
    titles: [...text.matchAll(/^\| (\d{3}) \| (.+?) \|/gm)].map(([, status, title]) => ({
      status: Number(status),
      pattern: patternOf(title!),
    })),
  }));
}

/** A title of the catalogue as a pattern: an ellipsis matches any text. */
function patternOf(title: string): RegExp {
  const text = title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.*');
  return new RegExp(`^${text}$`, 's');
}

/** Whether the catalogue has the title of an answer under its code. */
export const isListed = (
  catalogue: readonly ErrorSection[],
  { status, code, title }: { status: number; code: string; title: string },
): boolean =>
  catalogue.some(
    (section) =>
      section.code === code && section.titles.some((listed) => listed.status === status && listed.pattern.test(title)),
  );
