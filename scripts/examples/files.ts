import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { Document, isCollection, isScalar, parse, visit, type Node } from 'yaml';
import type { Example } from '../../src/docs/examples.ts';

const folder = path.resolve(import.meta.dirname, '../../openapi/examples');
const apis = ['v3', 'public'] as const;

const fileOf = (api: string, operationId: string): string => path.join(folder, api, `${operationId}.yaml`);

/** The examples as they lie in openapi/examples, by API and operation. */
export const readExampleFiles = (): Record<(typeof apis)[number], Record<string, Example>> => ({
  v3: examplesIn('v3'),
  public: examplesIn('public'),
});

const examplesIn = (api: string): Record<string, Example> =>
  Object.fromEntries(
    readdirSync(path.join(folder, api))
      .sort()
      .map((name) => [
        path.basename(name, '.yaml'),
        parse(readFileSync(path.join(folder, api, name), 'utf8')) as Example,
      ]),
  );

/** Writes every example into its file, and removes the files of operations that are gone. */
export async function writeExampleFiles(
  examples: ReadonlyMap<string, Example & { readonly api: string }>,
): Promise<void> {
  const options = await resolveConfig(fileOf('v3', 'any'));
  for (const api of apis) {
    mkdirSync(path.join(folder, api), { recursive: true });
    for (const name of readdirSync(path.join(folder, api)))
      if (examples.get(path.basename(name, '.yaml'))?.api !== api) rmSync(path.join(folder, api, name));
  }
  for (const [operationId, { api, ...example }] of examples) {
    writeFileSync(fileOf(api, operationId), await format(asYaml(example), { ...options, parser: 'yaml' }));
  }
}

/** A new operation refers to an example that only a run can give, and that run needs the operation: until then there is an empty one. */
export function createMissingExampleFiles(): void {
  for (const api of apis) {
    const contract = path.resolve(folder, '..', api);
    const text = readdirSync(contract)
      .map((name) => readFileSync(path.join(contract, name), 'utf8'))
      .join('');
    const named = new Set([...text.matchAll(/examples\/\w+\/(\w+)\.yaml/g)].map((match) => match[1]!));
    for (const operationId of [...named].filter((name) => !existsSync(fileOf(api, name)))) {
      writeFileSync(
        fileOf(api, operationId),
        '# Never shown yet: npm run examples -- --write\nrequest: { body: null }\nresponse: null\nerrors: {}\n',
      );
      console.log(
        `openapi/examples/${api}/${operationId}.yaml is empty: show ${operationId} in a scene, then run "npm run examples -- --write".`,
      );
    }
  }
}

const shortEnough = 130;

/** Small records stand on one line, as in the rest of the contract. */
function asYaml(example: Example): string {
  const document = new Document(example, { aliasDuplicateObjects: false });
  document.commentBefore = ' From a run on the demo organisation: npm run examples -- --write';
  visit(document, {
    // Other readers of YAML take an unquoted time for more than text.
    Scalar(_key, node) {
      if (typeof node.value === 'string' && /^\d{4}-\d\d-\d\d/.test(node.value)) node.type = 'QUOTE_SINGLE';
    },
    Collection(_key, node, parents) {
      node.flow = parents.length > 2 && JSON.stringify(node).length <= shortEnough && isSmall(node, 2);
    },
  });
  return document.toString({ lineWidth: 0, singleQuote: true, flowCollectionPadding: true });
}

const isSmall = (node: unknown, levels: number): boolean => {
  if (!isCollection(node)) return true;
  if (levels === 0) return false;
  return node.items.every((item) =>
    isSmall(isScalar(item) ? item : ((item as { value?: Node }).value ?? item), levels - 1),
  );
};
