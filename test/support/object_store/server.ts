import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { signatureProblem } from './signature.ts';

/** An object in the store. */
interface StoredObject {
  readonly bytes: Buffer;
  modifiedAt: Date;
}

/** A server that speaks what the service uses of the S3 API, checks every signature, and can fail on demand. */
export interface ObjectServer {
  /** The setting that leads here, with a prefix. */
  readonly filesUrl: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly objects: Map<string, StoredObject>;
  readonly uploads: Map<string, { readonly key: string; startedAt: Date; readonly parts: Map<number, Buffer> }>;
  /** Every request so far, such as "PUT files/a/b". */
  readonly requests: string[];
  /** Breaks requests off for which this says so. */
  failsAt: (request: string) => boolean;
  /** Runs before a request is carried out. */
  before: (request: string) => Promise<void>;
  close(): Promise<void>;
}

const bucket = 'punchcard-files';
const region = 'eu-test-1';
const keys = { accessKeyId: 'AKTEST', secretAccessKey: 'a secret of the tests / with + signs' };
/** Few, so that tests see several pages. */
const pageSize = 3;

export async function startObjectServer(): Promise<ObjectServer> {
  const state = {
    objects: new Map(),
    uploads: new Map(),
    requests: [] as string[],
    failsAt: () => false,
    before: async () => {},
  };
  const http = createServer((req, res) => {
    const pending = answer(req, res).catch((error: unknown) => {
      res.statusCode = 500;
      res.end(String(error));
    });
    void pending;
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const filesUrl = `s3://${bucket}/punch/card?region=${region}&endpoint=${encodeURIComponent(endpoint)}`;
  const server: ObjectServer = {
    ...state,
    filesUrl,
    environment: {
      FILES_URL: filesUrl,
      FILES_ACCESS_KEY_ID: keys.accessKeyId,
      FILES_SECRET_ACCESS_KEY: keys.secretAccessKey,
    },
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = new URL(req.url!, endpoint);
    const [, askedBucket, ...rest] = decodeURIComponent(url.pathname).split('/');
    const key = rest.join('/');
    const request = `${req.method} ${key}${url.search}`;
    server.requests.push(request);
    if (server.failsAt(request)) return void req.socket.destroy();
    const body = await buffer(req);
    await server.before(request);
    const problem = signatureProblem(req, body, keys, region);
    if (problem) return fail(res, 403, problem);
    if (askedBucket !== bucket) return fail(res, 404, 'NoSuchBucket');
    const query = url.searchParams;
    if (key === '') return query.has('uploads') ? listUploads(res, query) : listObjects(res, query);
    return onObject({ req, res, key, query, body });
  }

  /** One object, or an upload of it in parts. */
  function onObject({ req, res, key, query, body }: Asked): void {
    const uploadId = query.get('uploadId');
    const upload = uploadId === null ? undefined : server.uploads.get(uploadId);
    if (uploadId !== null && upload?.key !== key) return fail(res, 404, 'NoSuchUpload');
    switch (req.method) {
      case 'PUT':
        if (upload) upload.parts.set(Number(query.get('partNumber')), body);
        else server.objects.set(key, { bytes: body, modifiedAt: new Date() });
        return void res.setHeader('ETag', etagOf(body)).end();
      case 'POST':
        return upload ? complete(res, uploadId!, body) : begin(res, key);
      case 'DELETE':
        if (upload) server.uploads.delete(uploadId!);
        else server.objects.delete(key);
        return void res.writeHead(204).end();
      case 'GET': {
        const found = server.objects.get(key);
        if (!found) return fail(res, 404, 'NoSuchKey');
        return void res.setHeader('ETag', etagOf(found.bytes)).end(found.bytes);
      }
      default:
        return fail(res, 405, 'MethodNotAllowed');
    }
  }

  function begin(res: ServerResponse, key: string): void {
    const uploadId = randomUUID();
    server.uploads.set(uploadId, { key, startedAt: new Date(), parts: new Map() });
    xml(res, 'InitiateMultipartUploadResult', [element('Bucket', bucket), element('Key', key), element('UploadId', uploadId)]); // prettier-ignore
  }

  function complete(res: ServerResponse, uploadId: string, body: Buffer): void {
    const { key, parts } = server.uploads.get(uploadId)!;
    const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(([, number]) => Number(number));
    const found = named.map((number) => parts.get(number));
    if (found.some((part) => !part)) return fail(res, 400, 'InvalidPart');
    // All parts but the last must have 5 MiB.
    if (found.slice(0, -1).some((part) => part!.length < 5 * 2 ** 20)) return fail(res, 400, 'EntityTooSmall');
    const bytes = Buffer.concat(found as Buffer[]);
    server.objects.set(key, { bytes, modifiedAt: new Date() });
    server.uploads.delete(uploadId);
    xml(res, 'CompleteMultipartUploadResult', [element('Key', key), element('ETag', etagOf(bytes))]);
  }

  function listObjects(res: ServerResponse, query: URLSearchParams): void {
    const after = query.get('continuation-token') ?? query.get('start-after') ?? '';
    const found = [...server.objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after);
    const page = found.sort().slice(0, pageSize);
    const isMore = found.length > page.length;
    xml(res, 'ListBucketResult', [
      element('IsTruncated', String(isMore)),
      ...(isMore ? [element('NextContinuationToken', page.at(-1)!)] : []),
      ...page.map((key) =>
        nested('Contents', [
          element('Key', key),
          element('LastModified', server.objects.get(key)!.modifiedAt.toISOString()),
        ]),
      ),
    ]);
  }

  function listUploads(res: ServerResponse, query: URLSearchParams): void {
    const found = [...server.uploads].filter(([, { key }]) => key.startsWith(query.get('prefix') ?? ''));
    xml(
      res,
      'ListMultipartUploadsResult',
      found.map(([id, { key, startedAt }]) =>
        nested('Upload', [element('Key', key), element('UploadId', id), element('Initiated', startedAt.toISOString())]),
      ),
    );
  }

  return server;
}

interface Asked {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly key: string;
  readonly query: URLSearchParams;
  readonly body: Buffer;
}

const etagOf = (bytes: Buffer): string => `"${createHash('md5').update(bytes).digest('hex')}"`;
const nested = (name: string, members: readonly string[]): string => `<${name}>${members.join('')}</${name}>`;
const element = (name: string, text: string): string =>
  nested(name, [text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')]);

const xml = (res: ServerResponse, name: string, members: readonly string[]): void =>
  void res
    .setHeader('Content-Type', 'application/xml')
    .end(`<?xml version="1.0" encoding="UTF-8"?>\n${nested(name, members)}`);

function fail(res: ServerResponse, status: number, code: string): void {
  res.statusCode = status;
  xml(res, 'Error', [element('Code', code), element('Message', `The store says ${code}.`)]);
}
