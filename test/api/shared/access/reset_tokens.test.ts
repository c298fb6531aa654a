import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { jobHandlers } from '../../../../src/programs/job_handlers.ts';
import { service } from '../../../support/service.ts';
import { newWorld } from '../../../support/world.ts';

describe('housekeeping', () => {
  it('removes reset tokens that have expired, and keeps valid ones', async () => {
    const { db, accountId } = await newWorld();
    const { config } = await service();
    const now = new Date();
    const tokenThatExpires = async (offsetMs: number): Promise<string> => {
      const hash = randomUUID();
      const expires_at = new Date(now.getTime() + offsetMs);
      await db.insertInto('reset_tokens').values({ hash, account_id: accountId, user_id: 1, expires_at }).execute();
      return hash;
    };
    const [expired, valid] = [await tokenThatExpires(-1000), await tokenThatExpires(60_000)];
    const mailer = { send: async () => {}, place: 'nowhere', close: () => {} };
    await jobHandlers(db, mailer, config, () => now)['housekeeping']!(undefined as never);
    const kept = await db.selectFrom('reset_tokens').select('hash').where('hash', 'in', [expired, valid]).execute();
    expect(kept).toEqual([{ hash: valid }]);
  });
});
