import { readFileSync } from 'node:fs';
import { ownFile } from '../core/own_files.ts';
import { remember } from '../core/remember.ts';

/** The parts of a bundled contract that the frame reads. */
export interface Contract {
  readonly openapi: string;
  readonly info: { readonly title: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  /** The security of operations that have none of their own. */
  readonly security?: ContractOperation['security'];
  /** The messages that the service sends to webhooks. */
  readonly webhooks?: Readonly<Record<string, { readonly post: ContractOperation }>>;
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
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, { readonly schema: object }>>;
  };
  readonly responses: Readonly<Record<string, object>>;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly deprecated?: boolean;
  /** The day from which a deprecated operation is deprecated. */
  readonly 'x-deprecated-since'?: string;
  /** The day on which it is switched off. */
  readonly 'x-sunset'?: string;
  readonly 'x-role'?: string;
  readonly 'x-extension'?: boolean;
  /** Set for a GET that writes. */
  readonly 'x-writes'?: boolean;
  /** Whether the primary must answer, though the operation only reads. */
  readonly 'x-reads-primary'?: boolean;
  /** The members of its response that an update ignores where they are sent; true for all that it does not take. */
  readonly 'x-read-only'?: readonly string[] | true;
  /** Set for an operation whose attributes may also be sent without `data`. */
  readonly 'x-flat-body'?: boolean;
  /** The tools of assistants that call this operation. */
  readonly 'x-mcp'?: readonly ContractTool[];
}

/** What an assistant may do with an operation. Parameters and attributes have their names in the contract. */
export interface ContractTool {
  readonly name: string;
  readonly description: string;
  /** The values that every call sends. */
  readonly sends?: Readonly<Record<string, unknown>>;
  /** What the assistant may send beside what the operation requires. */
  readonly takes?: readonly string[];
  /** Set where a call changes nothing although the operation could. */
  readonly only_reads?: true;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: object;
  readonly description?: string;
  readonly example?: unknown;
}

export interface Reference {
  readonly $ref: string;
}

/** The parts of JSON Schema that the frame reads. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  /** What a value that violates `pattern` or `not` should be, in words. */
  readonly 'x-message'?: string;
  /** Set where null, of the object or of its members, is no way to say "not given". */
  readonly 'x-null'?: 'refused';
}

export const generatedFile = (name: string): string => ownFile(`generated/${name}`);

/** The names of the contracts. */
export const apis = ['v3', 'public'] as const;
export type Api = (typeof apis)[number];

export const readContract = (api: Api): Contract =>
  JSON.parse(readFileSync(generatedFile(`${api}.json`), 'utf8')) as Contract;

/** The words of a schema that lists them. */
export const wordsOf = ({ components }: Contract, schemaName: string): readonly string[] =>
  (components.schemas as Readonly<Record<string, Schema>>)[schemaName]!.enum as readonly string[];

export const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type Method = (typeof methods)[number];

/** Every operation with its method and path. */
export const operationsOf = (
  contract: Contract,
): { method: Method; path: string; operation: ContractOperation; item: PathItem }[] =>
  Object.entries(contract.paths).flatMap(([address, item]) =>
    methods
      .filter((method) => item[method])
      .map((method) => ({ method, path: address, operation: item[method]!, item })),
  );

/** Whether an operation of the resource API creates a record that can be read below its path, by its id. */
export function createsReadable(
  { paths, servers }: Contract,
  { path, operation }: { readonly path: string; readonly operation: ContractOperation },
  resolve: Resolve,
): boolean {
  const created = operation.responses['201'] as { content?: Record<string, { schema: Schema }> } | undefined;
  const schema = created?.content?.['application/json']?.schema;
  if (servers[0]!.url !== '/api/v3' || !schema) return false;
  const isOne = propertyOf(resolveSchema(schema, resolve), 'data', resolve)?.type !== 'array';
  const isBelow = (other: string): boolean =>
    other.startsWith(`${path}/{`) && !other.slice(path.length + 1).includes('/');
  return isOne && Object.keys(paths).some((other) => isBelow(other) && paths[other]!['get']);
}

/** The messages that the service sends to webhooks, each as an operation of the receiver. */
export const messagesOf = ({ webhooks = {} }: Contract): ContractOperation[] =>
  Object.values(webhooks).map(({ post }) => post);

/** Looks up a reference, such as `#/components/schemas/Area`. */
export type Resolve = (reference: string) => object;

/** Looks up references inside the contract. Each one is looked up once. */
export const resolver = (contract: Contract): Resolve =>
  remember({ limit: 10_000 }, (reference: string) => targetOf(reference, contract));

function targetOf(reference: string, contract: Contract): object {
  const steps = reference
    .slice(2)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return steps.reduce<unknown>((node, step) => (node as Record<string, unknown>)[step], contract) as object;
}

/** What a node of the contract stands for, where it may be a reference. */
export const resolved = <Node extends object>(node: Node | Reference, resolve: Resolve): Node =>
  '$ref' in node ? (resolve(node.$ref as string) as Node) : node;

/** The schema itself, where it may be a reference to one. */
export function resolveSchema(schema: Schema, resolve: Resolve): Schema {
  let current = schema;
  while (current.$ref) current = resolve(current.$ref);
  return current;
}

/** The branches of a schema: all that must hold, and all that may. */
export const branchesOf = (schema: Schema): readonly Schema[] => [
  ...(schema.allOf ?? []),
  ...(schema.anyOf ?? []),
  ...(schema.oneOf ?? []),
];

/** The schema with all of its branches, and theirs. */
export const partsOf = (schema: Schema, resolve: Resolve): Schema[] => [
  schema,
  ...branchesOf(schema).flatMap((branch) => partsOf(resolveSchema(branch, resolve), resolve)),
];

/** The schema of a member, which may be in any branch. */
export function propertyOf(schema: Schema, name: string, resolve: Resolve): Schema | undefined {
  const own = schema.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
  if (own) return resolveSchema(own, resolve);
  for (const branch of branchesOf(schema)) {
    const found = propertyOf(resolveSchema(branch, resolve), name, resolve);
    if (found) return found;
  }
  return undefined;
}

export function requestBodySchema(
  operation: ContractOperation,
  mediaType: string | undefined,
  resolve: Resolve,
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

/** The parameters of an operation, those of its path included. */
export const parametersOf = (item: PathItem, operation: ContractOperation, resolve: Resolve): Parameter[] =>
  [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((parameter) => resolved(parameter, resolve));

/** The ids of the operations that have a parameter of this name. */
export const operationsWith = (contract: Contract, name: string): Set<string> => {
  const resolve = resolver(contract);
  return new Set(
    operationsOf(contract)
      .filter(({ operation, item }) =>
        parametersOf(item, operation, resolve).some((parameter) => parameter.name === name),
      )
      .map(({ operation }) => operation.operationId),
  );
};
