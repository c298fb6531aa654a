import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Router, type RequestHandler } from 'express';
import { stringify } from 'yaml';
import { generatedFile } from '../http/spec.ts';
import { docsFolder } from './build.ts';
import { landingPage } from './landing.ts';

/** The pages run their own script and show their own images; they ask nobody else for anything. */
const policy =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const withPolicy: RequestHandler = (_req, res, next) => {
  res.set({ 'Content-Security-Policy': policy, 'Cache-Control': 'no-cache' });
  next();
};

/** The reference, and the contracts it is made from. */
export function docsRouter(): Router {
  const router = Router();
  router.get('/docs', withPolicy, (_req, res) => void res.type('html').send(landingPage));
  for (const api of ['v3', 'public'] as const) {
    router.get(`/docs/${api}`, withPolicy, (_req, res) => res.sendFile(path.join(docsFolder, `${api}.html`)));
    router.get(`/openapi/${api}.json`, (_req, res) => res.sendFile(generatedFile(`${api}.json`)));
    router.get(`/openapi/${api}.yaml`, (_req, res) => void res.type('application/yaml').send(asYaml(api)));
  }
  return router;
}

const asYaml = (api: 'v3' | 'public'): string => stringify(JSON.parse(readFileSync(generatedFile(`${api}.json`), 'utf8')), { aliasDuplicateObjects: false });
