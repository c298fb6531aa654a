import http from 'node:http';

/** A request as it is sent, unchecked. */
export interface RawRequest {
  readonly method: string;
  /** Path and query, encoded. */
  readonly address: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer;
}

/** An answer as the response check needs it. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** The media type without its parameters. */
  readonly type: string;
  readonly body: unknown;
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 20 });

/** Sends a request as it is, and throws if the answer is not complete in time. */
export function send(
  url: string,
  { method, address, headers, body }: RawRequest,
  { timeoutSeconds = 20 }: { readonly timeoutSeconds?: number } = {},
): Promise<RawResponse> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const request = http.request(
      { hostname, port, agent, method: method.toUpperCase(), path: address, headers: headersFor(headers, body) },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          clearTimeout(timer);
          const text = Buffer.concat(chunks).toString('utf8');
          const type = (response.headers['content-type'] ?? '').split(';')[0]!.trim();
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            text,
            type,
            body: type === 'application/json' ? parsed(text) : text,
          });
        });
      },
    );
    const timer = setTimeout(
      () => request.destroy(new Error(`No answer within ${timeoutSeconds} seconds.`)),
      timeoutSeconds * 1000,
    );
    request.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    request.end(body);
  });
}

const headersFor = (headers: RawRequest['headers'], body: RawRequest['body']): Record<string, string | string[]> => ({
  ...headers,
  ...(body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A file in a form. */
export interface FormFile {
  readonly field: string;
  readonly name: string;
  readonly bytes: Buffer;
}

/** A multipart body and its Content-Type. */
export function multipartBody(
  fields: Readonly<Record<string, string>>,
  files: readonly FormFile[] = [],
): Pick<RawRequest, 'headers' | 'body'> {
  const boundary = 'boundary-of-the-tests';
  const part = (disposition: string, content: Buffer): Buffer[] => [
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
    content,
    Buffer.from('\r\n'),
  ];
  const parts = [
    ...Object.entries(fields).flatMap(([name, value]) => part(`name="${name}"`, Buffer.from(value))),
    ...files.flatMap(({ field, name, bytes }) => part(`name="${field}"; filename="${name}"`, bytes)),
  ];
  return {
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
  };
}
