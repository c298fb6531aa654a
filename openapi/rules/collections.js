/*
 * Every collection is paged and shows its page and the number of pages: in v3 by parameters, headers, `meta` and the link to the
 * next page, in v1 by three members beside the records.
 */
const parameters = ['page', 'items', 'outset', 'after', 'sort', 'Prefer'];
const headers = ['Current-Page', 'Page-Items', 'Total-Pages', 'Total-Count', 'Preference-Applied'];
const metaMembers = ['current_page', 'page_items', 'total_pages', 'total_count', 'ignored'];
const pageMembers = ['page_number', 'total_pages', 'next_page'];

/** All members of a schema, through references and unions. */
function membersOf(schema, resolve, from) {
  const { node = schema, location } = resolve(schema, from);
  const place = location?.source.absoluteRef ?? from;
  const parts = [...(node.allOf ?? []), ...(node.oneOf ?? []), ...(node.anyOf ?? [])];
  const own = Object.entries(node.properties ?? {}).map(([name, value]) => [name, { schema: value, place }]);
  return new Map([...own, ...parts.flatMap((part) => [...membersOf(part, resolve, place)])]);
}

export const collections = () => ({
  Operation(operation, { report, location, resolve }) {
    const success = operation.responses?.['200'];
    const schema = success?.content?.['application/json']?.schema;
    if (!schema) return;
    const reportMissing = (what, missing) =>
      missing.length > 0 && report({ message: `${operation.operationId} is a collection, but lacks ${what} ${missing.join(', ')}.`, location: location.key() });
    const members = membersOf(schema, resolve);
    const names = (operation.parameters ?? []).map((parameter) => resolve(parameter).node?.name ?? parameter.name);
    const data = members.get('data');
    const isList = data && (resolve(data.schema, data.place).node ?? data.schema).type === 'array';
    if (isList && /^list/.test(operation.operationId)) {
      const meta = members.get('meta');
      const inMeta = meta ? membersOf(meta.schema, resolve, meta.place) : new Map();
      reportMissing('the parameters', parameters.filter((name) => !names.includes(name)));
      reportMissing('the headers', headers.filter((name) => !success.headers?.[name]));
      reportMissing('the member', members.has('links') ? [] : ['links']);
      reportMissing('the members of meta', metaMembers.filter((name) => !inMeta.has(name)));
    }
    if (!data && names.includes('page') && /^(list|find)/.test(operation.operationId)) reportMissing('the members', pageMembers.filter((name) => !members.has(name)));
  },
});
