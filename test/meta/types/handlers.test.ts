import { describe, expect, it } from 'vitest';
import { complaintsAbout } from './compiler.ts';

/*
 * A handler that does not fit the contract does not compile. Each snippet is compiled in the place of a `v3.ts` or `public.ts`,
 * with the settings of the project.
 */

const imports = `
  import { presentArea } from './resource.ts';
  import { findArea, listAreas } from './areas.ts';
  import { contractOf, type Handlers } from '../../platform/http/contract.ts';
  import { v3 } from '../../platform/http/v3.ts';
  import type { operations } from '../../../generated/v3.ts';
`;

/** A contract of two operations is enough. */
const small = `type Ids = 'getArea' | 'getStatus';
  const api = contractOf<Pick<operations, Ids>, Ids>();
  type All = Handlers<Pick<operations, Ids>, Ids>;`;
const getArea = `async getArea(call) {
  return { data: presentArea(await findArea(call.db, call.actor, call.params.area_id), call) };
}`;
const getStatus = 'async getStatus() {}';

const locking = (operationId: string): string => `
  import { lockUsers } from '../../platform/db/locks.ts';
  export const handlers = v3.part({ async ${operationId}(call) {
    await lockUsers(call.db, { accountId: 1, ids: [1] });
    return { data: presentArea(await findArea(call.db, call.actor, call.params.area_id), call) };
  } });`;

/** The attributes of an absence type. A new one is added here. */
const vacation = `id: 1, title: 'Vacation', kind: 'vacation'`;

const presents = `
  import * as fields from '../../../generated/fields.ts';
  import { resource } from '../../platform/http/answers/jsonapi.ts';`;

const right: [string, string][] = [
  ['of a write, with its transaction', locking('updateArea')],
  ['of one noun', `export const handlers = v3.part({ ${getArea} });`],
  [
    'of a whole contract',
    `${small} export const all: All = api.complete({ ...api.part({ ${getArea} }), ...api.part({ ${getStatus} }) });`,
  ],
  [
    'of a collection, with its own meta',
    `export const handlers = v3.part({ async listAreas(call) {
        const { rows, paging } = await listAreas(call.db, call.actor, call.queryOptions);
        return { data: rows.map((row) => presentArea(row, call)), meta: { ...paging, can_create_working_areas: true } };
      } });`,
  ],
];

const wrong: [string, string, RegExp][] = [
  ['locks rows in a read', locking('getArea'), /not assignable to parameter of type 'OpenTransaction'/],
  [
    'is missing',
    `${small} export const all: All = api.complete({ ...api.part({ ${getArea} }) });`,
    /^Type '`getStatus has no handler\$\{string\}`' is not assignable to type 'All'\.$/,
  ],
  [
    'and others are missing',
    `${small} export const all: All = api.complete({});`,
    /^Type '(?=.*`getArea has no handler)(?=.*`getStatus has no handler).*' is not assignable to type 'All'\.\n/,
  ],
  [
    'is one too many',
    `${small} export const all: All = api.complete({ ...api.part({ ${getArea} }), ${getStatus}, async getNothing() {} });`,
    /^Type '`getNothing is not in the contract\$\{string\}`' is not assignable to type 'All'\.$/,
  ],
  ['is one that its noun does not have', 'export const handlers = v3.part({ async getNothing() {} });', /getNothing/],
  [
    'misspells a path parameter',
    `export const handlers = v3.part({ ${getArea.replace('params.area_id', 'params.areaId')} });`,
    /Property 'areaId' does not exist/,
  ],
  [
    'misspells a query parameter',
    'export const handlers = v3.part({ async getArea(call) { call.query.inclode; return { data: presentArea(await findArea(call.db, call.actor, 1), call) }; } });',
    /Property 'inclode' does not exist/,
  ],
  [
    'reads an attribute that the body does not have',
    'export const handlers = v3.part({ async createArea(call) { call.body.data.attributes.colour; return { data: presentArea(await findArea(call.db, call.actor, 1), call) }; } });',
    /Property 'colour' does not exist/,
  ],
  [
    'answers in another shape',
    "export const handlers = v3.part({ async getArea() { return { data: { type: 'area', id: '1' } }; } });",
    /not assignable/,
  ],
  [
    'answers with a record of another type',
    'export const handlers = v3.part({ async getAccount(call) { return { data: presentArea(await findArea(call.db, call.actor as never, 1), call) }; } });',
    /not assignable/,
  ],
  [
    'answers where there is nothing to answer',
    'export const handlers = v3.part({ async getStatus() { return { data: null }; } });',
    /not assignable/,
  ],
  ['answers nothing where there is', 'export const handlers = v3.part({ async getArea() {} });', /not assignable/],
  [
    'leaves out the meta of a collection',
    'export const handlers = v3.part({ async listAreas(call) { const { rows } = await listAreas(call.db, call.actor, call.queryOptions); return { data: rows.map((row) => presentArea(row, call)) }; } });',
    /meta/,
  ],
  [
    'asks for a workspace where the path names none',
    'export const handlers = v3.part({ async getAccount(call) { return await findArea(call.db, call.actor, 1) as never; } });',
    /not assignable to parameter of type 'WorkspaceActor'/,
  ],
  [
    'presents an attribute that is not declared',
    `${presents} export const type = resource('absence_type', fields.AbsenceType)({ ${vacation}, colour: 'red' });`,
    /'colour' does not exist/,
  ],
  [
    'presents a record without an attribute that is required',
    `${presents} export const type = resource('absence_type', fields.AbsenceType)({ id: 1, title: 'Vacation' });`,
    /'kind' is missing/,
  ],
  [
    'presents an attribute of another type',
    `${presents} export const type = resource('absence_type', fields.AbsenceType)({ ${vacation}, title: 1 });`,
    /'number' is not assignable to type 'string'/,
  ],
  [
    'presents a record under another type',
    `${presents} export const area = resource('areas', fields.Area);`,
    /"areas"/,
  ],
  [
    'presents a record without its relationships',
    `${presents} export const tagging = resource('tagging', fields.Tagging)({ id: 1, taggable_type: 'WorkingSessionAction', taggable_id: '1' });`,
    /Expected 2 arguments/,
  ],
  [
    'presents a record without one of its relationships',
    `${presents} export const tag = resource('tag', fields.Tag)({ id: 1, title: 'a', active: true, external_id: null, color: 'red' }, { users: [] });`,
    /'workspace' is missing/,
  ],
  [
    'presents a relationship that is not declared',
    `${presents} export const tagging = resource('tagging', fields.Tagging)({ id: 1, taggable_type: 'WorkingSessionAction', taggable_id: '1' }, { tag: null, user: null });`,
    /'user' does not exist/,
  ],
  [
    'presents one record where the relationship has many',
    `${presents} export const tag = resource('tag', fields.Tag)({ id: 1, title: 'a', active: true, external_id: null, color: 'red' }, { users: null, workspace: null });`,
    /'null' is not assignable/,
  ],
  [
    'presents relationships where there are none',
    `${presents} export const type = resource('absence_type', fields.AbsenceType)({ ${vacation} }, { users: [] });`,
    /not assignable to parameter of type 'undefined'/,
  ],
  ['names a status', `export const handlers = v3.part({ async getStatus() { return 204; } });`, /not assignable/],
];

const complaints = complaintsAbout(
  'src/organisation/areas',
  Object.fromEntries([...right, ...wrong].map(([name, snippet]) => [name, imports + snippet])),
);

describe('a handler that keeps to the contract', () => {
  it.each(right)('compiles: %s', (name) => {
    expect(complaints(name)).toEqual([]);
  });
});

describe('a handler that does not', () => {
  it.each(wrong)('does not compile where it %s', (name, _snippet, complaint) => {
    expect(complaints(name).join('\n')).toMatch(complaint);
  });
});
