import type { Argument, Tool } from './tools.ts';

/** A request to the API, as a call of a tool makes it. */
export interface ToolRequest {
  readonly method: string;
  /** The path below the base of the API, with the query. */
  readonly address: string;
  readonly body: string | undefined;
}

/** The request that a tool stands for, or sentences that say what is wrong with the arguments. */
export function requestOf(tool: Tool, given: Readonly<Record<string, unknown>>): ToolRequest | string[] {
  const problems = [...unknownArguments(tool, given), ...wrongIds(tool, given)];
  if (problems.length > 0) return problems;
  const values = [
    ...tool.sends,
    ...Object.entries(given).map(([key, value]) => ({ argument: tool.takes.get(key)!, value })),
  ].filter(({ value }) => value !== undefined && value !== null);
  const at = (place: Argument['place']) => values.filter(({ argument }) => argument.place === place);
  const path = at('path').reduce(
    (address, { argument, value }) => address.replace(`{${argument.name}}`, String(value)),
    tool.route.path,
  );
  const query = new URLSearchParams();
  for (const { argument, value } of at('query'))
    for (const item of [value].flat()) query.append(argument.name, String(item));
  const attributes = Object.fromEntries(at('attribute').map(({ argument, value }) => [argument.name, value]));
  return {
    method: tool.route.method.toUpperCase(),
    address: query.size > 0 ? `${path}?${query}` : path,
    body: tool.recordType === undefined ? undefined : JSON.stringify({ data: { type: tool.recordType, attributes } }),
  };
}

const unknownArguments = ({ name, takes }: Tool, given: object): string[] =>
  Object.keys(given)
    .filter((key) => !takes.has(key))
    .map((key) => `${name} does not take ${JSON.stringify(key)}. It takes: ${[...takes.keys()].join(', ')}.`);

/** The API looks at everything else. A path with a missing or a strange id would lead to another operation. */
const wrongIds = ({ takes }: Tool, given: Readonly<Record<string, unknown>>): string[] =>
  [...takes]
    .filter(([, { place }]) => place === 'path')
    .filter(([key, { schema }]) => !new RegExp(schema.pattern!).test(String(given[key] ?? '')))
    .map(([key]) =>
      given[key] === undefined
        ? `${key} is required.`
        : `${key} is ${JSON.stringify(given[key])}, which is no id. Ids are numbers such as 12, or UUIDs.`,
    );
