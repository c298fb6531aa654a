import { readFileSync } from 'node:fs';
import path from 'node:path';
import { demoCredentials } from '../../src/programs/demo/credentials.ts';
import { framed } from './frame.ts';

/*
 * The console: Swagger UI on the contracts that this server publishes. It stores nothing in the browser.
 */

const folder = path.resolve(import.meta.dirname, '../../node_modules/swagger-ui-dist');

/** The files of Swagger UI that the page loads. */
export const consoleFiles = ['swagger-ui-bundle.js', 'swagger-ui.css'] as const;

export const readConsoleFile = (name: string): string => readFileSync(path.join(folder, name), 'utf8');

const names = { v3: 'Resource API v3', public: 'Public API v1' } as const;

/** The page of an API. With `hasDemo`, the public credentials of the demo organisation are filled in. */
export function consolePage(api: 'v3' | 'public', hasDemo: boolean): string {
  const other = api === 'v3' ? 'public' : 'v3';
  const credentials = hasDemo
    ? { v3: { apiKey: demoCredentials.apiKey }, public: { apiToken: demoCredentials.apiToken } }[api]
    : {};
  return framed(
    { title: `Try it: ${names[api]}`, isWide: true },
    `<p>${introduction(api, hasDemo)} The requests change real data of this server. The page stores nothing: it forgets your credentials when you leave it. <a href="/docs/try/${other}">Try the ${names[other]}</a></p>
<link rel="stylesheet" href="/docs/try/swagger-ui.css">
<style>#console { overflow-x: auto; background: #fff; color-scheme: light; border-radius: .75rem; padding: .1rem 0 1rem; } #console .information-container { display: none; }</style>
<div id="console"></div>
<script src="/docs/try/swagger-ui-bundle.js"></script>
<script>
(async () => {
  const contract = await (await fetch('/openapi/${api}.json')).json();
  // The guides are in the reference.
  const tags = contract.tags.filter((tag) => !tag['x-traitTag']);
  // The form is filled with examples. Those of optional parameters would filter lists and repeat idempotency keys.
  const operations = Object.values(contract.paths).flatMap((item) => [item, ...Object.values(item)]);
  const parameters = [contract.components, ...operations].flatMap(({ parameters }) => Object.values(parameters ?? {}));
  for (const parameter of parameters) if (!parameter.required) delete parameter.example;
  const ui = SwaggerUIBundle({
    spec: { ...contract, tags },
    dom_id: '#console',
    deepLinking: true,
    docExpansion: 'none',
    defaultModelsExpandDepth: -1,
    filter: true,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    persistAuthorization: false,
    validatorUrl: null,
    onComplete: () => {
      for (const [scheme, value] of Object.entries(${JSON.stringify(credentials)})) ui.preauthorizeApiKey(scheme, value);
    },
    responseInterceptor: (response) => {
      const isSignedIn = response.ok && /\\/sign_(in|up)$/.test(response.url);
      const token = isSignedIn && JSON.parse(response.text).data.attributes.access_token;
      if (token) ui.preauthorizeApiKey('bearer', token);
      return response;
    },
  });
})();
</script>`,
  );
}

function introduction(api: 'v3' | 'public', hasDemo: boolean): string {
  if (api === 'public')
    return hasDemo
      ? 'The token of the demo organisation is filled in.'
      : 'Enter a token of your enterprise under <strong>Authorize</strong>.';
  return hasDemo
    ? 'The Api-Key of the demo organisation is filled in. Send <strong>POST /sign_in</strong> as it is, and you are signed in as its admin.'
    : 'Enter an Api-Key or an access token under <strong>Authorize</strong>. After <strong>POST /sign_in</strong> you are signed in.';
}
