import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import { publishedContract } from './publish.ts';

/** A file for programs, served below /openapi. */
export interface ContractFile {
  /** Its address below /openapi. */
  readonly name: string;
  readonly title: string;
  readonly type: string;
  /** Makes its text. The server calls it once. */
  readonly text: () => string;
}

const contracts: readonly ContractFile[] = (['v3', 'public'] as const).flatMap((api) => {
  const title = `${api === 'v3' ? 'Resource API v3' : 'Public API v1'}, OpenAPI 3.1`;
  return [
    { name: `${api}.json`, title, type: 'application/json', text: () => JSON.stringify(publishedContract(api)) },
    {
      name: `${api}.yaml`,
      title,
      type: 'application/yaml',
      text: () => stringify(publishedContract(api), { aliasDuplicateObjects: false }),
    },
  ];
});

const workflowFolder = path.resolve(import.meta.dirname, '../../openapi/workflows');

/** Served beside the contracts that they refer to, without the linter's configuration. */
const workflows: readonly ContractFile[] = readdirSync(workflowFolder)
  .filter((name) => name !== 'redocly.yaml')
  .map((name) => ({
    name: `workflows/${name}`,
    title: `Workflow ${path.basename(name, '.yaml')}, Arazzo`,
    type: 'application/yaml',
    text: () => readFileSync(path.join(workflowFolder, name), 'utf8'),
  }));

export const contractFiles: readonly ContractFile[] = [...contracts, ...workflows];
