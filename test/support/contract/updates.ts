import {
  partsOf,
  requestBodySchema,
  resolveSchema,
  type Schema,
} from '../../../src/platform/http/contract_document.ts';
import { operations, resolvers, type ApiOperation } from './operations.ts';

/* The operations that change a record, with the members that they take and those that they show of the same record. */

export interface Update {
  readonly operation: ApiOperation;
  /** The members that it takes, with their schemas. */
  readonly taken: ReadonlyMap<string, Schema>;
  readonly attributes: readonly string[];
  readonly relationships: readonly string[];
}

/** What names a record, or what is put around its members. */
const naming = new Set(
  'api_token id external_id type include data attributes relationships user absence working_session'.split(' '),
);

type Properties = Readonly<Record<string, Schema>>;

function propertiesOf({ api }: ApiOperation, schema: Schema | undefined): Properties {
  if (!schema) return {};
  const resolve = resolvers[api];
  const parts = partsOf(resolveSchema(schema, resolve), resolve);
  return Object.assign({}, ...parts.map(({ properties }) => properties)) as Properties;
}

/** The members of an object and of the objects in it that JSON:API, or the name of the record, put around them. */
function membersOf(operation: ApiOperation, schema: Schema | undefined): [string, Schema][] {
  const properties = propertiesOf(operation, schema);
  // What JSON:API puts beside the attributes may have the name of one of them.
  const { attributes, relationships } = propertiesOf(operation, properties['data']);
  const resolved = (part: Schema | undefined): [string, Schema][] =>
    Object.entries(propertiesOf(operation, part)).map(([name, own]) => [
      name,
      resolveSchema(own, resolvers[operation.api]),
    ]);
  if (attributes ?? relationships) return [...resolved(attributes), ...resolved(relationships)];
  const members = resolved(schema);
  const record = members.find(([, own]) => isNamedRecord(operation, own));
  // What is beside the record, such as a location, says where it is looked for.
  return record ? [record, ...membersOf(operation, record[1])] : members;
}

const isNamedRecord = (operation: ApiOperation, schema: Schema): boolean => {
  const members = propertiesOf(operation, schema);
  return operation.api === 'public' && ('id' in members || 'external_id' in members);
};

function responseOf({ api, responses }: ApiOperation): Schema | undefined {
  const [, response] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  const shown = resolveSchema(response as Schema, resolvers[api]) as { content?: Record<string, { schema: Schema }> };
  return Object.values(shown.content ?? {})[0]?.schema;
}

const shownBy = (operation: ApiOperation): Pick<Update, 'attributes' | 'relationships'> => {
  const properties = propertiesOf(operation, responseOf(operation));
  const data = properties['data'];
  if (data) {
    const { attributes, relationships } = propertiesOf(operation, data);
    return {
      attributes: Object.keys(propertiesOf(operation, attributes)),
      relationships: Object.keys(propertiesOf(operation, relationships)),
    };
  }
  const [only, ...others] = Object.values(properties).map((one) => resolveSchema(one, resolvers[operation.api]));
  const record = only && others.length === 0 ? propertiesOf(operation, only.items ?? only) : properties;
  return { attributes: Object.keys(record).filter((name) => !naming.has(name)), relationships: [] };
};

/** The answer to a new password is a token, which is another record. */
const ofOtherRecords = ['updatePassword'];

export const updates: readonly Update[] = operations
  .filter(
    ({ method, id, requestBody }) => ['patch', 'put'].includes(method) && requestBody && !ofOtherRecords.includes(id),
  )
  .map((operation) => {
    const body = requestBodySchema(operation, undefined, resolvers[operation.api]) as Schema | undefined;
    return { operation, taken: new Map(membersOf(operation, body)), ...shownBy(operation) };
  })
  // The others have a response without a body.
  .filter(({ attributes }) => attributes.length > 0);
