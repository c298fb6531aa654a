import { describe, expect, it } from 'vitest';
import { contractChanges } from '../../scripts/contract/contract_changes.ts';
import type { JsonSchema } from '../../scripts/contract/collected_schema.ts';
import type { Direction } from '../../scripts/contract/schema_changes.ts';
import { methods, readContract, resolver, type Contract } from '../../src/platform/http/contract_document.ts';

/*
 * Breaks both contracts in every place, one place at a time, and counts which breaks the gate finds.
 */

type Json = Record<string, unknown>;
type Steps = readonly (string | number)[];

/** The value with another value at a place inside it. Everything beside the way there is shared. */
function withChange(node: unknown, [step, ...rest]: Steps, change: (value: unknown) => unknown): unknown {
  if (step === undefined) return change(node);
  const inner = withChange((node as Json)[step], rest, change);
  if (Array.isArray(node)) return node.map((item: unknown, index) => (index === Number(step) ? inner : item));
  if (inner !== undefined) return { ...(node as Json), [step]: inner };
  const { [step]: _removed, ...others } = node as Json;
  return others;
}

/** Every schema inside a schema, with the way to it. References are not followed. */
function* schemasIn(schema: JsonSchema, steps: Steps = []): Generator<{ schema: JsonSchema; steps: Steps }> {
  yield { schema, steps };
  for (const [name, member] of Object.entries(schema.properties ?? {}))
    yield* schemasIn(member, [...steps, 'properties', name]);
  for (const list of ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const)
    for (const [index, part] of (schema[list] ?? []).entries()) yield* schemasIn(part, [...steps, list, index]);
  if (schema.items) yield* schemasIn(schema.items, [...steps, 'items']);
  if (typeof schema.additionalProperties === 'object')
    yield* schemasIn(schema.additionalProperties, [...steps, 'additionalProperties']);
}

interface Break {
  readonly kind: string;
  readonly steps: Steps;
  readonly change: (value: unknown) => unknown;
  /** The directions in which it breaks clients. */
  readonly breaks: readonly Direction[];
}

const both = ['request', 'response'] as const;

/** Every way to break one schema, without those inside it. */
function* breaksOf({ schema, steps }: { schema: JsonSchema; steps: Steps }): Generator<Break> {
  const { type, properties, required = [] } = schema;
  for (const name of Object.keys(properties ?? {})) {
    yield { kind: 'removed member', steps: [...steps, 'properties', name], change: () => undefined, breaks: both };
    if (!required.includes(name))
      yield {
        kind: 'required member',
        steps: [...steps, 'required'],
        change: () => [...required, name],
        breaks: ['request'],
      };
  }
  if (properties) {
    const added = { ...properties, zz_new: { type: 'string' } };
    const change = (value: unknown) => ({ ...(value as Json), properties: added, required: [...required, 'zz_new'] });
    yield { kind: 'new required member', steps, change, breaks: ['request'] };
  }
  if (type !== undefined) {
    const narrower = Array.isArray(type) ? type.slice(1) : type === 'boolean' ? 'string' : 'boolean';
    yield { kind: 'narrowed type', steps: [...steps, 'type'], change: () => narrower, breaks: both };
  }
  if (schema.enum && schema.enum.length > 1)
    yield { kind: 'lost value', steps: [...steps, 'enum'], change: () => schema.enum!.slice(1), breaks: ['request'] };
  for (const list of ['anyOf', 'oneOf'] as const)
    if (schema[list])
      yield {
        kind: 'removed alternative',
        steps: [...steps, list],
        change: () => schema[list]!.slice(1),
        breaks: both,
      };
}

/** A filter may gain conditions, so its schema is not compared. */
const isCompared = (parameter: object): boolean =>
  !('name' in parameter && String(parameter.name).startsWith('filter['));

/** Which schemas clients send, and which they receive. */
function uses(contract: Contract): Record<Direction, Set<string>> {
  const found = { request: new Set<string>(), response: new Set<string>() };
  const resolve = resolver(contract);
  const follow = (node: unknown, direction: Direction, seen: Set<unknown>): void => {
    if (typeof node !== 'object' || node === null || seen.has(node)) return;
    seen.add(node);
    for (const [key, value] of Object.entries(node)) {
      if (key === '$ref') {
        const [, name] = /^#\/components\/schemas\/(.+)$/.exec(String(value)) ?? [];
        if (name) found[direction].add(name);
        follow(resolve(String(value)), direction, seen);
      } else if (!['example', 'examples', 'not', 'if', 'then', 'propertyNames'].includes(key))
        follow(value, direction, seen);
    }
  };
  const seen = { request: new Set(), response: new Set() };
  for (const item of Object.values(contract.paths)) {
    follow(item.parameters, 'request', seen.request);
    for (const method of methods) {
      follow(item[method]?.parameters?.filter(isCompared), 'request', seen.request);
      follow(item[method]?.requestBody, 'request', seen.request);
      follow(item[method]?.responses, 'response', seen.response);
    }
  }
  for (const { post } of Object.values(contract.webhooks ?? {})) follow(post.requestBody, 'response', seen.response);
  return found;
}

/** The schemas of parameters, bodies and headers that have no name. */
function inlineSchemas(contract: Contract): Record<Direction, JsonSchema[]> {
  const found: Record<Direction, JsonSchema[]> = { request: [], response: [] };
  const collect = (node: unknown, direction: Direction): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, value] of Object.entries(node) as [string, unknown][]) {
      if (key === 'schema' && !('$ref' in (value as Json))) found[direction].push(value as JsonSchema);
      else if (!['schema', 'example', 'examples'].includes(key)) collect(value, direction);
    }
  };
  const { parameters, headers, responses } = contract.components as Record<string, unknown>;
  collect(parameters, 'request');
  collect([headers, responses], 'response');
  for (const item of Object.values(contract.paths)) {
    collect(item.parameters, 'request');
    for (const method of methods) {
      collect([item[method]?.parameters, item[method]?.requestBody], 'request');
      collect(item[method]?.responses, 'response');
    }
  }
  return found;
}

/** A contract with one operation, which sends or receives one schema. */
function contractAbout(name: string, direction: Direction, schemas: object): Contract {
  const content = { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } };
  const operation =
    direction === 'request'
      ? { operationId: 'send', requestBody: { content }, responses: {} }
      : { operationId: 'send', responses: { 200: { description: 'It.', content } } };
  return { paths: { '/it': { post: operation } }, components: { schemas } } as unknown as Contract;
}

/** How many breaks of each kind there are, and which were not found. */
class Count {
  readonly total: Record<string, number> = {};
  readonly missed: string[] = [];

  add(kind: string, place: string, isFound: boolean): void {
    this.total[kind] = (this.total[kind] ?? 0) + 1;
    if (!isFound) this.missed.push(`${kind}: ${place}`);
  }
}

describe.each(['v3', 'public'] as const)('the contract of %s', (api) => {
  const contract = readContract(api);
  const schemas = contract.components.schemas as Record<string, JsonSchema>;
  const used = uses(contract);

  it('has no change to itself', () => {
    expect(contractChanges(contract, structuredClone(contract))).toEqual([]);
  });

  it.each(both)('is compared in every schema of a %s', (direction) => {
    const marked = Object.entries(schemas).map(([name, schema]) => {
      const properties = { ...schema.properties, [`zz_${name}`]: {} };
      return [name, { ...schema, properties }];
    });
    const before = {
      ...contract,
      components: { ...contract.components, schemas: Object.fromEntries(marked) as object },
    };
    const found = new Set(
      contractChanges(before, contract)
        .filter(({ message }) => message.includes(direction))
        .map(({ place }) => place),
    );
    expect([...used[direction]].filter((name) => !found.has(`${name}.zz_${name}`))).toEqual([]);
  });

  it.each(both)('cannot be broken in any schema of a %s without notice', (direction) => {
    const count = new Count();
    const inline = inlineSchemas(contract)[direction].map((schema, index) => [`Inline${index}`, schema] as const);
    const all = { ...schemas, ...Object.fromEntries(inline) };
    expect(inline.length).toBeGreaterThan(10);
    for (const name of [...used[direction], ...inline.map(([name]) => name)]) {
      const before = contractAbout(name, direction, all);
      for (const place of schemasIn(all[name]!)) {
        for (const { kind, steps, change, breaks } of breaksOf(place)) {
          if (!breaks.includes(direction)) continue;
          const broken = { ...all, [name]: withChange(all[name], steps, change) };
          const changes = contractChanges(before, contractAbout(name, direction, broken));
          count.add(kind, `${name}/${steps.join('/')}`, changes.length > 0);
        }
      }
    }
    expect(count.missed).toEqual([]);
    expect(count.total['removed member']).toBeGreaterThan(200);
    expect(count.total['narrowed type']).toBeGreaterThan(100);
  });

  it('cannot be broken around the schemas of an operation without notice', () => {
    const count = new Count();
    const resolve = resolver(contract);
    const inline = (node: Json): Json => ('$ref' in node ? (resolve(String(node['$ref'])) as Json) : node);
    const seen = new Set<Json>();
    for (const [path, item] of Object.entries(contract.paths)) {
      for (const method of methods.filter((one) => item[one])) {
        const operation = operationAlone(item, method, inline, seen);
        const about = (one: unknown) =>
          ({ ...contract, webhooks: {}, paths: { [path]: { [method]: one } } }) as Contract;
        const before = about(operation);
        for (const { kind, steps, change } of operationBreaks(operation, inline)) {
          const changes = contractChanges(before, about(withChange(operation, steps, change)));
          count.add(kind, `${method} ${path} ${steps.join('/')}`, changes.length > 0);
        }
      }
    }
    expect(count.total['removed parameter']).toBeGreaterThan(100);
    expect(count.total['removed header']).toBeGreaterThan(200);
    expect(count.missed).toEqual([]);
  });
});

interface Alone {
  readonly parameters: Json[];
  readonly responses: Record<string, Json>;
  readonly requestBody?: unknown;
}

/** An operation without the schemas of its bodies. A response that several operations share belongs to the first. */
function operationAlone(
  item: Contract['paths'][string],
  method: (typeof methods)[number],
  inline: (node: Json) => Json,
  seen: Set<Json>,
): Alone {
  const operation = item[method] as unknown as Alone;
  const withoutSchemas = (described: Json): Json =>
    described['content']
      ? { ...described, content: Object.fromEntries(Object.keys(described['content']).map((type) => [type, {}])) }
      : described;
  const responses = Object.entries(operation.responses)
    .map(([status, response]) => [status, inline(response)] as const)
    .filter(([, response]) => !seen.has(response));
  for (const [, response] of responses) seen.add(response);
  const body = operation.requestBody as Json | undefined;
  return {
    ...operation,
    ...(body ? { requestBody: withoutSchemas(inline(body)) } : {}),
    parameters: [...(item.parameters ?? []), ...(item[method]!.parameters ?? [])].map((one) =>
      inline(one as unknown as Json),
    ),
    responses: Object.fromEntries(responses.map(([status, response]) => [status, withoutSchemas(response)])),
  };
}

/** Every way to break what is around the schemas of an operation. */
function* operationBreaks(operation: Alone, inline: (node: Json) => Json): Generator<Omit<Break, 'breaks'>> {
  const { parameters, responses } = operation;
  for (const [index, parameter] of parameters.entries()) {
    const others = parameters.filter((_one, position) => position !== index);
    yield { kind: 'removed parameter', steps: ['parameters'], change: () => others };
    if (parameter['required'] !== true)
      yield { kind: 'required parameter', steps: ['parameters', index, 'required'], change: () => true };
    const narrowed = { type: 'boolean', enum: [true] };
    yield { kind: 'narrowed parameter', steps: ['parameters', index, 'schema'], change: () => narrowed };
  }
  const added = { name: 'zz_new', in: 'query', required: true, schema: {} };
  yield { kind: 'new required parameter', steps: ['parameters'], change: () => [...parameters, added] };
  if (operation.requestBody) {
    yield { kind: 'removed body', steps: ['requestBody'], change: () => undefined };
    if ((operation.requestBody as Json)['required'] !== true)
      yield { kind: 'required body', steps: ['requestBody', 'required'], change: () => true };
  }
  for (const [status, response] of Object.entries(responses)) {
    yield { kind: 'removed response', steps: ['responses', status], change: () => undefined };
    for (const type of Object.keys((response['content'] as Json | undefined) ?? {}))
      yield { kind: 'removed media type', steps: ['responses', status, 'content', type], change: () => undefined };
    for (const [name, header] of Object.entries((response['headers'] as Record<string, Json> | undefined) ?? {})) {
      const steps = ['responses', status, 'headers', name];
      yield { kind: 'removed header', steps, change: () => undefined };
      yield { kind: 'changed header', steps, change: () => ({ ...inline(header), schema: { type: 'object' } }) };
      if (inline(header)['required'] === true)
        yield { kind: 'optional header', steps, change: () => ({ ...inline(header), required: false }) };
    }
  }
}
