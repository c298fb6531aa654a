import { Router } from 'express';
import type { Contract } from '../../platform/http/contract_document.ts';
import { originOf } from './serve.ts';

const address = '/.well-known/api-catalog';

/** Where programs look for the APIs of a host (RFC 9727): the addresses of both, and of what describes them. */
export function apiCatalogRouter(apis: Readonly<Record<string, Contract>>, publicUrl: string | undefined): Router {
  const router = Router();
  router.get(address, (req, res) => {
    const origin = originOf(req, publicUrl);
    const link = (path: string, type: string) => ({ href: `${origin}${path}`, type });
    const linkset = Object.entries(apis).map(([name, { servers, info }]) => ({
      anchor: `${origin}${servers[0]!.url}`,
      'service-desc': [
        link(`/openapi/${name}.json`, 'application/json'),
        link(`/openapi/${name}.yaml`, 'application/yaml'),
      ],
      'service-doc': [
        { ...link(`/docs/${name}`, 'text/html'), title: info.title },
        link(`/docs/${name}.md`, 'text/markdown'),
      ],
      status: [link('/health/ready', 'application/json')],
    }));
    res
      .set('Link', `<${origin}${address}>; rel="api-catalog"`)
      .type('application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"')
      .send(JSON.stringify({ linkset }));
  });
  return router;
}
