import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { rowNamed } from '../../../../../src/platform/db/names.ts';
import { service } from '../../../../support/service.ts';

describe('a record that is named by its external id', () => {
  it.each(['time_trackings', 'absences', 'tags'] as const)(
    'is found by an index, also with a plan for any value: %s',
    async (table) => {
      const { database } = await service();
      const plan = await database.db.transaction().execute(async (tx) => {
        // The copy is empty and has no statistics, so the plan does not depend on what other tests have written.
        await sql`create temporary table named (like ${sql.table(table)} including indexes) on commit drop`.execute(tx);
        await sql`set local plan_cache_mode = force_generic_plan`.execute(tx);
        await sql`set local enable_seqscan = off`.execute(tx);
        let lines: object[] = [];
        await rowNamed('named', { external_id: 'x', prefix: '' }, async (condition) => {
          const query = sql`select id from named where account_id = ${1} and ${condition}`;
          await sql`prepare named_record (bigint, text) as ${sql.raw(query.compile(tx).sql)}`.execute(tx);
          lines = (await sql`explain execute named_record (1, 'x')`.execute(tx)).rows as object[];
          await sql`deallocate named_record`.execute(tx);
          return [];
        });
        return JSON.stringify(lines);
      });
      expect(plan).toContain('Index Cond: ((account_id = $1) AND (external_id = $2))');
    },
  );
});
