import { readFileSync } from 'node:fs';
import path from 'node:path';
import { demoCredentials } from '../../src/programs/demo/credentials.ts';
import { apiNames, framed } from './frame.ts';
import type { Api } from '../../src/platform/http/contract_document.ts';
import { readExamples } from './publish.ts';
import { markDates } from '../../src/programs/docs/sample_dates.ts';

/*
 * The console: Swagger UI on the contracts that this server publishes. The forms have the values of the samples. Credentials are kept
 * in the tab of the browser until it is closed.
 */

const folder = path.resolve(import.meta.dirname, '../../node_modules/swagger-ui-dist');

/** The files of Swagger UI that the page loads. */
export const consoleFiles = ['swagger-ui-bundle.js', 'swagger-ui.css'] as const;

export const readConsoleFile = (name: string): string => readFileSync(path.join(folder, name), 'utf8');

/** The requests of the samples, by operation, with which the forms are filled. They have the dates of the printed samples. */
export const consoleSamples = (api: Api): string =>
  markDates(
    JSON.stringify(
      Object.fromEntries(
        Object.entries(readExamples()[api]).map(([operationId, { request }]) => [operationId, request]),
      ),
    ),
  );

/** The page of an API. With `hasDemo`, the public credentials of the demo organisation are filled in. */
export function consolePage(api: Api, hasDemo: boolean): string {
  const other = api === 'v3' ? 'public' : 'v3';
  const credentials = hasDemo
    ? { v3: { apiKey: demoCredentials.apiKey }, public: { bearer: demoCredentials.apiToken } }[api]
    : {};
  return framed(
    { title: `Try it: ${apiNames[api]}`, isWide: true },
    `<p>${introduction(api, hasDemo)} The requests change real data of this server. This tab keeps your credentials until you close it. <a href="/docs/try/${other}">Try the ${apiNames[other]}</a></p>
<link rel="stylesheet" href="/docs/try/swagger-ui.css">
<style>#console { overflow-x: auto; background: #fff; color-scheme: light; border-radius: .75rem; padding: .1rem 0 1rem; } #console .information-container { display: none; }
@media (min-width: 75rem) {
  #console .opblock-body { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); align-items: start; }
  #console .opblock-body > * { grid-column: 1; }
  #console .opblock-body > .responses-wrapper { grid-column: 2; grid-row: 1 / span 9; position: sticky; top: 0; max-height: 100vh; overflow-y: auto; }
}</style>
<div id="console"></div>
<script src="/docs/try/swagger-ui-bundle.js"></script>
<script>
(async () => {
  const [contract, samples] = await Promise.all(
    ['/openapi/${api}.json', '/docs/try/${api}-samples.json'].map(async (address) => (await fetch(address)).json()),
  );
  // The guides are in the reference.
  const tags = contract.tags.filter((tag) => !tag['x-traitTag']);
  const targetOf = ({ $ref, ...own }) => ($ref ? { ...$ref.slice(2).split('/').reduce((node, name) => node[name], contract), ...own } : own);
  // What the sample does not send stays empty. Other examples would filter lists, repeat idempotency keys and fill in parts of forms.
  const partsLike = (sent, { properties, ...form }) => ({
    ...form,
    properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, { ...targetOf(part), example: sent[name] ?? '' }])),
  });
  for (const item of Object.values(contract.paths)) {
    for (const operation of Object.values(item).filter(({ operationId }) => operationId)) {
      const sample = samples[operation.operationId];
      operation.parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((one) => {
        const { example, ...parameter } = targetOf(one);
        const value = sample[parameter.in]?.[parameter.name];
        if (value !== undefined) return { ...parameter, example: value };
        const withoutValues = (key, part) => (['default', 'example', 'examples'].includes(key) ? undefined : part);
        return { ...parameter, schema: JSON.parse(JSON.stringify(targetOf(parameter.schema), withoutValues)) };
      });
      if (!operation.requestBody) continue;
      // The samples send the last type.
      const types = Object.entries(operation.requestBody.content).reverse();
      operation.requestBody.content = Object.fromEntries(types.map(([type, { schema }]) => [
        type,
        { schema: type.startsWith('multipart/') ? partsLike(sample.body, targetOf(schema)) : schema, example: sample.body },
      ]));
    }
  }
  const place = 'punchcard-${api}';
  const credentials = { ...${JSON.stringify(credentials)}, ...JSON.parse(sessionStorage.getItem(place)) };
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
      for (const [scheme, value] of Object.entries(credentials)) ui.preauthorizeApiKey(scheme, value);
      ui.getStore().subscribe(() => {
        const kept = Object.entries(ui.authSelectors.authorized()?.toJS() ?? {}).map(([scheme, { value }]) => [scheme, value]);
        sessionStorage.setItem(place, JSON.stringify(Object.fromEntries(kept)));
      });
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

function introduction(api: Api, hasDemo: boolean): string {
  if (api === 'public')
    return hasDemo
      ? 'The token of the demo organisation is filled in.'
      : 'Enter a token of your enterprise under <strong>Authorize</strong>.';
  return hasDemo
    ? 'The Api-Key of the demo organisation is filled in. Send <strong>POST /sign_in</strong> as it is, and you are signed in as its admin.'
    : 'Enter an Api-Key or an access token under <strong>Authorize</strong>. After <strong>POST /sign_in</strong> you are signed in.';
}
