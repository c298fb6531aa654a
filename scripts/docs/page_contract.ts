import {
  operationsOf,
  type Api,
  type Contract,
  type ContractOperation,
} from '../../src/platform/http/contract_document.ts';
import { commonHeaders, type Response } from './common_headers.ts';
import { guidesOf } from './guides.ts';
import { anchorOf, pageAddress, withLinks, type Target } from './links.ts';
import { publishedContract } from './publish.ts';
import { notesOn, notesOnSamples } from './operation_notes.ts';

type Shown = ContractOperation & { description?: string; 'x-badges'?: object[] };

/** The published contract as the viewer shows it best. Only the page is made from it. */
export function pageContract(api: Api): Contract {
  const contract = structuredClone(publishedContract(api));
  for (const { operation } of operationsOf(contract)) {
    const shown = operation as Shown;
    shown.description = [shown.description?.trim(), ...notesOn(api, operation), ...notesOnSamples(api, operation)].join(
      '\n\n',
    );
    if (operation['x-extension']) shown['x-badges'] = [{ name: 'Extension' }];
    if (operation.requestBody) Object.assign(operation.requestBody, { content: jsonFirst(operation.requestBody) });
  }
  const guides = new Map(guidesOf(contract).map(({ name, text }) => [name, text]));
  for (const tag of contract.tags as { name: string; description: string }[])
    tag.description = guides.get(tag.name) ?? tag.description;
  removeCommonHeaders(contract);
  return linked(api, contract, undefined) as Contract;
}

/** The viewer names the first type beside the samples, which send application/json. */
const jsonFirst = ({ content }: NonNullable<ContractOperation['requestBody']>): object => {
  const { 'application/json': json, ...others } = content ?? {};
  return json ? { 'application/json': json, ...others } : content;
};

/** Removes the headers that the chapter about headers shows once. */
function removeCommonHeaders(contract: Contract): void {
  const common = commonHeaders(contract);
  const { responses = {} } = contract.components as { responses?: Readonly<Record<string, Response>> };
  const all = operationsOf(contract).flatMap(({ operation }) => Object.values(operation.responses) as Response[]);
  for (const response of [...Object.values(responses), ...all]) {
    const own = Object.entries(response.headers ?? {}).filter(([, { $ref = '' }]) => !common.has($ref));
    if (own.length > 0) response.headers = Object.fromEntries(own);
    else delete response.headers;
  }
}

/** Members whose texts are data. */
const data: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const', 'x-codeSamples']);

/** A part of the contract whose descriptions have links. */
function linked(api: Api, node: unknown, own: string | undefined): unknown {
  if (Array.isArray(node)) return node.map((item) => linked(api, item, own));
  if (typeof node !== 'object' || node === null) return node;
  const inside = 'operationId' in node ? (node.operationId as string) : own;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]): [string, unknown] => {
      if (key === 'description' && typeof value === 'string')
        return [key, withLinks(api, value, (target) => placeInViewer(api, target), inside)];
      return [key, data.has(key) ? value : linked(api, value, inside)];
    }),
  );
}

/** The address of a target in the page of the viewer, or of its own page if it belongs to the other API. */
const placeInViewer = (api: Api, target: Target): string =>
  target.api === api ? anchorOf(target) : pageAddress(target);
