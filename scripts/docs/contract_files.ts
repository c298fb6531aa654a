import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import { apis, type Contract } from '../../src/platform/http/contract_document.ts';
import { asAsyncApi } from './editions/asyncapi.ts';
import { dereferenced } from './editions/dereferenced.ts';
import { forTools } from './editions/for_tools.ts';
import { asOpenApi30 } from './editions/openapi_30.ts';
import { apiNames, escaped, framed } from './frame.ts';
import { collectionOf } from './postman/collection.ts';
import { environmentOf } from './postman/environment.ts';
import { publishedContract } from './publish.ts';
import { sampleOrigin } from '../../src/programs/docs/serve.ts';

/** A file for programs, served below /openapi. */
interface ContractFile {
  /** Its address below /openapi. */
  readonly name: string;
  readonly title: string;
  readonly type: string;
  readonly text: () => string;
  /** The text where the credentials of the demo organisation work, if it has them. */
  readonly demoText?: () => string;
}

const contracts: readonly ContractFile[] = apis.flatMap((api) => {
  const title = (edition: string): string => `${apiNames[api]}, ${edition}`;
  const contract = (): Contract => forTools(publishedContract(api));
  const json = (name: string, edition: string, document: () => object): ContractFile => ({
    name: `${api}${name}.json`,
    title: title(edition),
    type: 'application/json',
    text: () => JSON.stringify(document()),
  });
  return [
    json('', 'OpenAPI 3.1', contract),
    {
      name: `${api}.yaml`,
      title: title('OpenAPI 3.1'),
      type: 'application/yaml',
      text: () => stringify(contract(), { aliasDuplicateObjects: false }),
    },
    json('-dereferenced', 'OpenAPI 3.1 without references', () => dereferenced(contract())),
    json('-3.0', 'OpenAPI 3.0', () => asOpenApi30(contract())),
    { ...json('', 'Postman collection', () => collectionOf(api)), name: `postman/${api}.json` },
  ];
});

const messages: ContractFile = {
  name: 'webhooks-asyncapi.json',
  title: 'Messages to webhooks, AsyncAPI 3.0',
  type: 'application/json',
  text: () => JSON.stringify(asAsyncApi(forTools(publishedContract('v3')))),
};

const workflowFolder = path.resolve(import.meta.dirname, '../../openapi/workflows');

/** A workflow that finds its contract also after somebody has saved it elsewhere. */
const downloadable = (text: string): string =>
  text.replaceAll(/(url: )\.\.\/(\w+\.yaml)$/gm, `$1${sampleOrigin}/openapi/$2`);

/** Served beside the contracts that they refer to, without the linter's configuration. */
const workflows: readonly ContractFile[] = readdirSync(workflowFolder)
  .filter((name) => name !== 'redocly.yaml')
  .map((name) => ({
    name: `workflows/${name}`,
    title: `Workflow ${path.basename(name, '.yaml')}, Arazzo`,
    type: 'application/yaml',
    text: () => downloadable(readFileSync(path.join(workflowFolder, name), 'utf8')),
  }));

const environment: ContractFile = {
  name: 'postman/environment.json',
  title: 'Environment of the Postman collections',
  type: 'application/json',
  text: () => JSON.stringify(environmentOf(sampleOrigin, false)),
  demoText: () => JSON.stringify(environmentOf(sampleOrigin, true)),
};

export const contractFiles: readonly ContractFile[] = [...contracts, messages, environment, ...workflows];

export const contractList = (): string =>
  JSON.stringify(
    { files: contractFiles.map(({ name, title, type }) => ({ url: `${sampleOrigin}/openapi/${name}`, title, type })) },
    null,
    2,
  );

export const contractPage = (): string =>
  framed(
    { title: 'Contracts' },
    `<p>The service validates every request against its contracts. You can generate clients from them.</p>
<table>
${contractFiles.map(({ name, title }) => `<tr><td><a href="/openapi/${name}">${name}</a></td><td>${escaped(title)}</td></tr>`).join('\n')}
</table>
<p>Programs that do not ask for HTML get this list as JSON.</p>`,
  );
