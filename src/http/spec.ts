import { readFileSync } from 'node:fs';
import path from 'node:path';
import { remember } from '../core/remember.ts';

/** The parts of a bundled contract that the frame reads. */
export interface Contract {
  readonly info: { readonly title: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly parameters?: Readonly<Record<string, Parameter>>;
    readonly schemas?: object;
    readonly securitySchemes?: Readonly<Record<string, { readonly type: string }>>;
  };
}

export type PathItem = Readonly<Record<string, ContractOperation>> & {
  readonly parameters?: readonly (Parameter | Reference)[];
};

export interface ContractOperation {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, { readonly schema: object }>>;
  };
  readonly responses: Readonly<Record<string, object>>;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly 'x-role'?: string;
  readonly 'x-extension'?: boolean;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: object;
}

interface Reference {
  readonly $ref: string;
}

export const generatedFile = (name: string): string => path.resolve(import.meta.dirname, '../../generated', name);

export const readContract = (api: 'v3' | 'public'): Contract =>
  JSON.parse(readFileSync(generatedFile(`${api}.json`), 'utf8')) as Contract;

export const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Every operation with its method and path. */
export const operationsOf = (
  contract: Contract,
): { method: string; path: string; operation: ContractOperation; item: PathItem }[] =>
  Object.entries(contract.paths).flatMap(([address, item]) =>
    methods
      .filter((method) => item[method])
      .map((method) => ({ method, path: address, operation: item[method]!, item })),
  );

/** Follows references inside the bundle, each of them once. */
export const resolver = (contract: Contract): ((reference: string) => object) =>
  remember({ limit: 10_000 }, (reference) => atEndOf(reference, contract));

function atEndOf(reference: string, contract: Contract): object {
  const steps = reference
    .slice(2)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return steps.reduce<unknown>((node, step) => (node as Record<string, unknown>)[step], contract) as object;
}

export function requestBodySchema(
  operation: ContractOperation,
  mediaType: string | undefined,
  resolve: (reference: string) => object,
): object | undefined {
  const body = operation.requestBody as (ContractOperation['requestBody'] & Partial<Reference>) | undefined;
  const content = (body?.$ref ? (resolve(body.$ref) as NonNullable<ContractOperation['requestBody']>) : body)?.content;
  return content?.[mediaType ?? '']?.schema ?? Object.values(content ?? {})[0]?.schema;
}

/** The one success status of each operation. */
export const successStatuses = (contract: Contract): Map<string, number> =>
  new Map(
    operationsOf(contract).map(({ operation }) => {
      const status = Object.keys(operation.responses).find((code) => code.startsWith('2'));
      return [operation.operationId, Number(status)];
    }),
  );

/** The operations that know a parameter. */
export const operationsWith = (contract: Contract, name: string): Set<string> => {
  const resolve = resolver(contract);
  const isIt = (parameter: Parameter | Reference) =>
    ('$ref' in parameter ? (resolve(parameter.$ref) as Parameter) : parameter).name === name;
  return new Set(
    operationsOf(contract)
      .filter(({ operation, item }) => [...(item.parameters ?? []), ...(operation.parameters ?? [])].some(isIt))
      .map(({ operation }) => operation.operationId),
  );
};

/**
 * The contract as the validator should see it. Clients get each legal filter as a parameter of its own and encode what they
 * send; the server takes any filter, as one object, and reserved characters that a client forgot to encode.
 */
export function serverCopy(contract: Contract): object {
  // The validator's complaint about a constant does not say which; its complaint about a list of allowed values does.
  const plain = JSON.stringify(contract, (_key, value: unknown) =>
    isConstant(value) ? { ...value, const: undefined, enum: [value.const] } : value,
  );
  const copy = JSON.parse(plain) as ServerCopy;
  withoutAnswers(copy);
  const relaxed = (parameters: readonly (Parameter | Reference)[]): object[] => {
    const others = parameters.filter((parameter) => '$ref' in parameter || !parameter.name.startsWith('filter['));
    const list: object[] = others.map((parameter) => ('$ref' in parameter ? parameter : relaxedParameter(parameter)));
    return others.length === parameters.length ? list : [...list, filterParameter];
  };
  for (const item of Object.values(copy.paths)) {
    for (const node of [item, ...methods.map((method) => item[method])] as {
      parameters?: readonly (Parameter | Reference)[];
    }[]) {
      if (node?.parameters) Object.assign(node, { parameters: relaxed(node.parameters) });
    }
  }
  for (const [name, parameter] of Object.entries(copy.components.parameters ?? {}))
    copy.components.parameters![name] = relaxedParameter(parameter);
  // The validator would look for keys and tokens by itself, in its own words and in one place; our handlers look where they may be.
  for (const [name, scheme] of Object.entries(copy.components.securitySchemes ?? {})) {
    if (scheme.type === 'apiKey') copy.components.securitySchemes![name] = { type: 'http', scheme: name };
  }
  return copy;
}

/**
 * Leaves out what only clients read. The validator goes through the whole contract for every operation that it compiles, and
 * answers with their examples are the larger part of it.
 */
function withoutAnswers({ paths, components }: ServerCopy): void {
  for (const item of Object.values(paths)) {
    for (const method of methods)
      if (item[method]) Object.assign(item[method], { responses: { default: { description: '' } } });
  }
  for (const name of ['responses', 'examples', 'headers']) delete components[name];
  const needed = new Set<string>();
  const collect = (node: unknown): void => {
    for (const [, name] of JSON.stringify(node).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (needed.has(name!)) continue;
      needed.add(name!);
      collect(components.schemas![name!]);
    }
  };
  collect([paths, components['parameters'], components['requestBodies']].filter((part) => part !== undefined));
  components.schemas = Object.fromEntries(
    Object.entries(components.schemas ?? {}).filter(([name]) => needed.has(name)),
  );
}

interface ServerCopy {
  readonly paths: Record<string, Record<string, unknown>>;
  readonly components: {
    [name: string]: unknown;
    schemas?: Record<string, unknown>;
    readonly parameters?: Record<string, Parameter>;
    readonly securitySchemes?: Record<string, { readonly type: string; readonly scheme?: string }>;
  };
}

const isConstant = (value: unknown): value is { const: unknown } =>
  typeof value === 'object' && value !== null && 'const' in value && 'type' in value;

const openObject = { type: 'object', additionalProperties: true };
/** A filter that makes no sense is ignored, so every shape gets past the validator. */
const anyShape = { anyOf: [openObject, { type: 'string' }, { type: 'array' }] };
const filterParameter = {
  name: 'filter',
  in: 'query',
  style: 'deepObject',
  explode: true,
  allowReserved: true,
  schema: anyShape,
};

function relaxedParameter(parameter: Parameter): Parameter {
  if (parameter.in !== 'query') return parameter;
  if (parameter.name === 'fields') {
    return {
      ...parameter,
      style: 'deepObject',
      explode: true,
      allowReserved: true,
      schema: anyShape,
    } as Parameter;
  }
  return { ...parameter, allowReserved: true } as Parameter;
}
