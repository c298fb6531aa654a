import type { Problem } from '../../core/errors.ts';
import { meaning } from '../../core/known_names.ts';
import { partsOf, propertyOf, resolveSchema, type Resolve, type Schema } from '../contract_document.ts';
import { unknownMember } from '../validator/codes.ts';
import { isClosed } from './normalise_body.ts';
import { pointerTo, subjectOf } from './pointers.ts';

/*
 * Members of a body that its schema does not name. They are ignored, unless the request prefers to be refused.
 */

/** Members that JSON:API has beside those of the contract, at the top and in the record. */
const jsonApiMembers: Readonly<Record<string, readonly string[]>> = {
  '': ['jsonapi', 'links', 'meta', 'included'],
  data: ['id', 'lid', 'links', 'meta'],
};

/** The problems of the members that a schema does not name. */
export function unknownMembers(
  body: unknown,
  schema: Schema,
  { resolve, envelopes }: { readonly resolve: Resolve; readonly envelopes: ReadonlySet<string> },
): Problem[] {
  const isJsonApi = propertyOf(resolveSchema(schema, resolve), 'data', resolve) !== undefined;
  const search = (value: unknown, part: Schema | undefined, path: readonly string[]): Problem[] => {
    if (typeof value !== 'object' || value === null || part === undefined) return [];
    const own = resolveSchema(part, resolve);
    if (Array.isArray(value)) return value.flatMap((item, index) => search(item, own.items, [...path, String(index)]));
    const known = [...new Set(partsOf(own, resolve).flatMap(({ properties = {} }) => Object.keys(properties)))];
    const free = isJsonApi ? (jsonApiMembers[path.join('/')] ?? []) : [];
    return Object.entries(value).flatMap(([name, member]): Problem[] => {
      const place = [...path, name];
      if (known.includes(name)) return search(member, propertyOf(own, name, resolve), place);
      if (free.includes(name) || !isClosed(own, resolve)) return [];
      const pointer = pointerTo(place, envelopes);
      const title = `${subjectOf(place)} ${unknownMember(known)}.`;
      return [
        {
          code: 'unknown_name',
          pointer: pointer === 'base' ? name : pointer,
          title,
          meta: { allowed: known, ...meaning(name, known) },
        },
      ];
    });
  };
  return search(body, schema, []);
}
