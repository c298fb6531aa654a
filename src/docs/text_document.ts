import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import { remember } from '../core/remember.ts';
import { sampleOrigin } from './samples.ts';

/** A text that is served. Wherever it names the sample address, readers see the address of this server. */
export interface TextDocument {
  readonly type: string;
  readonly hash: string;
  /** The text for an address of this server. */
  readonly bytesFor: (origin: string) => Buffer;
}

export const textDocument = (type: string, text: string): TextDocument => ({
  type,
  bytesFor: remember({ limit: 2 }, (origin: string) => Buffer.from(text.replaceAll(sampleOrigin, origin))),
  hash: createHash('sha256').update(text).digest('base64url'),
});

/** Sends a document. The entity tag is known without the text for this address, so that most readers get a quick 304. */
export function sendDocument(
  req: Request,
  res: Response,
  { type, bytesFor, hash }: TextDocument,
  origin: string,
): void {
  const tag = createHash('sha256').update(`${hash} ${origin}`).digest('base64url').slice(0, 27);
  res.set({ ETag: `W/"${tag}"`, 'Cache-Control': 'no-cache' }).type(type);
  if (req.fresh) res.status(304).end();
  else res.send(bytesFor(origin));
}

/** PUBLIC_URL, or else the address that the reader used. A Host header that is no valid host is not repeated. */
export function originOf(req: Request, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl;
  const host = req.get('host') ?? '';
  return /^[\w.-]+(:\d+)?$|^\[[\da-f:]+\](:\d+)?$/i.test(host) ? `${req.protocol}://${host}` : sampleOrigin;
}
