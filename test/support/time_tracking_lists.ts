import { expect } from 'vitest';
import type { Person } from './world.ts';

export interface Listed {
  data: { id: string; attributes: Record<string, unknown> }[];
  included?: unknown[];
  meta: Record<string, number>;
}

/** The answer of `listTimeTrackings` for a user. */
export const list = async (person: Person, query: string = ''): Promise<Listed> => {
  const { status, body } = await person.call('listTimeTrackings', { query });
  expect(status, JSON.stringify(body)).toBe(200);
  return body as Listed;
};

export const idsOf = ({ data }: Listed): string[] => data.map(({ id }) => id);

export const namesOf = ({ data }: Listed): unknown[] => data.map(({ attributes }) => attributes['external_id']);
