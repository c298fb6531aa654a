import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import path from 'node:path';
import express, { Router } from 'express';
import { notFound } from '../core/errors.ts';
import type { Db } from '../db/connection.ts';
import { findFile, imageTypes, piecesOf } from './files.ts';
import type { SignedLinks } from './links.ts';

/** Types that a browser shows and cannot be made to run. Everything else is offered for saving. */
const shownInline = new Set([...imageTypes, 'image/gif', 'application/pdf', 'text/plain']);

/** Signed links to stored files, and the placeholder images. */
export function filesRouter(db: Db, links: SignedLinks): Router {
  const router = Router();
  router.use('/images', express.static(path.join(import.meta.dirname, 'images'), { maxAge: '1d', index: false }));
  router.get('/files/:account_id/:file_id', async (req, res) => {
    const { expires, signature } = req.query;
    const isSigned = links.isValid(req.path, String(expires), String(signature), new Date());
    const accountId = Number(req.params.account_id);
    const file = isSigned ? await findFile(db, accountId, req.params.file_id) : undefined;
    if (!file) throw notFound('file');
    const isInline = shownInline.has(file.content_type);
    res.set({
      'Content-Type': isInline || !/^(text|image)\/|xml|html|script/.test(file.content_type) ? file.content_type : 'application/octet-stream',
      'Content-Length': String(file.size_bytes),
      'Content-Disposition': `${isInline ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(file.name)}`,
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cache-Control': 'private, max-age=3600',
    });
    await pipeline(Readable.from(piecesOf(db, accountId, file.id)), res);
  });
  return router;
}
