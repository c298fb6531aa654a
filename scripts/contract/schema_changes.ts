import { collect, lowerBounds, upperBounds, type CollectedSchema, type JsonSchema, type Placed } from './collected_schema.ts';

/*
 * Compares two schemas of the same value. What clients send must still be accepted. What they receive must still be what they
 * were promised.
 */

/** Who sends the value: the client in a request, the service in a response. */
export type Direction = 'request' | 'response';

/** One change, in the words of the changelog. */
export interface BreakingChange {
  /** The schema member or the operation, such as `Area.attributes.color` or `GET /users/me`. */
  readonly place: string;
  readonly message: string;
}

type Resolve = (reference: string) => object;

export interface Comparison {
  /** Reports every change between the schemas of a value. */
  compare(before: readonly Placed[], after: readonly Placed[], direction: Direction): void;
}

/** Compares schemas of two contracts. Each pair is compared once. */
export function comparison(
  resolve: { readonly before: Resolve; readonly after: Resolve },
  report: (change: BreakingChange) => void,
): Comparison {
  const done = new Set<string>();
  const compare: Comparison['compare'] = (before, after, direction) => {
    const key = `${direction} ${idsOf(before)} ${idsOf(after)}`;
    if (done.has(key)) return;
    done.add(key);
    const [old, present] = [collect(before, resolve.before), collect(after, resolve.after)];
    const place = placeOf(after);
    const say = (message: string): void => report({ place, message });
    compareValues(old, present, direction, say);
    if (direction === 'request') compareLimits(old, present, say);
    compareOthers(old, present, direction, say);
    compareMembers(old, present, direction, { say, report, compare });
    compareAlternatives(old, present, direction, { say, compare });
  };
  return { compare };
}

/** The name of the schema that is referred to, or else the place of the reference. */
const placeOf = ([first]: readonly Placed[]): string => first!.schema.$ref?.split('/').at(-1) ?? first!.place;

const ids = new WeakMap<object, number>();
let lastId = 0;
const idsOf = (parts: readonly Placed[]): string =>
  parts
    .map(({ schema }) => {
      const id = ids.get(schema) ?? ++lastId;
      ids.set(schema, id);
      return id;
    })
    .join(',');

type Say = (message: string) => void;

const listed = (words: Iterable<string> | undefined): string => (words ? [...words].join(', ') : 'any');

function compareValues(old: CollectedSchema, present: CollectedSchema, direction: Direction, say: Say): void {
  const isNarrower = !includesTypes(present.types, old.types);
  const isWider = !includesTypes(old.types, present.types);
  if (isNarrower || (isWider && direction === 'response'))
    say(`The type was ${listed(old.types)} and is ${listed(present.types)}.`);
  const [fewer, more] = direction === 'request' ? [old.values, present.values] : [present.values, old.values];
  if (more === undefined) return;
  const outside = fewer && [...fewer].filter((value) => !more.has(value));
  const isSent = direction === 'request';
  if (outside === undefined)
    say(isSent ? `Only these values are accepted now: ${listed(more)}.` : 'Other values than before are possible now.');
  else if (outside.length > 0)
    say(`${isSent ? 'These values are no longer accepted' : 'These values are new'}: ${listed(outside)}.`);
}

/** Whether every type of `part` is one of `whole`. Integers are numbers. */
const includesTypes = (whole: ReadonlySet<string> | undefined, part: ReadonlySet<string> | undefined): boolean =>
  whole === undefined ||
  (part !== undefined && [...part].every((type) => whole.has(type) || (type === 'integer' && whole.has('number'))));

function compareLimits(old: CollectedSchema, present: CollectedSchema, say: Say): void {
  for (const [keyword, bound] of present.bounds) {
    const before = old.bounds.get(keyword);
    const isTighter = upperBounds.includes(keyword)
      ? bound < (before ?? Infinity)
      : lowerBounds.includes(keyword) &&
        bound > (before ?? (keyword.startsWith('min') && keyword !== 'minimum' ? 0 : -Infinity));
    if (isTighter) say(`\`${keyword}\` was ${before ?? 'not set'} and is ${bound}.`);
  }
  if (present.isClosed && !old.isClosed) say('Unknown members are refused now.');
}

function compareOthers(old: CollectedSchema, present: CollectedSchema, direction: Direction, say: Say): void {
  for (const keyword of new Set([...old.others.keys(), ...present.others.keys()])) {
    const [before, after] = [old.others.get(keyword), present.others.get(keyword)];
    // A request may lose a restriction, and a response may gain one.
    const isHarmless = direction === 'request' ? after === undefined && keyword !== 'default' : before === undefined;
    const isForRequests = keyword === 'default' || keyword === 'writeOnly';
    if (before !== after && !isHarmless && !(isForRequests && direction === 'response'))
      say(differenceOf(keyword, before, after));
  }
}

/** Plain values are shown. Others are too long. */
function differenceOf(keyword: string, before: string | undefined, after: string | undefined): string {
  if ((before ?? after)!.startsWith('{'))
    return `\`${keyword}\` was ${before === undefined ? 'added' : after === undefined ? 'removed' : 'changed'}.`;
  const shown = (json: string | undefined): string => (json === undefined ? 'not set' : `\`${json}\``);
  return `\`${keyword}\` was ${shown(before)} and is ${shown(after)}.`;
}

interface Tools {
  readonly say: Say;
  readonly report: (change: BreakingChange) => void;
  readonly compare: Comparison['compare'];
}

const isAlwaysEmpty = ({ type, properties, additionalProperties }: JsonSchema): boolean =>
  type === 'object' && properties === undefined && additionalProperties === false;

function compareMembers(
  old: CollectedSchema,
  present: CollectedSchema,
  direction: Direction,
  { say, report, compare }: Tools,
): void {
  for (const [name, before] of old.members) {
    const after = present.members.get(name);
    if (after) compare(before, after, direction);
    // An object that was always empty told nothing.
    else if (direction === 'request' || !before.every(({ schema }) => isAlwaysEmpty(schema)))
      report({ place: before[0]!.place, message: `The member was removed from the ${direction}.` });
  }
  const [required, free] = direction === 'request' ? [present, old] : [old, present];
  const names = [...required.required].filter((name) => !free.required.has(name));
  // A removed member has been reported.
  const told = names.filter((name) => direction === 'request' || present.members.has(name) || !old.members.has(name));
  if (told.length > 0)
    say(`${direction === 'request' ? 'Required now' : 'No longer in every response'}: ${listed(told)}.`);
  for (const part of ['items', 'otherMembers'] as const) {
    const [before, after] = [old[part], present[part]];
    if (before.length > 0 && after.length > 0) compare(before, after, direction);
    else if ((direction === 'request' ? after : before).length > 0)
      say(
        `${part === 'items' ? 'Items' : 'Other members'} ${direction === 'request' ? 'are restricted now' : 'may be anything now'}.`,
      );
  }
}

function compareAlternatives(
  old: CollectedSchema,
  present: CollectedSchema,
  direction: Direction,
  { say, compare }: Pick<Tools, 'say' | 'compare'>,
): void {
  for (let index = 0; index < Math.max(old.alternatives.length, present.alternatives.length); index++) {
    const [before, after] = [old.alternatives[index], present.alternatives[index]];
    if (before === undefined) {
      if (direction === 'request') say('Only some alternatives are accepted now.');
    } else if (after === undefined) say('The alternatives were removed.');
    else {
      const pairs = paired(before, after);
      for (const [one, other] of pairs) compare([one], [other], direction);
      const [kept, known] = [0, 1].map((side) => new Set(pairs.map((pair) => pair[side]))) as [
        Set<Placed>,
        Set<Placed>,
      ];
      for (const one of before) if (!kept.has(one)) say(`The alternative ${nameOf(one)} was removed.`);
      if (direction === 'response')
        for (const one of after) if (!known.has(one)) say(`The alternative ${nameOf(one)} was added.`);
    }
  }
}

/** Earlier contracts had a second schema of each record, in which nothing was required, for requests with `fields`. */
const recordOf = (reference: string): string => reference.replace('/Sparse', '/');

const nameOf = ({ schema }: Placed): string =>
  schema.$ref ? `\`${schema.$ref.split('/').at(-1)}\`` : `of the type ${JSON.stringify(schema.type ?? 'any')}`;

/** The alternatives that belong together: those of the same name, then those of the same text, then the rest in order. */
function paired(before: readonly Placed[], after: readonly Placed[]): [Placed, Placed][] {
  const left = [...after];
  const take = (isSame: (other: Placed) => boolean): Placed | undefined => {
    const index = left.findIndex(isSame);
    return index < 0 ? undefined : left.splice(index, 1)[0];
  };
  const exact = before.map((one) => {
    const text = JSON.stringify(one.schema);
    const found = take(({ schema }) =>
      one.schema.$ref ? recordOf(schema.$ref ?? '') === recordOf(one.schema.$ref) : JSON.stringify(schema) === text,
    );
    return [one, found] as const;
  });
  return exact.flatMap(([one, found]) => {
    const other = found ?? take(({ schema }) => schema.$ref === undefined && one.schema.$ref === undefined);
    return other ? [[one, other] as [Placed, Placed]] : [];
  });
}
