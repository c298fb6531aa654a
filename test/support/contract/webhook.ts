import { currentPosition } from '../../../src/integration/events/settled.ts';
import type { World } from '../world.ts';

/** A webhook that is switched off, so that nothing is sent. Returns its id. */
export async function insertWebhook({ db, accountId }: Pick<World, 'db' | 'accountId'>): Promise<number> {
  const now = new Date();
  const { id } = await db
    .insertInto('webhooks')
    .values({
      ...(await currentPosition(db, accountId)),
      account_id: accountId,
      url: 'https://hooks.example.com/punchcard',
      events: ['*'],
      active: false,
      description: '',
      secret: '',
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
