import { describe, expect, it } from 'vitest';
import {
  partsOf,
  requestBodySchema,
  resolveSchema,
  type Schema,
} from '../../../../src/platform/http/contract_document.ts';
import { typeOf } from '../../../support/absences.ts';
import { operations, resolvers, type ApiOperation } from '../../../support/contract/operations.ts';
import { send } from '../../../support/contract/raw_http.ts';
import { newTenant } from '../../../support/contract/tenant/tenant.ts';
import { rawRequestOf, validRequests } from '../../../support/contract/valid_requests.ts';
import { newEnterprise } from '../../../support/enterprise.ts';
import { service } from '../../../support/service.ts';
import { bodyOf } from '../../../support/world.ts';

const broken = ['Two\nlines', 'Two\rlines', 'A\tcell', 'Two\u2028lines', 'Rings\u0007', 'Next\u0085line'];
const words = /must not (be blank, and must not )?contain line breaks or other control characters, but was "/;

const day = { starts_at: '2026-05-05T00:00:00Z', ends_at: '2026-05-05T23:59:59Z' };

type Body = Record<string, unknown>;

/** A text that a request takes, with the names on the way to it. */
interface Taken {
  readonly operation: ApiOperation;
  readonly steps: readonly string[];
  readonly schema: Schema;
}

function textsIn(operation: ApiOperation, schema: Schema, steps: readonly string[] = []): Taken[] {
  const resolve = resolvers[operation.api];
  const parts = partsOf(resolveSchema(schema, resolve), resolve);
  return parts
    .flatMap(({ properties = {} }) => Object.entries(properties))
    .flatMap(([name, member]) => {
      const own = resolveSchema(member, resolve);
      const path = [...steps, name];
      return own.properties || own.allOf ? textsIn(operation, own, path) : [{ operation, steps: path, schema: own }];
    })
    .filter(({ schema: { type } }) => [type].flat().includes('string'));
}

const isOneLine = (schema: Schema): boolean => /line breaks/.test(schema['x-message'] ?? '');
const isName = (steps: readonly string[]): boolean => /^(name|title|username)$/.test(steps.at(-1)!);

const texts = operations.flatMap((operation) => {
  const schema = requestBodySchema(operation, undefined, resolvers[operation.api]) as Schema | undefined;
  return schema ? textsIn(operation, schema) : [];
});
const namesOfOneLine = texts.filter(({ schema }) => isOneLine(schema));

describe('names and titles', () => {
  it('have one line in the contracts', () => {
    const names = texts
      .filter(({ steps }) => isName(steps))
      .map(({ operation, steps }) => [operation.id, ...steps].join(' '));
    const ofOneLine = namesOfOneLine.map(({ operation, steps }) => [operation.id, ...steps].join(' '));
    expect(names.length).toBeGreaterThan(30);
    expect(names.filter((name) => !ofOneLine.includes(name))).toEqual([]);
  });

  it('400 with line breaks or other control characters, at every door of both APIs', async () => {
    const { url } = await service();
    const tenant = await newTenant('Lines');
    const taken: unknown[] = [];
    for (const { operation, steps } of namesOfOneLine)
      for (const text of broken) {
        const parts = validRequests(operation, tenant)[0]!;
        let place = (parts.body ?? {}) as Body;
        for (const step of steps.slice(0, -1)) place = (place[step] ??= {}) as Body;
        place[steps.at(-1)!] = text;
        const { status, body } = await send(url, rawRequestOf(operation, parts, tenant));
        const problems = (
          status === 400 ? (body as { errors: { source: { pointer: string }; title: string }[] }).errors : []
        )
          .filter(({ title }) => words.test(title))
          .map(({ source }) => source.pointer.split('/').at(-1));
        if (!problems.includes(steps.at(-1)!)) taken.push([operation.id, steps, text, status]);
      }
    expect(taken).toEqual([]);
  });

  it('200, 201 with letters of all kinds, and an empty title of an absence', async () => {
    const { admin, ...world } = await newEnterprise();
    const name = 'Küche “Łódź” – 東京 🍲';
    expect((await admin.call('createArea', { body: bodyOf('area', { name }) })).body.data.attributes.name).toBe(name);
    const absence = { absence_type_id: await typeOf({ ...world, admin }), title: '', ...day };
    expect((await admin.call('createAbsence', { body: bodyOf('absence', absence) })).status).toBe(200);
  });
});
