import { isDeepStrictEqual } from 'node:util';
import { messagesOf, operationsOf, resolver } from '../../src/platform/http/contract_document.ts';
import { readFrameResponses } from '../contract/frame_responses.ts';
import { publishedContract, readExamples } from '../docs/publish.ts';
import type { Example } from '../docs/examples.ts';

/*
 * Compares what the reference shows with what the service answers. Random values have placeholders that are the same in every
 * run, so nothing may differ.
 */

type Api = 'v3' | 'public';

/** Lists the differences between a documented example and a recorded one, in sentences. */
export function differencesIn(operationId: string, api: Api, recorded: Example): string[] {
  const documented = documentedExample(api, operationId);
  const statuses = new Set([...Object.keys(documented.errors), ...Object.keys(recorded.errors)]);
  return [
    ...differences('request', documented.request, recorded.request),
    ...differences('response', documented.response, recorded.response),
    ...differences('responses', documented.responses, recorded.responses),
    ...[...statuses].flatMap((status) => differences(status, documented.errors[status], recorded.errors[status])),
  ].map((difference) => `${operationId} ${difference}`);
}

/** Compares two values member by member. */
export function differences(path: string, documented: unknown, recorded: unknown): string[] {
  const type = typeOf(documented);
  if (type === typeOf(recorded) && type === 'array') {
    const [expected, actual] = [documented as unknown[], recorded as unknown[]];
    if (expected.length !== actual.length)
      return [`${path}: the example shows ${expected.length} items, the service ${actual.length}.`];
    return expected.flatMap((item, index) => differences(`${path}/${index}`, item, actual[index]));
  }
  if (type === typeOf(recorded) && type === 'object') {
    const [expected, actual] = [documented as Record<string, unknown>, recorded as Record<string, unknown>];
    return [...new Set([...Object.keys(expected), ...Object.keys(actual)])].flatMap((key) =>
      differences(`${path}/${key}`, expected[key], actual[key]),
    );
  }
  return documented === recorded
    ? []
    : [`${path}: the example shows ${inWords(documented)}, the service ${inWords(recorded)}.`];
}

const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
const inWords = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));

interface Media {
  readonly content?: Readonly<Record<string, { readonly example?: unknown; readonly examples?: Example['responses'] }>>;
}

/** The errors that any operation can get. The recorder shows one of them. */
const ofFrame = new Set(Object.keys(readFrameResponses()).filter((name) => name !== 'ServiceUnavailable'));

/** Lists the shared error responses that no operation answered with: their example must be one that occurs. */
export function sharedDifferences(api: Api, recorded: readonly Example[], unavailable: unknown): string[] {
  const { responses = {} } = publishedContract(api).components as { responses?: Record<string, Media> };
  const bodies = [unavailable, ...recorded.flatMap(({ errors }) => Object.values(errors))];
  return Object.entries(responses)
    .filter(
      ([name, response]) =>
        !ofFrame.has(name) &&
        !bodies.some((body) => differences('', Object.values(response.content ?? {})[0]?.example, body).length === 0),
    )
    .map(([name]) => `${api}: no operation answered with the example of the shared response ${name}.`);
}

/** Reads what the published contract shows of an operation or of a message. */
function documentedExample(api: Api, operationId: string): Example {
  const contract = publishedContract(api);
  const operations = [...operationsOf(contract).map((found) => found.operation), ...messagesOf(contract)];
  const operation = operations.find((found) => found.operationId === operationId)!;
  const resolve = resolver(contract);
  const shownIn = (media: object | undefined): { example?: unknown; examples?: Example['responses'] } => {
    const { content } = (media && '$ref' in media ? resolve(media.$ref as string) : (media ?? {})) as Media;
    return Object.values(content ?? {})[0] ?? {};
  };
  const { example: body } = shownIn(operation.requestBody);
  const { path, query } = readExamples()[api][operationId]?.request ?? {};
  const { responses: shared = {} } = contract.components as { responses?: Record<string, Media> };
  const ofFrameShown = Object.entries(shared).flatMap(([name, media]) =>
    ofFrame.has(name) ? [shownIn(media).example] : [],
  );
  const errors = Object.entries(operation.responses)
    .filter(([status]) => status.startsWith('4'))
    .map(([status, error]) => [status, shownIn(error).example] as const)
    .filter(([, example]) => !ofFrameShown.some((shown) => isDeepStrictEqual(shown, example)));
  const [, success] = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))!;
  const { example: response, examples: responses } = shownIn(success);
  return {
    request: { ...(path ? { path } : {}), ...(query ? { query } : {}), ...(body === undefined ? {} : { body }) },
    ...(response === undefined ? {} : { response }),
    ...(responses === undefined ? {} : { responses }),
    errors: Object.fromEntries(errors),
  };
}
