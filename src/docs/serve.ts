import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { Router, type Request, type RequestHandler } from 'express';
import { stringify } from 'yaml';
import { remember } from '../core/remember.ts';
import type { Contract } from '../http/contract_document.ts';
import { docsFolder } from './build.ts';
import { dereferenced } from './editions/dereferenced.ts';
import { forTools } from './editions/for_tools.ts';
import { asOpenApi30 } from './editions/openapi_30.ts';
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
    for (const edition of Object.keys(editions) as Edition[])
      router.get(`/openapi/${api}${edition}.json`, (_req, res) => {
        const { text, tag } = asJson(api, edition);
        res.type('json').set('ETag', tag).send(text);
      });
    router.get(`/openapi/${api}.yaml`, (_req, res) => void res.type('application/yaml').send(asYaml(api)));
  }
  for (const name of workflows)
    router.get(
      `/openapi/workflows/${name}`,
      (_req, res) => void res.type('application/yaml').sendFile(path.join(workflowFolder, name)),
    );
  return router;
}

const workflowFolder = path.resolve(import.meta.dirname, '../../openapi/workflows');
/** Served beside the contracts that they refer to, without the linter's configuration. */
const workflows = readdirSync(workflowFolder).filter((name) => name !== 'redocly.yaml');

/** The address that the reader used. A Host header that is no valid host is not repeated in the page. */
const originOf = (req: Request): string => {
  const host = req.get('host') ?? '';
  return /^[\w.-]+(:\d+)?$|^\[[\da-f:]+\](:\d+)?$/i.test(host) ? `${req.protocol}://${host}` : '';
};

/** The forms in which a contract is served as JSON, by what their file names add to that of the API. */
const editions = {
  '': forTools,
  '-3.0': (contract: Contract): object => asOpenApi30(forTools(contract)),
  '-dereferenced': (contract: Contract): object => dereferenced(forTools(contract)),
} as const;
type Edition = keyof typeof editions;

/** Every text is made once, with its tag: that takes up to a second, in which nothing else is answered. */
const keyOf = (api: string, edition: string): string => api + edition;
const asJson = remember({ limit: 20, keyOf }, (api: 'v3' | 'public', edition: Edition) => {
  const text = Buffer.from(JSON.stringify(editions[edition](publishedContract(api))));
  return { text, tag: `W/"${createHash('sha256').update(text).digest('base64url')}"` };
});
const asYaml = remember({ limit: 10 }, (api: 'v3' | 'public'): string =>
  stringify(forTools(publishedContract(api)), { aliasDuplicateObjects: false }),
);
