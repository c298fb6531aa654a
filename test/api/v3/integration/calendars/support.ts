import ICAL from 'ical.js';
import supertest, { type Response } from 'supertest';
import { expect } from 'vitest';
import { serviceWith } from '../../../../support/service.ts';
import { bodyOf, type Person } from '../../../../support/world.ts';

/** When feeds are read. */
export const now = new Date('2026-06-01T10:00:00Z');

let reading: Promise<string> | undefined;

/** A server whose clock shows `now`. */
const server = (): Promise<string> => (reading ??= serviceWith({}, { clock: () => now }));

export const createFeed = (person: Person, attributes: object = {}, userId: string | number = person.id) =>
  person.call('createCalendarFeed', { params: { user_id: userId }, body: bodyOf('calendar_feed', attributes) });

/** A feed that exists: its id and the path of its address. */
export async function newFeed(person: Person, attributes: object = {}): Promise<{ id: string; path: string }> {
  const { status, body } = await createFeed(person, attributes);
  expect([status, body.errors]).toEqual([201, undefined]);
  return { id: body.data.id, path: new URL(body.data.attributes.url).pathname };
}

/** The response of an address. */
export async function read(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  const request = supertest(await server()).get(path);
  for (const [name, value] of Object.entries(headers)) request.set(name, value);
  return request;
}

export const head = async (path: string): Promise<Response> => supertest(await server()).head(path);

/** An event as another package reads it. */
export interface ReadEvent {
  readonly uid: string;
  readonly summary: string;
  readonly description: string | null;
  /** Days as `YYYY-MM-DD`, moments as ISO times in UTC. */
  readonly start: string;
  readonly end: string;
  readonly hours: number;
  readonly status: string;
  readonly sequence: number;
  readonly lastModified: string;
  readonly transparency: string;
}

const parse = (text: string): ICAL.Component => new ICAL.Component(ICAL.parse(text) as never);

/** The events of a calendar in the order in which they come, read by another package than the one that wrote them. */
export function eventsIn(text: string): ReadEvent[] {
  return parse(text)
    .getAllSubcomponents('vevent')
    .map((component) => {
      const event = new ICAL.Event(component);
      const value = (name: string): string => String(component.getFirstPropertyValue(name) ?? '');
      return {
        uid: event.uid,
        summary: event.summary,
        description: event.description,
        start: event.startDate.toString(),
        end: event.endDate.toString(),
        hours: event.duration.toSeconds() / 3600,
        status: value('status'),
        sequence: event.sequence,
        lastModified: value('last-modified'),
        transparency: value('transp'),
      };
    });
}

/** The title of a calendar. The package does not know this property, so it leaves the escapes in it. */
export const titleIn = (text: string): string =>
  String(parse(text).getFirstPropertyValue('x-wr-calname')).replaceAll(/\\(.)/g, (_escape, character: string) =>
    character === 'n' ? '\n' : character,
  );

/** The text of the calendar at an address. */
export async function textAt(path: string): Promise<string> {
  const { status, text } = await read(path);
  expect([status, text.slice(0, 15)]).toEqual([200, 'BEGIN:VCALENDAR']);
  return text;
}

/** The events of the calendar at an address. */
export const eventsAt = async (path: string): Promise<ReadEvent[]> => eventsIn(await textAt(path));
