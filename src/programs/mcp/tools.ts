import {
  operationsOf,
  propertyOf,
  resolveSchema,
  type Contract,
  type ContractTool,
  type Resolve,
  type Schema,
} from '../../platform/http/contract_document.ts';
import { routesOf, type Route } from '../../platform/http/route.ts';

/*
 * The tools that assistants call. `x-mcp` in the contract names them, and what they take comes from the operation: an assistant
 * gets its parameters, and the attributes of its body, as one flat list of arguments.
 */

/** Where an argument of a tool goes in the request. */
export interface Argument {
  readonly place: 'path' | 'query' | 'attribute';
  /** Its name in the contract, such as `filter[user_id]`. */
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: Schema;
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  /** Whether a call changes nothing. */
  readonly onlyReads: boolean;
  readonly route: Route;
  /** The type of the record in the body, if the operation takes one. */
  readonly recordType: unknown;
  /** The arguments by the names that assistants use. */
  readonly takes: ReadonlyMap<string, Argument>;
  /** What every call sends. */
  readonly sends: readonly { readonly argument: Argument; readonly value: unknown }[];
  /** The JSON schema of the arguments. */
  readonly inputSchema: InputSchema;
}

export interface InputSchema {
  readonly [member: string]: unknown;
  readonly type: 'object';
  readonly properties: Record<string, object>;
  readonly required: string[];
}

/** The tools of a contract, in the order of its operations. */
export function toolsOf(contract: Contract): Tool[] {
  const routes = new Map(routesOf(contract).flatMap(([, found]) => found.map((route) => [route.id, route])));
  return operationsOf(contract).flatMap(({ operation }) =>
    (operation['x-mcp'] ?? []).map((tool) => toolOf(routes.get(operation.operationId)!, tool)),
  );
}

function toolOf(route: Route, tool: ContractTool): Tool {
  const { name, description, sends = {}, takes = [] } = tool;
  const all = [...parameterArguments(route), ...attributeArguments(route)];
  const named = (wanted: string): Argument => {
    const found = all.find((argument) => argument.name === wanted);
    if (!found) throw new Error(`${route.id} does not take ${wanted}, which its tool ${name} names.`);
    return found;
  };
  const sent = Object.entries(sends).map(([key, value]) => ({ argument: named(key), value }));
  const required = all.filter((argument) => argument.isRequired && !Object.hasOwn(sends, argument.name));
  const taken = new Map([...required, ...takes.map(named)].map((argument) => [nameFor(argument), argument]));
  return {
    name,
    description,
    onlyReads: tool.only_reads ?? isRead(route),
    route,
    recordType: recordOf(route)?.type,
    takes: taken,
    sends: sent,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries([...taken].map(([key, { schema }]) => [key, schema])),
      required: required.map(nameFor),
      additionalProperties: false,
    },
  };
}

const isRead = ({ method, operation }: Route): boolean => method === 'get' && operation['x-writes'] !== true;

/** Assistants take no brackets in the names of arguments. */
const nameFor = ({ name }: Argument): string => name.replaceAll(/\[(\w+)\]/g, '_$1');

/** With nothing else in a path, no value leads to another operation, as `switch_role` in the place of a user would. */
const idPattern = '^(\\d{1,15}|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$';

const parameterArguments = ({ parameters, resolve }: Route): Argument[] =>
  parameters
    .filter((parameter) => ['path', 'query'].includes(parameter.in))
    .map(({ name, in: place, required, schema, description, example }) => ({
      place: place as 'path' | 'query',
      name,
      isRequired: required === true,
      schema: {
        ...plain(schema as Schema, resolve),
        ...(place === 'path' && { pattern: idPattern }),
        ...(description !== undefined && { description: description.trim() }),
        ...(example !== undefined && { examples: [example] }),
      },
    }));

/** The record that the body of an operation has in `data`. */
function recordOf({ bodySchema, resolve }: Route): { type: unknown; attributes: Schema | undefined } | undefined {
  const data = bodySchema && propertyOf(resolveSchema(bodySchema, resolve), 'data', resolve);
  return (
    data && { type: propertyOf(data, 'type', resolve)?.const, attributes: propertyOf(data, 'attributes', resolve) }
  );
}

function attributeArguments(route: Route): Argument[] {
  const { properties = {}, required = [] } = recordOf(route)?.attributes ?? {};
  return Object.entries(properties).map(([name, schema]) => ({
    place: 'attribute',
    name,
    isRequired: required.includes(name),
    schema: plain(schema, route.resolve),
  }));
}

/** The schema as JSON Schema has it, without references to the contract. */
function plain<Part>(part: Part, resolve: Resolve): Part {
  if (Array.isArray(part)) return part.map((item: unknown) => plain(item, resolve)) as Part;
  if (typeof part !== 'object' || part === null) return part;
  const { $ref, ...own } = part as Schema;
  if ($ref !== undefined) return plain({ ...resolve($ref), ...own }, resolve) as Part;
  return Object.fromEntries(
    Object.entries(own)
      .filter(([name]) => !name.startsWith('x-'))
      .map(([name, value]: [string, unknown]) =>
        name === 'example' ? ['examples', [value]] : [name, plain(value, resolve)],
      ),
  ) as Part;
}
