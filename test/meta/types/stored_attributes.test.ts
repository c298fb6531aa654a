import { describe, expect, it } from 'vitest';
import { complaintsAbout } from './compiler.ts';

/* An attribute of the contract that no verb would store does not compile. */

const imports = `
  import { exactly, storedAttributes } from '../../platform/core/pick.ts';
  `;

const area = (handled: string): string =>
  `export const stored = storedAttributes({ table: 'areas', schemas: ['AreaCreation', 'AreaUpdate'], handled: [${handled}] });`;

const user = (attributes: string): string =>
  `const sent = { ${attributes} }; export const input = exactly<{ name?: string }>()({ ...sent });`;

const right: [string, string][] = [
  [
    'that are columns, or that the verb handles',
    `${area(`'user_ids'`)} export const isLeftOut: 'user_ids' extends (typeof stored)[number] ? never : true = true;`,
  ],
  ['that the verb takes', user(`name: 'Bar'`)],
];

const wrong: [string, string, RegExp][] = [
  ['is no column', area(''), /user_ids is no column of areas: add it, or handle it in the verb and name it here/],
  ['is no column, beside one that is handled', area(`'name'`), /user_ids is no column of areas/],
  ['is handled but not in the contract', area(`'user_ids', 'status'`), /'"status"' is not assignable/],
  ['is unknown to the verb', user(`name: 'Bar', floor: 3`), /'number' is not assignable to type 'never'/],
];

const complaints = complaintsAbout(
  'src/organisation/areas',
  Object.fromEntries([...right, ...wrong].map(([name, snippet]) => [name, imports + snippet])),
);

describe('attributes', () => {
  it.each(right)('compile: %s', (name) => expect(complaints(name)).toEqual([]), 120_000);

  it.each(wrong)('do not compile if one %s', (name, _snippet, expected) =>
    expect(complaints(name).join('\n')).toMatch(expected),
  );
});
