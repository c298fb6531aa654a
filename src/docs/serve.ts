import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Router, type Request, type RequestHandler } from 'express';
import { stringify } from 'yaml';
import { remember } from '../core/remember.ts';
import { docsFolder } from './build.ts';
import { landingPage } from './landing.ts';
import { publishedContract } from './publish.ts';

/** The pages run their own script and show their own images. They fetch nothing from other hosts. */
const policy =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const withPolicy: RequestHandler = (_req, res, next) => {
  res.set({ 'Content-Security-Policy': policy, 'Cache-Control': 'no-cache' });
  next();
};

/** Serves the reference, the contracts and their workflows. */
export function docsRouter(): Router {
  const router = Router();
  router.get('/docs', withPolicy, (req, res) => void res.type('html').send(landingPage(originOf(req))));
  for (const api of ['v3', 'public'] as const) {
    router.get(`/docs/${api}`, withPolicy, (_req, res) => res.sendFile(path.join(docsFolder, `${api}.html`)));
    router.get(`/openapi/${api}.json`, (_req, res) => void res.type('json').send(asJson(api)));
    router.get(`/openapi/${api}.yaml`, (_req, res) => void res.type('application/yaml').send(asYaml(api)));
  }
  for (const name of workflows)
    router.get(
      `/openapi/workflows/${name}`,
      (req, res) => void res.type('application/yaml').send(downloadable(name, originOf(req))),
    );
  return router;
}

const workflowFolder = path.resolve(import.meta.dirname, '../../openapi/workflows');
/** Served beside the contracts that they refer to, without the linter's configuration. */
const workflows = readdirSync(workflowFolder).filter((name) => name !== 'redocly.yaml');

/** A workflow that finds its contract also after somebody has saved it elsewhere. */
const downloadable = (name: string, origin: string): string =>
  readFileSync(path.join(workflowFolder, name), 'utf8').replaceAll(
    /(url: )\.\.\/(\w+\.yaml)$/gm,
    `$1${origin}/openapi/$2`,
  );

/** The address that the reader used. A Host header that is no valid host is not repeated in the page. */
const originOf = (req: Request): string => {
  const host = req.get('host') ?? '';
  return /^[\w.-]+(:\d+)?$|^\[[\da-f:]+\](:\d+)?$/i.test(host) ? `${req.protocol}://${host}` : '';
};

/** Both texts are made once: YAML takes a third of a second, in which nothing else is answered. */
const asJson = remember({ limit: 10 }, (api: 'v3' | 'public'): string => JSON.stringify(publishedContract(api)));
const asYaml = remember({ limit: 10 }, (api: 'v3' | 'public'): string =>
  stringify(publishedContract(api), { aliasDuplicateObjects: false }),
);
