import {
  operationsOf,
  operationsWith,
  resolver,
  resolveSchema,
  type Contract,
  type Resolve,
  type Schema,
} from '../../src/platform/http/contract_document.ts';

/*
 * With the parameter `fields`, a response has only the attributes that the request names. So the contracts describe such
 * responses by sparse schemas, in which no attribute and no relationship is required. The YAML has the full schemas only.
 */

type Json = Record<string, unknown>;

const schemaPrefix = '#/components/schemas/';
const sparseNameOf = (name: string): string => `Sparse${name}`;

/** Gives every operation that takes `fields` sparse responses, and a parameter `fields[type]` for each type of record in them. */
export function withSparseResponses(contract: Contract): Contract {
  const takesFields = operationsWith(contract, 'fields');
  const resolve = resolver(contract);
  const sparse = sparseSchemas(contract);
  const attributes = new Map<string, Set<string>>();
  for (const { operation } of operationsOf(contract).filter(({ operation }) =>
    takesFields.has(operation.operationId),
  )) {
    const types = new Set<string>();
    for (const [status, response] of Object.entries(operation.responses)) {
      if (!status.startsWith('2')) continue;
      for (const media of Object.values((response as { content: Record<string, { schema: unknown }> }).content)) {
        for (const resource of resourcesIn(media.schema, resolve)) {
          const names = Object.keys(resource.properties.attributes.properties);
          for (const type of typesOf(resource, resolve)) {
            types.add(type);
            attributes.set(type, new Set([...(attributes.get(type) ?? []), ...names]));
          }
        }
        media.schema = sparse.of(media.schema);
      }
    }
    const references = [...types].map((type) => ({ $ref: `#/components/parameters/${parameterKeyOf(type)}` }));
    Object.assign(operation, { parameters: [...(operation.parameters ?? []), ...references] });
  }
  Object.assign(contract.components, {
    parameters: { ...contract.components.parameters, ...fieldsParameters(attributes) },
    schemas: { ...contract.components.schemas, ...sparse.made },
  });
  return contract;
}

const parameterKeyOf = (type: string): string => `fields_${type}`;

const fieldsParameters = (attributes: ReadonlyMap<string, ReadonlySet<string>>): Json =>
  Object.fromEntries(
    [...attributes].map(([type, names]) => [
      parameterKeyOf(type),
      {
        name: `fields[${type}]`,
        in: 'query',
        allowEmptyValue: true,
        description: `Limits the attributes of records of the type \`${type}\` in the response to those listed, separated by commas, and leaves out their relationships. Known names: ${[...names].map((name) => `\`${name}\``).join(', ')}. Other names are ignored.`,
        schema: { type: 'string' },
        example: [...names]
          .filter((name) => name !== 'permissions')
          .slice(0, 2)
          .join(','),
      },
    ]),
  );

interface SparseSchemas {
  /** The sparse form of a schema. A schema without records is its own sparse form. */
  readonly of: (node: unknown) => unknown;
  /** The named sparse schemas that were made. */
  readonly made: Json;
}

function sparseSchemas(contract: Contract): SparseSchemas {
  const resolve = resolver(contract);
  const made: Json = {};
  const ofReference = (reference: string): string => {
    if (!reference.startsWith(schemaPrefix) || resourcesIn({ $ref: reference }, resolve).length === 0) return reference;
    const name = reference.slice(schemaPrefix.length);
    const sparseName = sparseNameOf(name);
    if (!(sparseName in made)) {
      made[sparseName] = undefined;
      const { description, ...schema } = of(resolve(reference)) as Json & { description: string };
      made[sparseName] = { description: `${description} Has only the attributes that \`fields\` names.`, ...schema };
    }
    return schemaPrefix + sparseName;
  };
  const of = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(of);
    if (typeof node !== 'object' || node === null) return node;
    const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, of(value)])) as Json;
    if (typeof copy['$ref'] === 'string') copy['$ref'] = ofReference(copy['$ref']);
    return isResource(copy) ? withoutRequired(copy, resolve) : copy;
  };
  return { of, made };
}

interface ResourceSchema {
  readonly properties: {
    readonly type: Schema;
    readonly attributes: { readonly properties: object };
  };
}

const isResource = (node: object): node is ResourceSchema => {
  const { properties } = node as { properties?: object };
  return properties !== undefined && 'type' in properties && 'attributes' in properties;
};

/** The types that a record of this schema can have. */
function typesOf({ properties: { type } }: ResourceSchema, resolve: Resolve): string[] {
  const schema = resolveSchema(type, resolve);
  return (schema.enum ?? [schema.const]) as string[];
}

function withoutRequired(resource: ResourceSchema, resolve: Resolve): Json {
  const properties = resource.properties as unknown as Record<string, Json>;
  const members = Object.entries(properties).map(([name, member]) => {
    if (name !== 'attributes' && name !== 'relationships') return [name, member];
    const { required: _required, ...rest } = (
      typeof member['$ref'] === 'string' ? resolve(member['$ref']) : member
    ) as Json;
    return [name, rest];
  });
  return { ...resource, properties: { ...emptyRelationships, ...Object.fromEntries(members) } };
}

/** With `fields`, also records that have no relationships show an empty object. */
const emptyRelationships = {
  relationships: {
    type: 'object',
    description: 'Present if `fields` was sent, and then empty.',
    additionalProperties: false,
    example: {},
  },
};

/** The schemas of the records in a schema. */
function resourcesIn(node: unknown, resolve: Resolve, seen = new Set<string>()): ResourceSchema[] {
  if (typeof node !== 'object' || node === null) return [];
  if (isResource(node)) return [node];
  if ('$ref' in node && typeof node.$ref === 'string') {
    if (seen.has(node.$ref)) return [];
    seen.add(node.$ref);
    return resourcesIn(resolve(node.$ref), resolve, seen);
  }
  return Object.values(node).flatMap((member) => resourcesIn(member, resolve, seen));
}
