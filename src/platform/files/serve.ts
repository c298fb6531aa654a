import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import express, { Router } from 'express';
import { notFound } from '../core/errors.ts';
import { ownFile } from '../core/own_files.ts';
import type { Db } from '../db/connection.ts';
import { findFile, imageTypes, openContent } from './files.ts';
import type { SignedLinks } from './links.ts';

/** Types that a browser shows without running code. All other types are downloaded. */
const shownInline = new Set([...imageTypes, 'image/gif', 'application/pdf', 'text/plain']);

/** Serves stored files by signed links, and the placeholder images. */
export function filesRouter(dbFor: (accountId: number) => Db, links: SignedLinks): Router {
  const router = Router();
  router.use('/images', express.static(ownFile('src/platform/files/images'), { maxAge: '1d', index: false }));
  router.get('/files/:account_id/:file_id', async (req, res) => {
    const { expires, signature } = req.query;
    const isSigned = links.isValid(req.path, String(expires), String(signature), new Date());
    const accountId = Number(req.params.account_id);
    const db = dbFor(accountId);
    const file = isSigned ? await findFile(db, accountId, req.params.file_id) : undefined;
    if (!file) throw notFound('file');
    // Before the first header, so that a store that is down is a 503.
    const content = req.method === 'HEAD' ? undefined : await openContent(db, accountId, file);
    const isInline = shownInline.has(file.content_type);
    res.set({
      'Content-Type':
        isInline || !/^(text|image)\/|[/+]xml|html|script/.test(file.content_type)
          ? file.content_type
          : 'application/octet-stream',
      'Content-Length': String(file.size_bytes),
      'Content-Disposition': `${isInline ? 'inline' : 'attachment'}; filename*=UTF-8''${headerName(file.name)}`,
      'Content-Security-Policy': "default-src 'none'; sandbox",
      // Not compressed: most files are compressed already, and their length is known.
      'Cache-Control': 'private, max-age=3600, no-transform',
    });
    if (!content) return void res.end();
    await pipeline(Readable.from(content), res).catch((error: unknown) => {
      // A client that closes the connection early is no error.
      if ((error as { code?: string }).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    });
  });
  return router;
}

/** A file name encoded for a header (RFC 8187), which allows fewer characters than a URL. */
const headerName = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
