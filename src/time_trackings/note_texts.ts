import { localForm } from '../core/time.ts';
import type { Span } from '../calendar/worked_time.ts';

/*
 * What system notes say: who changed what, from which value to which. Times are those of the workspace's zone, with their
 * offset, so that an hour that comes twice in autumn is not mistaken.
 */

const spanInWords = ({ starts_at, ends_at }: Span, zone: string): string =>
  `${localForm(starts_at, zone)} – ${ends_at === null ? 'open' : localForm(ends_at, zone)}`;

const breaksInWords = (breaks: readonly Span[], zone: string): string =>
  listed(
    [...breaks].sort((a, b) => a.starts_at.getTime() - b.starts_at.getTime()).map((pause) => spanInWords(pause, zone)),
  );

const listed = (items: readonly string[]): string => (items.length === 0 ? 'none' : items.join('; '));
const quoted = (name: string | null): string => (name === null ? 'none' : `"${name}"`);

/** Two lists of breaks are the same if they say the same. */
export const sameBreaks = (one: readonly Span[], other: readonly Span[]): boolean =>
  breaksInWords(one, 'UTC') === breaksInWords(other, 'UTC');

export const noteOf = {
  creation: (by: string) => `${by} created the time tracking.`,
  firstBreaks: (by: string, breaks: readonly Span[], zone: string) =>
    `${by} recorded the breaks: ${breaksInWords(breaks, zone)}.`,
  times: (by: string, before: Span, after: Span, zone: string) =>
    `${by} changed the times from ${spanInWords(before, zone)} to ${spanInWords(after, zone)}.`,
  breaks: (by: string, before: readonly Span[], after: readonly Span[], zone: string) =>
    `${by} changed the breaks from ${breaksInWords(before, zone)} to ${breaksInWords(after, zone)}.`,
  area: (by: string, before: string | null, after: string | null) =>
    `${by} changed the area from ${quoted(before)} to ${quoted(after)}.`,
  tags: (by: string, before: readonly string[], after: readonly string[]) =>
    `${by} changed the tags from ${listed(before.map(quoted))} to ${listed(after.map(quoted))}.`,
  user: (by: string, before: string, after: string) =>
    `${by} changed the user from ${quoted(before)} to ${quoted(after)}.`,
  confirmation: (by: string) => `${by} confirmed the time tracking.`,
  deletedUser: (by: string) => `${by} deleted the user, which ended the time tracking.`,
};
