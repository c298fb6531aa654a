import { describe, expect, it } from 'vitest';
import { updates } from '../../../../../support/contract/updates.ts';

describe('every member that an update shows of its record', () => {
  it.each(updates.map((update) => [update.operation.id, update] as const))(
    'is taken by %s, or the contract calls it read-only',
    (_, update) => {
      const { operation, taken, attributes, relationships } = update;
      const takesSome = relationships.some((name) => taken.has(name));
      const ignored = [
        ...attributes.filter((name) => !taken.has(name)),
        ...(relationships.every((name) => taken.has(name))
          ? []
          : [takesSome ? 'other relationships' : 'relationships']),
      ];
      const { 'x-read-only': readOnly = [] } = operation;
      expect([...(readOnly === true ? ignored : readOnly)].sort()).toEqual(ignored.sort());
    },
  );

  it('is looked at in all of these operations', () => {
    expect(updates.length).toBeGreaterThan(30);
  });
});
