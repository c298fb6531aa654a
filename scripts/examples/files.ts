import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { Document, isCollection, isScalar, parse, visit, type Node } from 'yaml';
import type { Example } from '../docs/examples.ts';

const folder = path.resolve(import.meta.dirname, '../../openapi/examples');
const apis = ['v3', 'public'] as const;

const fileOf = (api: string, operationId: string): string => path.join(folder, api, `${operationId}.yaml`);

/** Reads openapi/examples, by API and operation. */
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

type Examples = ReadonlyMap<string, Example & { readonly api: string }>;

/** Writes every example to its file, and removes the files of operations that no longer exist. */
export async function writeExampleFiles(examples: Examples): Promise<void> {
  for (const api of apis) mkdirSync(path.join(folder, api), { recursive: true });
  for (const [file, text] of await changedFiles(examples)) {
    if (text === undefined) rmSync(file);
    else writeFileSync(file, text);
  }
}

/** Lists the files that writing the examples would change, relative to the root of the repository. */
export const changedExampleFiles = async (examples: Examples): Promise<string[]> =>
  [...(await changedFiles(examples)).keys()].map((file) => path.relative(path.resolve(folder, '../..'), file));

/** The new text of every file that would change; undefined for a file that would be removed. */
async function changedFiles(examples: Examples): Promise<Map<string, string | undefined>> {
  const options = await resolveConfig(fileOf('v3', 'any'));
  const changed = new Map<string, string | undefined>();
  for (const [operationId, { api, ...example }] of examples) {
    const file = fileOf(api, operationId);
    const text = await format(asYaml(example), { ...options, parser: 'yaml' });
    if (!existsSync(file) || readFileSync(file, 'utf8') !== text) changed.set(file, text);
  }
  for (const api of apis)
    for (const name of readdirSync(path.join(folder, api)))
      if (examples.get(path.basename(name, '.yaml'))?.api !== api) changed.set(path.join(folder, api, name), undefined);
  return changed;
}

/** Creates an empty file for every example that the contract refers to and that was not recorded yet: a run needs the contract. */
export function createMissingExampleFiles(): void {
  for (const api of apis) {
    const contract = path.resolve(folder, '..', api);
    const text = readdirSync(contract, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.yaml'))
      .map((name) => readFileSync(path.join(contract, name), 'utf8'))
      .join('');
    const named = new Set([...text.matchAll(/examples\/\w+\/(\w+)\.yaml/g)].map((match) => match[1]!));
    for (const operationId of [...named].filter((name) => !existsSync(fileOf(api, name)))) {
      writeFileSync(
        fileOf(api, operationId),
        '# Not recorded yet: npm run examples -- --write\nrequest: { body: null }\nresponse: null\nerrors: {}\n',
      );
      console.log(
        `openapi/examples/${api}/${operationId}.yaml is empty: call ${operationId} in scripts/examples/scenarios/, then run "npm run examples -- --write".`,
      );
    }
  }
}

const maxFlowLength = 130;

/** Writes small collections on one line, as in the rest of the contract. */
function asYaml(example: Example): string {
  const document = new Document(example, { aliasDuplicateObjects: false });
  document.commentBefore = ' From a run on the demo organisation: npm run examples -- --write';
  visit(document, {
    // YAML 1.1 parsers read an unquoted time as a timestamp.
    Scalar(_key, node) {
      if (typeof node.value === 'string' && /^\d{4}-\d\d-\d\d/.test(node.value)) node.type = 'QUOTE_SINGLE';
    },
    Collection(_key, node, parents) {
      node.flow = parents.length > 2 && JSON.stringify(node).length <= maxFlowLength && isSmall(node, 2);
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
