import { describe, expect, it } from 'vitest';
import { differences } from '../../../scripts/examples/compare.ts';
import { examplesOf } from '../../../scripts/examples/placeholders.ts';
import type { RecordedCall } from '../../../scripts/examples/recorder.ts';

describe('an example', () => {
  const shown = {
    data: { id: '3', type: 'area', attributes: { name: 'Bar', user_ids: ['1', '2'], size: null } },
    meta: { total_count: 2 },
  };
  const real = (change: (copy: typeof shown) => void): typeof shown => {
    const copy = structuredClone(shown);
    change(copy);
    return copy;
  };

  it('that is the same has no differences', () => {
    expect(differences('response', shown, structuredClone(shown))).toEqual([]);
  });

  it.each<[string, (copy: typeof shown) => void, string]>([
    [
      'a value',
      (copy) => (copy.data.attributes.name = 'Kitchen'),
      'response/data/attributes/name: the example shows "Bar", the service "Kitchen".',
    ],
    [
      'a number',
      (copy) => (copy.meta.total_count = 3),
      'response/meta/total_count: the example shows 2, the service 3.',
    ],
    ['an id', (copy) => (copy.data.id = '4711'), 'response/data/id: the example shows "3", the service "4711".'],
    [
      'the type of an id',
      (copy) => (copy.data.id = 3 as never),
      'response/data/id: the example shows "3", the service 3.',
    ],
    [
      'what is null',
      (copy) => (copy.data.attributes.size = 1 as never),
      'response/data/attributes/size: the example shows null, the service 1.',
    ],
    [
      'how many there are',
      (copy) => copy.data.attributes.user_ids.pop(),
      'response/data/attributes/user_ids: the example shows 2 items, the service 1.',
    ],
    [
      'a member that is missing',
      (copy) => delete (copy.data as Partial<typeof copy.data>).type,
      'response/data/type: the example shows "area", the service nothing.',
    ],
    [
      'a member that is new',
      (copy) => Object.assign(copy.meta, { page: 1 }),
      'response/meta/page: the example shows nothing, the service 1.',
    ],
  ])('may not differ in %s', (_what, change, sentence) => {
    expect(differences('response', shown, real(change))).toEqual([sentence]);
  });
});

describe('a random value', () => {
  const call = (operationId: string, id: string): RecordedCall => ({
    api: 'v3',
    operationId,
    request: { path: { batch_id: id } },
    files: [],
    answer: {
      status: 200,
      body: {
        id,
        identifier_pin: 'AB12',
        url: `/files/1/${id}?expires=1&signature=${id.slice(0, 8)}`,
        meta: { request_id: crypto.randomUUID() },
      },
    },
    errors: {},
    events: [],
  });
  const run = () => {
    const id = crypto.randomUUID();
    return [...examplesOf([call('batchThings', id), call('getBatch', id)])];
  };

  it('has the same placeholder in every run and in every operation', () => {
    const [first, second] = [run(), run()];
    expect(first).toEqual(second);
    const [[, one], [, other]] = first as [(typeof first)[0], (typeof first)[0]];
    expect(one.response).toEqual(other.response);
    expect(one.request.path!['batch_id']).toBe((one.response as { id: string }).id);
  });
});
