import { describe, expect, it } from 'vitest';
import {
  messagesOf,
  readContract,
  resolver,
  resolveSchema,
  wordsOf,
  type Schema,
} from '../../../src/platform/http/contract_document.ts';

const contract = readContract('v3');
const resolve = resolver(contract);

/** The names that a message can have as its `type`. */
const typesOf = ({ requestBody }: ReturnType<typeof messagesOf>[number]): readonly unknown[] => {
  const message = resolveSchema(requestBody!.content['application/json']!.schema as Schema, resolve);
  const { enum: types, const: only } = message.properties!['type']!;
  return types ?? [only];
};

const familyOf = (name: string): string => `${name.split('.', 1)[0]!}.*`;

describe('the names of events', () => {
  const names = wordsOf(contract, 'EventName');

  it('are the types of messages, each of one', () => {
    const types = messagesOf(contract).flatMap(typesOf);
    expect([...types].sort()).toEqual([...names, 'ping'].sort());
  });

  it('belong to families that a webhook can name, and no family is empty', () => {
    expect([...wordsOf(contract, 'EventFamily')].sort()).toEqual(['*', ...new Set(names.map(familyOf))].sort());
  });

  it('are in the message of their own type of record, where it has one', () => {
    for (const [noun, { post }] of Object.entries(contract.webhooks!)) {
      const types = typesOf(post) as string[];
      const families = new Set(types.map(familyOf));
      if (noun === 'other')
        for (const family of families) expect(contract.webhooks).not.toHaveProperty(family.slice(0, -2));
      else expect([...families]).toEqual([`${noun}.*`]);
    }
  });
});
