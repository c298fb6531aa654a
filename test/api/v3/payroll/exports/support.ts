import { expect } from 'vitest';
import supertest from 'supertest';
import { service } from '../../../../support/service.ts';
import { bodyOf, type Person } from '../../../../support/world.ts';

export type Operations = 'TimeTracking' | 'Absence';

export interface Request {
  readonly of?: Operations;
  readonly query?: string;
  readonly headers?: Record<string, string>;
}

/** Asks for an export, as a list in CSV unless told otherwise. */
export const ask = (person: Person, attributes: object = {}, { of = 'TimeTracking', query, headers }: Request = {}) =>
  person.call(`create${of}Export`, {
    body: bodyOf('export', { export_type: 'list', format: 'csv', ...attributes }),
    ...(query !== undefined && { query }),
    headers: { 'Accept-Language': 'en', ...headers },
  });

/** Asks for an export, makes it, and returns its attributes. */
export async function made(person: Person, attributes: object = {}, request: Request = {}) {
  const { status, body } = await ask(person, attributes, request);
  expect([status, body.errors]).toEqual([201, undefined]);
  expect(body.data.attributes).toMatchObject({ status: 'pending', file_url: null, progress: 0, message: null });
  await (await service()).jobs.drain();
  const params = { export_id: body.data.id };
  const shown = await person.call(`get${request.of ?? 'TimeTracking'}Export`, { params });
  expect(shown.status).toBe(200);
  return shown.body.data.attributes;
}

/** The bytes of a file. */
export async function bytesAt(address: string): Promise<Buffer> {
  const response = await supertest('')
    .get(new URL(address, (await service()).url).href)
    .buffer(true)
    .parse((stream, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => done(null, Buffer.concat(chunks)));
    });
  expect(response.status).toBe(200);
  return response.body as Buffer;
}

/** Asks for an export, makes it, and returns its bytes. */
export async function fileOf(person: Person, attributes: object = {}, request: Request = {}): Promise<Buffer> {
  const { status, message, file_url } = await made(person, attributes, request);
  expect([status, message]).toEqual(['success', null]);
  return bytesAt(file_url);
}

/** The rows of a simple CSV file, by their headings. No cell of the tests has a line break. */
export function rowsIn(bytes: Buffer, separator = ','): Record<string, string>[] {
  const [head = [], ...rows] = bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .split('\r\n')
    .filter((line) => line !== '')
    .map((line) => cellsIn(line, separator));
  return rows.map((row) => Object.fromEntries(head.map((name, index) => [name, row[index]!])));
}

const cellsIn = (line: string, separator: string): string[] =>
  [...line.matchAll(new RegExp(`(?:^|${separator})(?:"((?:[^"]|"")*)"|([^${separator}]*))`, 'g'))].map(
    ([, quoted, plain]) => (quoted === undefined ? plain! : quoted.replaceAll('""', '"')),
  );

/** The rows of an export in CSV, in English. */
export const csvRows = async (person: Person, attributes: object = {}, request: Request = {}) =>
  rowsIn(await fileOf(person, attributes, request));
