/*
 * Every number of a request has a smallest and a largest value, and every array a greatest length. Without them a negative
 * amount would be added where it should be taken away, and a long list would keep the server busy.
 */
const missingBounds = (schema) => {
  const types = [schema.type ?? []].flat();
  const isListed = schema.enum !== undefined || schema.const !== undefined;
  const isNumber = !isListed && (types.includes('integer') || types.includes('number'));
  const needed = [...(isNumber ? ['minimum', 'maximum'] : []), ...(types.includes('array') ? ['maxItems'] : [])];
  return needed.filter((keyword) => typeof schema[keyword] !== 'number');
};

/** The schemas inside a schema, each with its path. A condition speaks of members whose bounds stand elsewhere. */
const partsOf = (schema, path) => [
  ...Object.entries(schema.properties ?? {}).map(([name, own]) => [own, [...path, name]]),
  ...[...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].map((own) => [own, path]),
  ...[schema.items, schema.additionalProperties].filter((own) => typeof own === 'object').map((own) => [own, [...path, '*']]),
];

export const bounds = () => {
  const seen = new Set();
  const check = (schema, path, place, { report, location, resolve }) => {
    const { node = schema, location: found } = resolve(schema, place);
    if (seen.has(node)) return;
    seen.add(node);
    const missing = missingBounds(node);
    if (missing.length > 0) report({ message: `A request can send ${path.join('.')}: add ${missing.join(' and ')}.`, location });
    for (const [part, steps] of partsOf(node, path)) check(part, steps, found?.source.absoluteRef ?? place, { report, location, resolve });
  };
  const checkAll = (messages, path, context) => {
    for (const { schema } of messages) if (schema) check(schema, path, context.location.source.absoluteRef, context);
  };
  return {
    Parameter: (parameter, context) => checkAll([parameter, ...Object.values(parameter.content ?? {})], [parameter.name], context),
    // What webhooks receive is sent by the service itself.
    RequestBody: (body, context) => !context.location.source.absoluteRef.endsWith('webhook_messages.yaml') && checkAll(Object.values(body.content ?? {}), ['body'], context),
  };
};
