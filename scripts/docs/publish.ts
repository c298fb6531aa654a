import { readFileSync } from 'node:fs';
import { remember } from '../../src/platform/core/remember.ts';
import {
  generatedFile,
  operationsOf,
  readContract,
  requestBodySchema,
  resolver,
  type Contract,
  type ContractOperation,
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

type Examples = Readonly<
  Record<'v3' | 'public', Readonly<Record<string, Pick<Example, 'request' | 'errors' | 'events'>>>>
>;

/** The requests and error bodies of the last run on the demo organisation. */
export const readExamples = (): Examples =>
  JSON.parse(readFileSync(generatedFile('examples.json'), 'utf8')) as Examples;

interface ErrorResponse {
  readonly description: string;
  readonly content: {
    readonly 'application/json': { readonly schema: object; readonly example: { readonly errors: unknown } };
  };
}

/** Both documents are requested often and change only with the code. */
export const publishedContract = remember({ limit: 10 }, (api: 'v3' | 'public') =>
  publish(api, readContract(api), readExamples()),
);

function publish(api: 'v3' | 'public', contract: Contract, examples: Examples): Contract {
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
      'x-codeSamples': [
        { lang: 'Shell', label: 'curl', source: markDates(curlSample(sampled)) },
        { lang: 'TypeScript', label: 'TypeScript', source: markDates(typescriptSample(sampled)) },
        { lang: 'Python', label: 'Python', source: markDates(pythonSample(sampled)) },
        { lang: 'PHP', label: 'PHP', source: markDates(phpSample(sampled)) },
      ],
    });
  }
  return contract;
}

/** The details of an operation and its example from which samples are made. */
export function sampledOf(
  api: 'v3' | 'public',
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
  readonly $ref?: string;
  readonly properties?: Readonly<
    Record<string, { readonly contentMediaType?: string; readonly format?: string; readonly items?: object }>
  >;
}

function filePartsOf(schema: FormSchema, resolve: (reference: string) => object): string[] {
  const { properties = {} } = schema.$ref ? (resolve(schema.$ref) as FormSchema) : schema;
  const isFile = (part: object): boolean =>
    'contentMediaType' in part || ('format' in part && part.format === 'binary');
  return Object.entries(properties)
    .filter(([, part]) => isFile(part.items ?? part))
    .map(([name]) => name);
}

function withOwnExample(response: object, own: unknown, resolve: (reference: string) => object): object {
  if (own === undefined) return response;
  const shared = ('$ref' in response ? resolve(response.$ref as string) : response) as ErrorResponse;
  const { schema, example } = shared.content['application/json'];
  const withoutMeta = (body: object): string => JSON.stringify({ ...body, meta: undefined });
  const isSame = withoutMeta(example) === withoutMeta(own as object);
  return isSame ? response : { ...shared, content: { 'application/json': { schema, example: own } } };
}
