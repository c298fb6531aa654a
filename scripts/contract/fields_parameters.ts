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
 * The contract has a parameter `fields[type]` for each type of record that a response can have. The YAML has `fields` only. The
 * schemas describe responses to requests without them.
 */

type Json = Record<string, unknown>;

/** Gives every operation that takes `fields` a parameter `fields[type]` for each type of record in its responses. */
export function addFieldsParameters(contract: Contract): Contract {
  const takesFields = operationsWith(contract, 'fields');
  const resolve = resolver(contract);
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
      }
    }
    const references = [...types].map((type) => ({ $ref: `#/components/parameters/${parameterKeyOf(type)}` }));
    Object.assign(operation, { parameters: [...(operation.parameters ?? []), ...references] });
  }
  Object.assign(contract.components, {
    parameters: { ...contract.components.parameters, ...fieldsParameters(attributes) },
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
        description: `Limits the attributes of records of the type \`${type}\` in the response to those listed, separated by commas. They then have these attributes only, and no relationships, whatever the schema requires. Known names: ${[...names].map((name) => `\`${name}\``).join(', ')}. Other names are ignored.`,
        schema: { type: 'string' },
        example: [...names]
          .filter((name) => name !== 'permissions')
          .slice(0, 2)
          .join(','),
      },
    ]),
  );

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
