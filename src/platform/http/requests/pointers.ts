import { requestBodySchema, resolveSchema, type ContractOperation, type Resolve } from '../contract_document.ts';

/**
 * The pointer to an attribute in an error: its name, without the members that only wrap it. These are `data/attributes` and
 * `data/relationships` of JSON:API, and the envelopes of the operation.
 */
export function pointerTo(path: readonly string[], envelopes: ReadonlySet<string>): string {
  let names = path;
  if (names[0] === 'data') names = names.slice(1);
  if (names[0] === 'attributes' || names[0] === 'relationships') names = names.slice(1);
  else if (names.length > 1 && envelopes.has(names[0]!)) names = names.slice(1);
  return names.join('/') || 'base';
}

/** The subject of a title: the last name of the path. An item of a list has the name of the list. */
export function subjectOf(names: readonly string[]): string {
  const position = names.findLastIndex((name) => !/^\d+$/.test(name));
  if (position === -1) return 'The body';
  return position === names.length - 1 ? names[position]! : `An item of ${names[position]}`;
}

/** The members of a request body that wrap a record: those that are objects, as `user` is in `{ api_token, user }`. */
export function envelopesOf(operation: ContractOperation, resolve: Resolve): ReadonlySet<string> {
  const schema = requestBodySchema(operation, undefined, resolve);
  const members = Object.entries((schema && resolveSchema(schema, resolve).properties) ?? {});
  return new Set(
    members.filter(([, member]) => resolveSchema(member, resolve).properties !== undefined).map(([name]) => name),
  );
}
