import {
  methods,
  partsOf,
  resolver,
  resolveSchema,
  type Contract,
  type Schema,
} from '../../src/platform/http/contract_document.ts';
import type { JsonSchema } from './collected_schema.ts';
import { comparison, type BreakingChange, type Comparison, type Direction } from './schema_changes.ts';

/*
 * Compares two bundled contracts: every operation with its parameters, bodies, responses and headers, and every message that the
 * service sends to webhooks.
 */

interface Described {
  readonly $ref?: string;
  readonly required?: boolean;
  readonly schema?: JsonSchema;
  readonly content?: Readonly<Record<string, { readonly schema?: JsonSchema }>>;
}

interface Parameter extends Described {
  readonly name: string;
  readonly in: string;
  readonly style?: string;
  readonly explode?: boolean;
}

interface Response extends Described {
  readonly headers?: Readonly<Record<string, Described>>;
}

interface Operation {
  readonly operationId?: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: Described;
  readonly responses: Readonly<Record<string, Response>>;
  readonly security?: readonly object[];
}

/** An operation of either contract, with what applies to it from outside. */
interface Side {
  readonly operation: Operation;
  readonly parameters: ReadonlyMap<string, Parameter>;
  readonly security: readonly string[];
  readonly resolve: <T extends Described>(part: T) => T;
}

/** Every breaking change from one contract to the next. */
export function contractChanges(before: Contract, after: Contract): BreakingChange[] {
  const found = new Map<string, BreakingChange>();
  const report = (change: BreakingChange): void => void found.set(`${change.place}\n${change.message}`, change);
  const { compare } = comparison({ before: resolver(before), after: resolver(after) }, report);
  for (const [path, item] of Object.entries(before.paths)) {
    for (const method of methods.filter((one) => item[one])) {
      const place = `${method.toUpperCase()} ${path}`;
      const [old, present] = [sideOf(before, path, method), sideOf(after, path, method)];
      if (present === undefined) report({ place, message: 'The operation was removed.' });
      else compareOperations(old!, present, { place, report, compare });
    }
  }
  for (const [name, { post }] of Object.entries(before.webhooks ?? {})) {
    const present = after.webhooks?.[name]?.post;
    const place = `webhook ${name}`;
    if (present === undefined) report({ place, message: 'The message was removed.' });
    else {
      const [old, next] = [plainSide(before, post as Operation), plainSide(after, present as Operation)];
      // The service sends the body of a message.
      compareBodies(old, next, 'response', { place, report, compare });
    }
  }
  return [...found.values()];
}

function plainSide(contract: Contract, operation: Operation): Side {
  const lookUp = resolver(contract);
  const resolve = <T extends Described>(part: T): T =>
    part.$ref === undefined ? part : resolve(lookUp(part.$ref) as T);
  return { operation, parameters: new Map(), security: [], resolve };
}

function sideOf(contract: Contract, path: string, method: (typeof methods)[number]): Side | undefined {
  const item = contract.paths[path];
  const operation = item?.[method] as Operation | undefined;
  if (!operation) return undefined;
  const { resolve } = plainSide(contract, operation);
  const parameters = [...(item!.parameters ?? []), ...(operation.parameters ?? [])].map(
    (one) => resolve(one as Described) as Parameter,
  );
  const common = (contract as { security?: readonly object[] }).security ?? [];
  return {
    operation,
    parameters: new Map(parameters.map((one) => [`${one.in} parameter ${one.name}`, one])),
    security: (operation.security ?? common).map((one) => Object.keys(one).sort().join(' and ')),
    resolve,
  };
}

interface Tools {
  readonly place: string;
  readonly report: (change: BreakingChange) => void;
  readonly compare: Comparison['compare'];
}

function compareOperations(old: Side, present: Side, tools: Tools): void {
  const { place, report } = tools;
  const say = (message: string): void => report({ place, message });
  if (old.operation.operationId !== present.operation.operationId)
    say(`The operationId was ${old.operation.operationId} and is ${present.operation.operationId}.`);
  const closed = old.security.filter((scheme) => !present.security.includes(scheme));
  if (present.security.length > 0 && (closed.length > 0 || old.security.length === 0))
    say(`A credential is no longer enough: ${closed.join(', ') || 'none'}.`);
  compareParameters(old, present, tools);
  compareBodies(old, present, 'request', tools);
  for (const [status, described] of Object.entries(old.operation.responses)) {
    const next = present.operation.responses[status];
    const [before, after] = [old.resolve(described), next && present.resolve(next)];
    const named = status === 'default' ? newFailures(old, present) : [];
    for (const one of named)
      compareContents(before, present.resolve(one), 'response', { ...tools, place: `${place} ${status}` });
    if (after === undefined && named.length > 0) continue;
    if (after === undefined) say(`The response ${status} was removed.`);
    else {
      compareContents(before, after, 'response', { ...tools, place: `${place} ${status}` });
      compareHeaders([old, before], [present, after], { ...tools, place: `${place} ${status}` });
    }
  }
}

/** Failures that have a response of their own now. Before, `default` described them. */
const newFailures = (old: Side, present: Side): Response[] =>
  Object.entries(present.operation.responses)
    .filter(([status]) => /^[45]/.test(status) && old.operation.responses[status] === undefined)
    .map(([, response]) => response);

function compareParameters(old: Side, present: Side, { place, report, compare }: Tools): void {
  for (const [name, parameter] of present.parameters)
    if (parameter.required && !old.parameters.get(name)?.required)
      report({ place, message: `The ${name} is required now.` });
  for (const [name, before] of old.parameters) {
    const after = present.parameters.get(name);
    if (after === undefined) {
      report({ place, message: `The ${name} was removed.` });
      continue;
    }
    if (before.style !== after.style || before.explode !== after.explode)
      report({ place, message: `The ${name} is written in another way.` });
    // A filter only gains conditions that it explains: what does not fit them has been ignored before, and is.
    if (before.name.startsWith('filter[') && takesText(before, old) && takesText(after, present)) continue;
    compareSchemas(before.schema, after.schema, 'request', { place: `${place} ${name}`, report, compare });
  }
}

function compareBodies(old: Side, present: Side, direction: Direction, tools: Tools): void {
  const [before, after] = [old.operation.requestBody, present.operation.requestBody].map(
    (body, index) => body && [old, present][index]!.resolve(body),
  );
  const say = (message: string): void => tools.report({ place: tools.place, message });
  if (direction === 'request' && after?.required && !before?.required) say('The body is required now.');
  if (before && !after) say('The body was removed.');
  if (before && after) compareContents(before, after, direction, { ...tools, place: `${tools.place} body` });
}

function compareContents(before: Described, after: Described, direction: Direction, tools: Tools): void {
  for (const [type, { schema }] of Object.entries(before.content ?? {})) {
    const present = after.content?.[type];
    if (present) compareSchemas(schema, present.schema, direction, tools);
    else tools.report({ place: tools.place, message: `The media type ${type} was removed.` });
  }
}

function compareHeaders([old, before]: [Side, Response], [present, after]: [Side, Response], tools: Tools): void {
  for (const [name, described] of Object.entries(before.headers ?? {})) {
    const place = `${tools.place} header ${name}`;
    const next = after.headers?.[name];
    const [header, presentHeader] = [old.resolve(described), next && present.resolve(next)];
    if (presentHeader === undefined) tools.report({ place, message: 'The header was removed.' });
    else {
      if (header.required && !presentHeader.required)
        tools.report({ place, message: 'The header is no longer in every response.' });
      compareSchemas(header.schema, presentHeader.schema, 'response', { ...tools, place });
    }
  }
}

function compareSchemas(
  before: JsonSchema | undefined,
  after: JsonSchema | undefined,
  direction: Direction,
  { place, compare }: Tools,
): void {
  compare([{ schema: before ?? anything, place }], [{ schema: after ?? anything, place }], direction);
}

const takesText = ({ schema = anything }: Parameter, { resolve }: Side): boolean => {
  const lookUp = ($ref: string): object => resolve({ $ref });
  const parts = partsOf(resolveSchema(schema as Schema, lookUp), lookUp);
  return parts.some((part) => part.type === 'string' && part.enum === undefined);
};

const anything: JsonSchema = {};
