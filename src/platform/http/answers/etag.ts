import { hash } from 'node:crypto';
import type { Resource } from './jsonapi.ts';

/*
 * The entity tag of a record: a hash of what the record shows. Whatever a client can see of a change also changes the tag, in the
 * record itself and in the records that it refers to.
 */

const timeDependent = Symbol('timeDependent');

type Tagged = Resource & { [timeDependent]?: readonly string[] };

/** Names attributes that change while time passes, without a change of the record. The tag leaves them out. */
export const changesWithTime = <R extends Resource>(record: R, names: readonly (keyof R['attributes'])[]): R =>
  Object.defineProperty(record, timeDependent, { value: names });

/** The tag of a record. `json` is its JSON, where it is known already. */
export function entityTag(record: Resource, json?: string): string {
  const { attributes } = record as { attributes: { permissions?: unknown } };
  const changing = (record as Tagged)[timeDependent];
  // The query asks for permissions. They say nothing about the record.
  const isPlain = changing === undefined && (attributes.permissions ?? null) === null;
  const shown = isPlain ? (json ?? JSON.stringify(record)) : JSON.stringify(withoutChanging(record, changing ?? []));
  return textTag(shown);
}

/** The tag of a record that is sent as this text. */
export const textTag = (text: string): string =>
  `"${hash('sha256', text.replaceAll(signature, ''), 'base64url').slice(0, 27)}"`;

const withoutChanging = (record: Resource, names: readonly string[]): Resource => ({
  ...record,
  attributes: {
    ...record.attributes,
    ...('permissions' in record.attributes && { permissions: null }),
    ...Object.fromEntries(names.map((name) => [name, null])),
  },
});

/** Addresses of files get a new signature every hour. */
const signature = /\?expires=\d+&signature=[\w-]+/g;
