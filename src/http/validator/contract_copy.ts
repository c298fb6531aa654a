import {
  methods,
  resolver,
  type Contract,
  type Parameter,
  type Reference,
  type Resolve,
} from '../contract_document.ts';

/** The parts of the contract that the copy changes. */
interface ContractCopy {
  webhooks?: unknown;
  readonly paths: Record<string, Record<string, unknown>>;
  readonly components: {
    [name: string]: unknown;
    schemas?: Record<string, unknown>;
    readonly parameters?: Record<string, Parameter>;
    readonly securitySchemes?: Record<string, { readonly type: string; readonly scheme?: string }>;
  };
}

/**
 * The contract as the library should see it. Clients read each legal filter, and `fields` of each type, as a parameter of its
 * own, and encode what they send. The server accepts any of them, as one object, and reserved characters that are not encoded.
 */
export function validatorCopy(contract: Contract): object {
  // The library's message about a constant does not name the constant; its message about allowed values names them.
  const text = JSON.stringify(contract, (_key, value: unknown) =>
    isConstant(value) ? { ...value, const: undefined, enum: [value.const] } : value,
  );
  const copy = JSON.parse(text) as ContractCopy;
  removeResponses(copy);
  const resolve = resolver(contract);
  for (const item of Object.values(copy.paths)) {
    for (const node of [item, ...methods.map((method) => item[method])] as {
      parameters?: readonly (Parameter | Reference)[];
    }[]) {
      if (node?.parameters) Object.assign(node, { parameters: relaxedParameters(node.parameters, resolve) });
    }
  }
  for (const [name, parameter] of Object.entries(copy.components.parameters ?? {}))
    copy.components.parameters![name] = relaxedParameter(parameter);
  // The library would look for keys and tokens itself, in one place and with its own messages. Our handlers look for them.
  for (const [name, scheme] of Object.entries(copy.components.securitySchemes ?? {})) {
    if (scheme.type === 'apiKey') copy.components.securitySchemes![name] = { type: 'http', scheme: name };
  }
  return copy;
}

/**
 * Removes what only clients read. The library walks the whole contract for every operation that it compiles, and responses
 * with their examples are the larger part of it.
 */
function removeResponses(copy: ContractCopy): void {
  const { paths, components } = copy;
  delete copy.webhooks;
  for (const item of Object.values(paths)) {
    for (const method of methods)
      if (item[method]) Object.assign(item[method], { responses: { default: { description: '' } } });
  }
  for (const name of ['responses', 'examples', 'headers']) delete components[name];
  const used = new Set<string>();
  const collectUsed = (node: unknown): void => {
    for (const [, name] of JSON.stringify(node).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (used.has(name!)) continue;
      used.add(name!);
      collectUsed(components.schemas![name!]);
    }
  };
  collectUsed([paths, components['parameters'], components['requestBodies']].filter((part) => part !== undefined));
  components.schemas = Object.fromEntries(Object.entries(components.schemas ?? {}).filter(([name]) => used.has(name)));
}

const isConstant = (value: unknown): value is { const: unknown } =>
  typeof value === 'object' && value !== null && 'const' in value && 'type' in value;

/** A filter that makes no sense is ignored, so every shape is valid. */
const anyShape = { anyOf: [{ type: 'object', additionalProperties: true }, { type: 'string' }, { type: 'array' }] };
const anyObject = { style: 'deepObject', explode: true, allowReserved: true, schema: anyShape };

function relaxedParameters(parameters: readonly (Parameter | Reference)[], resolve: Resolve): object[] {
  const names = parameters.map(
    (parameter) => ('$ref' in parameter ? (resolve(parameter.$ref) as Parameter) : parameter).name,
  );
  const relaxed: object[] = parameters
    .filter((_parameter, index) => !/^(filter|fields)\[/.test(names[index]!))
    .map((parameter) => ('$ref' in parameter ? parameter : relaxedParameter(parameter)));
  const hasFilters = names.some((name) => name.startsWith('filter['));
  return hasFilters ? [...relaxed, { name: 'filter', in: 'query', ...anyObject }] : relaxed;
}

function relaxedParameter(parameter: Parameter): Parameter {
  if (parameter.in !== 'query') return parameter;
  const relaxation = parameter.name === 'fields' ? anyObject : { allowReserved: true };
  return { ...parameter, ...relaxation };
}
