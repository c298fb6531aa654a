import { readFileSync } from 'node:fs';
import { remember } from '../../src/platform/core/remember.ts';
import {
  generatedFile,
  operationsOf,
  readContract,
  requestBodySchema,
  resolved,
  resolver,
  type Api,
  type Contract,
  type ContractOperation,
  type Resolve,
} from '../../src/platform/http/contract_document.ts';
import { markDates } from '../../src/programs/docs/sample_dates.ts';
import type { Example } from './examples.ts';
import { phpSample } from './languages/php.ts';
import { pythonSample } from './languages/python.ts';
import { curlSample, typescriptSample, type Sampled } from './samples.ts';

/*
 * The contract as it is published. It adds samples of how to call each operation, and replaces the shared example of an error
 * with the one that the operation really returns.
 */

type Examples = Readonly<Record<Api, Readonly<Record<string, Pick<Example, 'request' | 'errors' | 'events'>>>>>;

/** The requests and error bodies of the last run on the demo organisation. */
export const readExamples = remember(
  { limit: 1, keyOf: () => 'all' },
  () => JSON.parse(readFileSync(generatedFile('examples.json'), 'utf8')) as Examples,
);

interface ErrorResponse {
  readonly description: string;
  readonly content: {
    readonly 'application/json': { readonly schema: object; readonly example: { readonly errors: unknown } };
  };
}

/** A chapter or a group of operations. */
export interface Tag {
  readonly name: string;
  readonly description: string;
  /** Whether it is a chapter. */
  readonly 'x-traitTag'?: boolean;
}

/** A contract with what it says to readers. */
export type PublishedContract = Contract & {
  readonly info: { readonly title: string; readonly summary: string; readonly description: string };
  readonly tags: readonly Tag[];
  readonly 'x-tagGroups': readonly { readonly name: string; readonly tags: readonly string[] }[];
};

/** The languages of the samples. */
export const languages = { curl: curlSample, TypeScript: typescriptSample, Python: pythonSample, PHP: phpSample };

/** Both documents are requested often and change only with the code. */
export const publishedContract = remember({ limit: 10 }, (api: Api) =>
  publish(api, readContract(api) as PublishedContract, readExamples()),
);

function publish(api: Api, contract: PublishedContract, examples: Examples): PublishedContract {
  const resolve = resolver(contract);
  for (const { method, path, operation } of operationsOf(contract)) {
    const example = examples[api][operation.operationId];
    if (!example) continue;
    const sampled = sampledOf(api, contract, method, path, operation, example);
    Object.assign(operation, {
      responses: Object.fromEntries(
        Object.entries(operation.responses).map(([status, response]) => [
          status,
          withOwnExample(response, example.errors[status], resolve),
        ]),
      ),
      'x-codeSamples': Object.entries(languages).map(([label, sampleOf]) => ({
        lang: label === 'curl' ? 'Shell' : label,
        label,
        source: markDates(sampleOf(sampled)),
      })),
    });
  }
  return contract;
}

/** The details of an operation and its example from which samples are made. */
export function sampledOf(
  api: Api,
  contract: Contract,
  method: string,
  path: string,
  operation: ContractOperation,
  { request }: Pick<Example, 'request'>,
): Sampled {
  const form = requestBodySchema(operation, 'multipart/form-data', resolver(contract));
  const isForm = 'multipart/form-data' in (operation.requestBody?.content ?? {});
  return {
    api,
    base: contract.servers[0]!.url,
    method,
    path,
    scheme: operation.security === undefined ? 'bearer' : Object.keys(operation.security[0] ?? {})[0],
    fileParts: isForm ? filePartsOf(form as FormSchema, resolver(contract)) : undefined,
    hasAnswer: Object.entries(operation.responses).some(
      ([status, response]) => status.startsWith('2') && 'content' in response,
    ),
    request,
  };
}

interface FormSchema {
  readonly properties?: Readonly<
    Record<string, { readonly contentMediaType?: string; readonly format?: string; readonly items?: object }>
  >;
}

function filePartsOf(schema: FormSchema, resolve: Resolve): string[] {
  const { properties = {} } = resolved(schema, resolve);
  const isFile = (part: object): boolean =>
    'contentMediaType' in part || ('format' in part && part.format === 'binary');
  return Object.entries(properties)
    .filter(([, part]) => isFile(part.items ?? part))
    .map(([name]) => name);
}

function withOwnExample(response: object, own: unknown, resolve: Resolve): object {
  if (own === undefined) return response;
  const shared = resolved(response, resolve) as ErrorResponse;
  const { schema, example } = shared.content['application/json'];
  const withoutMeta = (body: object): string => JSON.stringify({ ...body, meta: undefined });
  const isSame = withoutMeta(example) === withoutMeta(own as object);
  return isSame ? response : { ...shared, content: { 'application/json': { schema, example: own } } };
}
