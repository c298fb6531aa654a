import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { checkUrl, type AddressPolicy } from './addresses.ts';
import type { Address } from './lookups.ts';

/** The outcome of one attempt. */
export interface Outcome {
  /** Null without a response. */
  readonly status: number | null;
  /** The beginning of the response. */
  readonly body: string | null;
  /** Why there was no response. */
  readonly error: string | null;
}

export interface Message {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How long an attempt may take, from the look-up of the name to the end of the response. */
const timeoutMs = 10_000;

/** How much of a response is read and kept. */
const keptBytes = 4_096;

/** Posts a message to the addresses that the url leads to now, if they are allowed. Redirects are not followed. */
export async function send(message: Message, policy: AddressPolicy, limitMs = timeoutMs): Promise<Outcome> {
  const signal = AbortSignal.timeout(limitMs);
  try {
    const { addresses = [], refusal } = await before(signal, checkUrl(message.url, policy));
    if (refusal !== undefined) return failure(`The url ${refusal}`);
    if (addresses.length === 0) return failure('The name in the url has no address.');
    return await post(message, addresses, signal);
  } catch (error) {
    if (signal.aborted) return failure(`There was no response within ${limitMs / 1000} seconds.`);
    return failure(error instanceof Error ? error.message : String(error));
  }
}

const failure = (error: string): Outcome => ({ status: null, body: null, error });

const before = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('timeout')));
    work.then(resolve, reject);
  });

/** The name is not looked up again: the connection goes to one of the addresses that were checked. */
function post({ url, headers, body }: Message, addresses: readonly Address[], signal: AbortSignal): Promise<Outcome> {
  const { address, family } = addresses[0]!;
  const lookup: LookupFunction = (_host, options, done) =>
    options.all ? done(null, [...addresses]) : done(null, address, family);
  const { request } = url.startsWith('https:') ? https : http;
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: 'POST',
      headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
      agent: false,
      lookup,
      signal,
    });
    let finish: (() => void) | undefined;
    // Once the status has arrived, a body that breaks off or takes too long does not change it.
    sent.on('error', (error) => (finish ? finish() : reject(error)));
    sent.on('response', (response) => {
      const parts: Buffer[] = [];
      let length = 0;
      finish = () => {
        resolve({ status: response.statusCode!, body: textOf(Buffer.concat(parts)), error: null });
        sent.destroy();
      };
      response.on('data', (part: Buffer) => {
        parts.push(part);
        length += part.length;
        if (length >= keptBytes) finish!();
      });
      response.on('end', finish).on('close', finish).on('error', finish);
    });
    sent.end(body);
  });
}

/** PostgreSQL stores no null characters. */
const textOf = (bytes: Buffer): string => bytes.subarray(0, keptBytes).toString('utf8').replaceAll('\0', '\ufffd');
