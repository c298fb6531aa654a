import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { transactionNumber } from '../../../../src/platform/events/record_order.ts';
import { service } from '../../../support/service.ts';

describe('the transaction number of an event', () => {
  it('is found by the last event of the account alone, also while the table has no statistics', async () => {
    const { database } = await service();
    const plan = await database.db.transaction().execute(async (tx) => {
      // The empty copy stands in front of the table.
      await sql`create temporary table events (like public.events including all) on commit drop`.execute(tx);
      await sql`set local enable_seqscan = off`.execute(tx);
      const number = transactionNumber({ accountId: sql.lit(1), type: sql.lit('area'), id: sql.lit('1') });
      return JSON.stringify((await sql`explain (costs off) select ${number}`.execute(tx)).rows);
    });
    expect(plan).toMatch(
      /InitPlan 1[^>]*-> {2}Limit"[^>]*-> {2}Index Only Scan Backward using events_account_id_epoch_transaction_id_id_idx/,
    );
  });
});
