import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiRouter } from '../../../../../src/platform/http/api.ts';
import type { Call } from '../../../../../src/platform/http/contract.ts';
import type { Contract } from '../../../../../src/platform/http/contract_document.ts';
import { uploadMemory } from '../../../../../src/platform/http/security/upload_memory.ts';
import { signedLinks } from '../../../../../src/platform/files/links.ts';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { service } from '../../../../support/service.ts';

/* A contract for this test, with one form for files and one for an image and its title. */

const binary = { type: 'string', format: 'binary' };
const form = (schema: object) => ({ required: true, content: { 'multipart/form-data': { schema } } });
const contract = {
  openapi: '3.1.0',
  info: { title: 'Forms', version: '1' },
  servers: [{ url: '/' }],
  paths: {
    '/files': {
      post: {
        operationId: 'createFiles',
        requestBody: form({ $ref: '#/components/schemas/Files' }),
        responses: { 201: { description: 'Made.' } },
      },
    },
    '/image': {
      post: {
        operationId: 'createImage',
        requestBody: form({ $ref: '#/components/schemas/Image' }),
        responses: { 201: { description: 'Made.' } },
      },
    },
  },
  components: {
    schemas: {
      Files: {
        type: 'object',
        required: ['files'],
        properties: {
          files: { type: 'array', minItems: 1, maxItems: 20, items: { $ref: '#/components/schemas/File' } },
        },
      },
      File: binary,
      Image: {
        type: 'object',
        required: ['image'],
        properties: { image: binary, title: { type: 'string', maxLength: 10 } },
      },
    },
  },
} as unknown as Contract;

/** Says what arrived. */
const echo = async ({ body, files }: Call) => ({
  data: {
    id: '1',
    type: 'form',
    attributes: {
      title: (body as unknown as { title?: string }).title ?? null,
      files: files.map(({ field, name, bytes }) => [field, name, bytes.length]),
    },
  },
});

let server: Server;
let lenient: Server;
beforeAll(async () => {
  [server, lenient] = [await serve(false), await serve(true)];
});
afterAll(() => {
  server.close();
  lenient.close();
});

/** In the lenient API, a form may arrive before its sender is known. */
async function serve(isLenient: boolean): Promise<Server> {
  const { database } = await service();
  const router = apiRouter({
    contract,
    changesPage: '/docs',
    handlers: { createFiles: echo, createImage: echo },
    dbFor: () => database.db,
    links: signedLinks('key'),
    gitCommit: 'test',
    clock: () => new Date(),
    publicUrl: undefined,
    hasMeta: true,
    isLenient,
    securesReads: false,
    uploadMemory: uploadMemory(56 * 2 ** 20, { maxIdleMs: 1_000 }),
    authenticate: {},
  });
  const listening = createServer(express().use(router));
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  return listening;
}

const post = (address: string) => supertest(server).post(address);
const bytes = Buffer.from('some bytes');

describe('a form', () => {
  it('201 with one file for a list', async () => {
    const { status, body } = await post('/files').attach('files', bytes, 'a.txt');
    expect(status).toBe(201);
    expect(body.data.attributes.files).toEqual([['files', 'a.txt', 10]]);
  });

  it('201 with several files, in their order, with names in any script', async () => {
    const { status, body } = await post('/files')
      .attach('files', bytes, 'b.txt')
      .attach('files', Buffer.alloc(0), 'Übersicht 概要.pdf');
    expect(status).toBe(201);
    expect(body.data.attributes.files).toEqual([
      ['files', 'b.txt', 10],
      ['files', 'Übersicht 概要.pdf', 0],
    ]);
  });

  it('201 with one file and a text, and ignores what the contract does not know', async () => {
    const { status, body } = await post('/image')
      .field('title', 'Erin')
      .field('unknown', 'x')
      .attach('image', bytes, 'a.png')
      .attach('other', bytes, 'b.png');
    expect(status).toBe(201);
    expect(body.data.attributes).toEqual({ title: 'Erin', files: [['image', 'a.png', 10]] });
  });

  it('400 for a text in place of a file', async () => {
    for (const [address, name] of [
      ['/files', 'files'],
      ['/image', 'image'],
    ] as const) {
      const response = await post(address).field(name, 'not a file');
      expect(response.status).toBe(400);
      expect(titlesIn(response)).toEqual([`${name} must be a file, but was text.`]);
    }
  });

  it('400 for more fields than a form may have, saying so', async () => {
    const request = post('/image').attach('image', bytes, 'a.png');
    for (let count = 0; count <= 100; count++) request.field(`field${count}`, 'x');
    const response = await request;
    expect([response.status, pointersIn(response)]).toEqual([400, ['base']]);
    expect(titlesIn(response)).toEqual([
      'The form could not be read: Too many fields. It may have 100 fields of 256 KiB each.',
    ]);
  });

  it('400 for a list of texts that looks like files', async () => {
    const response = await post('/files').field('files', '["a.txt"]');
    expect(response.status).toBe(400);
    expect(pointersIn(response)).toEqual(['files']);
  });

  it('400 for a file in place of a text, and for two files in place of one, at once', async () => {
    const response = await post('/image')
      .attach('title', bytes, 'title.txt')
      .attach('image', bytes, 'a.png')
      .attach('image', bytes, 'b.png');
    expect(response.status).toBe(400);
    expect(titlesIn(response)).toEqual([
      'image must be one file, but there were 2.',
      'title must be text, but was a file.',
    ]);
  });

  it('400 for a missing file, and for a text that is too long', async () => {
    expect(titlesIn(await post('/files').field('title', 'x'))).toEqual(['files is required.']);
    const response = await post('/image').field('title', 'longer than ten').attach('image', bytes, 'a.png');
    expect(titlesIn(response)).toEqual(['title must have at most 10 characters, but was "longer than ten".']);
  });

  it('400 for a form without a boundary, an incomplete one, and a body that is no form', async () => {
    const send = (type: string, text: string) => post('/files').set('Content-Type', type).send(text);
    const part = '--x\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\n';
    expect((await send('multipart/form-data', 'anything')).status).toBe(400);
    expect((await send('multipart/form-data; boundary=x', `${part}half a fi`)).status).toBe(400);
    expect((await send('multipart/form-data; boundary=x', '--x\r\nnonsense')).status).toBe(400);
    expect((await send('multipart/form-data; boundary=x', 'anything')).status).toBe(400);
  });

  it('400 for a name with NUL', async () => {
    const name = Buffer.from('--x\r\nContent-Disposition: form-data; name="title"\r\n\r\na\0b\r\n--x--\r\n');
    const response = await post('/image').set('Content-Type', 'multipart/form-data; boundary=x').send(name);
    expect(response.status).toBe(400);
    expect(titlesIn(response)[0]).toBe('title must not contain the NUL character.');
  });

  it('413 for a file over 25 MiB, and for more than 20 files', async () => {
    expect((await upload('/files', [Buffer.alloc(25 * 1024 * 1024 + 1)])).status).toBe(413);
    expect((await upload('/files', [Buffer.alloc(25 * 1024 * 1024)])).status).toBe(201);
    const many = await upload('/files', Array<Buffer>(21).fill(bytes));
    expect(many.status).toBe(413);
    expect(many.body).toContain('a form 20 files');
  });

  it('503 when uploads in progress exceed the memory limit, and 201 again afterwards', async () => {
    const half = Buffer.alloc(15 * 2 ** 20);
    expect((await upload('/files', [half])).status).toBe(201);
    // The form whose bytes arrive later is refused.
    const answers = await Promise.all([upload('/files', [half], server, 100), upload('/files', [half])]);
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused.map(({ body }) => body)).toEqual([expect.stringContaining('service_unavailable')]);
    expect((await upload('/files', [half])).status).toBe(201);
  });

  it('413 for a form that is larger than the memory limit of one account', async () => {
    const half = Buffer.alloc(15 * 2 ** 20);
    const refused = await upload('/files', [half, half]);
    expect(refused.status).toBe(413);
    expect(refused.body).toContain('The form is too large. It may have 28 MiB in total.');
  });

  it('415 for JSON', async () => {
    expect((await post('/files').send({ files: ['a'] })).status).toBe(415);
  });
});

describe('forms of unknown senders', () => {
  const image = (size: number, query = '', headers: Record<string, string> = {}) =>
    supertest(lenient).post(`/image${query}`).set(headers).attach('image', Buffer.alloc(size), 'a.png');

  it('503 beyond their share of the memory, in which others can still upload', async () => {
    expect((await image(12 * 2 ** 20)).status).toBe(201);
    const [one, other] = await Promise.all([
      upload('/image', [Buffer.alloc(12 * 2 ** 20)], lenient, 100),
      upload('/image', [Buffer.alloc(8 * 2 ** 20)], lenient, 100),
    ]);
    expect([one.status, other.status].toSorted()).toEqual([408, 503]);
    expect((await image(16 * 2 ** 20, '?api_token=x')).status).toBe(201);
  });

  it('201 beyond it with a token in the header or the query, 413 with another credential', async () => {
    const size = 16 * 2 ** 20;
    expect((await image(size, '?api_token=x')).status).toBe(201);
    expect((await image(size, '', { Authorization: 'Bearer x' })).status).toBe(201);
    expect((await image(size, '', { Authorization: 'Basic x' })).status).toBe(413);
  });

  it('408 when the client stops sending, and its memory is free again', async () => {
    const waiting = Array.from({ length: 6 }, () => upload('/image', [Buffer.alloc(2 ** 20)], lenient, 100));
    expect((await image(8 * 2 ** 20, '?api_token=x')).status).toBe(201);
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(6).fill(408));
    expect((await image(6 * 2 ** 20)).status).toBe(201);
  });
});

describe('a form with a wrong credential', () => {
  it.each([
    ['/public_api/v1/uploads?api_token=nobody', {}],
    ['/api/v3/workspaces/1/time_trackings/1/attachments', { Authorization: 'Bearer nobody' }],
  ])('401 at %s before the form is read', async (address, headers) => {
    expect(await statusAfterFirstBytes(new URL(address, (await service()).url), headers)).toBe(401);
  });
});

/** Announces a large form, sends its first bytes, and nothing more. */
function statusAfterFirstBytes(url: URL, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const form = { 'Content-Type': 'multipart/form-data; boundary=x', 'Content-Length': 2 ** 20 };
    const outgoing = request(url, { method: 'POST', headers: { ...headers, ...form } }, (incoming) => {
      resolve(incoming.statusCode!);
      outgoing.destroy();
    });
    outgoing.setTimeout(10_000, () => outgoing.destroy(new Error('No answer came before the form was complete.')));
    outgoing.on('error', reject);
    outgoing.write('--x\r\nContent-Disposition: form-data; name="doc"; filename="a"\r\n\r\nfirst bytes');
  });
}

/** Sends a form without waiting for the answer first, as large uploads do. Missing bytes are announced, but never sent. */
function upload(
  address: string,
  files: readonly Buffer[],
  to = server,
  missingBytes = 0,
): Promise<{ status: number; body: string }> {
  const head = Buffer.from('--x\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\n');
  const body = Buffer.concat([...files.flatMap((file) => [head, file, Buffer.from('\r\n')]), Buffer.from('--x--\r\n')]);
  const { port } = to.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'multipart/form-data; boundary=x', 'Content-Length': body.length };
    const outgoing = request({ port, path: address, method: 'POST', headers }, (incoming) => {
      let text = '';
      incoming.on('data', (chunk: Buffer) => (text += chunk.toString()));
      incoming.on('end', () => resolve({ status: incoming.statusCode!, body: text }));
    });
    outgoing.on('error', reject);
    if (missingBytes > 0) outgoing.write(body.subarray(0, -missingBytes));
    else outgoing.end(body);
  });
}
