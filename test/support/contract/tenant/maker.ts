import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { demoImage } from '../../../../src/programs/demo/image.ts';
import type { RequestOptions } from '../../client.ts';
import { newEnterprise, type Enterprise } from '../../enterprise.ts';
import type { Person } from '../../world.ts';

export const image = demoImage();

/** An account that is being filled. Every text contains its mark. */
export interface Maker {
  readonly world: Enterprise;
  readonly mark: string;
  /** The external id of a record. */
  named(kind: string): string;
  /** An image to send in the field of a form. */
  imageIn(field: string): { field: string; name: string; bytes: Buffer };
  /** The body of the answer to a person, who must succeed. */
  asked(
    person: Person,
    operationId: string,
    options: RequestOptions,
  ): Promise<Awaited<ReturnType<Person['call']>>['body']>;
  /** The id of a record that the account admin creates. */
  made(operationId: string, options: RequestOptions): Promise<string>;
}

export async function newMaker(name: string): Promise<Maker> {
  const world = await newEnterprise();
  const mark = `${name}-${randomUUID().slice(0, 8)}`;
  const asked: Maker['asked'] = async (person, operationId, options) => {
    const { status, body } = await person.call(operationId, options);
    expect([operationId, Math.floor(status / 100), status >= 400 ? body : '']).toEqual([operationId, 2, '']);
    return body;
  };
  return {
    world,
    mark,
    named: (kind) => `${mark}-${kind}`,
    imageIn: (field) => ({ field, name: `${mark}.png`, bytes: image }),
    asked,
    made: async (operationId, options) => (await asked(world.admin, operationId, options)).data.id,
  };
}
