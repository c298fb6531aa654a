import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/*
 * AWS Signature Version 4, as its specification has it and without code of the client: what a store computes from a request and
 * compares with what the request says.
 */

const sha256 = (data: Buffer | string): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Percent-encodes everything but the characters that RFC 3986 leaves alone. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);

const inOrder = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

export interface Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Why a request is refused, by the code that S3 has for it. Undefined if its signature is right. */
export function signatureProblem(req: IncomingMessage, body: Buffer, keys: Keys, region: string): string | undefined {
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;
  const [, accessKeyId, day, signedRegion, names, signature] = form.exec(req.headers.authorization ?? '') ?? [];
  if (signature === undefined) return 'AccessDenied';
  if (accessKeyId !== keys.accessKeyId) return 'InvalidAccessKeyId';
  if (signedRegion !== region) return 'AuthorizationHeaderMalformed';
  const header = (name: string): string => String(req.headers[name] ?? '');
  const time = header('x-amz-date');
  const sentAt = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!(Math.abs(Date.now() - sentAt) < 15 * 60_000)) return 'RequestTimeTooSkewed';
  const signed = names!.split(';');
  const mustBeSigned = Object.keys(req.headers).filter((name) => name === 'host' || name.startsWith('x-amz-'));
  if (mustBeSigned.some((name) => !signed.includes(name))) return 'AccessDenied';
  const payload = header('x-amz-content-sha256');
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== sha256(body)) return 'XAmzContentSHA256Mismatch';

  const url = new URL(req.url!, 'http://store');
  const query = [...url.searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort(inOrder)
    .join('&');
  const path = url.pathname
    .split('/')
    .map((part) => encoded(decodeURIComponent(part)))
    .join('/');
  const headers = signed.map((name) => `${name}:${header(name).trim().replace(/ +/g, ' ')}\n`).join('');
  const request = [req.method, path, query, headers, names, payload].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(request)].join('\n');
  const key = [region, 's3', 'aws4_request'].reduce(hmac, hmac(`AWS4${keys.secretAccessKey}`, day!));
  return hmac(key, text).toString('hex') === signature ? undefined : 'SignatureDoesNotMatch';
}
