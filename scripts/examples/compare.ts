import { operationsOf, resolver } from '../../src/http/contract_document.ts';
import { publishedContract, readExamples } from '../../src/docs/publish.ts';
import type { Example } from '../../src/docs/examples.ts';

/*
 * Holds what the reference shows against what really happened: the same members with the same types at every level, and the
 * same values, except for those that differ from one database to the next.
 */

type Api = 'v3' | 'public';

/** What is different about a documented example, in sentences. */
export function differencesIn(operationId: string, api: Api, real: Example): string[] {
  const shown = documentedExample(api, operationId);
  const statuses = new Set([...Object.keys(shown.errors), ...Object.keys(real.errors)]);
  return [
    ...differences('request', shown.request, real.request),
    ...differences('response', shown.response, real.response),
    ...differences('responses', shown.responses, real.responses),
    ...[...statuses].flatMap((status) => differences(status, shown.errors[status], real.errors[status])),
  ].map((difference) => `${operationId} ${difference}`);
}

/** Ids, what is made of random bytes, and what is counted by the clock of the database, which cannot be made to stand still. */
const variesBy = (name: string): boolean =>
  /(^|_)(ids?|token|url|next_page)$|^(identifier_pin|last_four|last_update_by|recognition_color_variant|remaining_vacation_days_this_year)$/.test(
    name,
  );
const variesAs = (text: string): boolean =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text) || text.includes('signature=');

/** Compares two values member by member. */
export function differences(place: string, shown: unknown, real: unknown, name = ''): string[] {
  const [one, other] = [typeOf(shown), typeOf(real)];
  if (one !== other) return [`${place}: the example shows ${inWords(shown)}, the service ${inWords(real)}.`];
  if (one === 'array') {
    const [list, found] = [shown as unknown[], real as unknown[]];
    if (list.length !== found.length)
      return [`${place}: the example shows ${list.length} items, the service ${found.length}.`];
    return list.flatMap((item, index) => differences(`${place}/${index}`, item, found[index], name));
  }
  if (one === 'object') {
    const [record, found] = [shown as Record<string, unknown>, real as Record<string, unknown>];
    return [...new Set([...Object.keys(record), ...Object.keys(found)])].flatMap((key) =>
      differences(`${place}/${key}`, record[key], found[key], key),
    );
  }
  const isFree = variesBy(name) || (typeof shown === 'string' && variesAs(shown) && variesAs(real as string));
  return shown === real || isFree
    ? []
    : [`${place}: the example shows ${inWords(shown)}, the service ${inWords(real)}.`];
}

const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
const inWords = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));

interface Media {
  readonly content?: Readonly<Record<string, { readonly example?: unknown; readonly examples?: Example['responses'] }>>;
}

/** Refusals that operations share are shown once for all of them: each must be the answer of at least one. */
export function sharedDifferences(api: Api, real: readonly Example[], failure: unknown): string[] {
  const { responses = {} } = publishedContract(api).components as { responses?: Record<string, Media> };
  const seen = [failure, ...real.flatMap(({ errors }) => Object.values(errors))];
  return Object.entries(responses)
    .filter(
      ([, response]) =>
        !seen.some((answer) => differences('', Object.values(response.content ?? {})[0]?.example, answer).length === 0),
    )
    .map(([name]) => `${api}: nothing was refused in the way that the shared response ${name} shows.`);
}

/** What the published contract shows of an operation. */
export function documentedExample(api: Api, operationId: string): Example {
  const contract = publishedContract(api);
  const operation = operationsOf(contract).find((found) => found.operation.operationId === operationId)!.operation;
  const resolve = resolver(contract);
  const shownIn = (media: object | undefined): { example?: unknown; examples?: Example['responses'] } => {
    const { content } = (media && '$ref' in media ? resolve(media.$ref as string) : (media ?? {})) as Media;
    return Object.values(content ?? {})[0] ?? {};
  };
  const { example: body } = shownIn(operation.requestBody);
  const { path, query } = readExamples()[api][operationId]?.request ?? {};
  const refusals = Object.entries(operation.responses).filter(([status]) => status.startsWith('4'));
  const [, success] = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))!;
  const { example: response, examples: responses } = shownIn(success);
  return {
    request: { ...(path ? { path } : {}), ...(query ? { query } : {}), ...(body === undefined ? {} : { body }) },
    ...(response === undefined ? {} : { response }),
    ...(responses === undefined ? {} : { responses }),
    errors: Object.fromEntries(refusals.map(([status, refusal]) => [status, shownIn(refusal).example])),
  };
}
