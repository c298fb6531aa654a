import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { service } from '../../../../support/service.ts';

it('is inlined by the database, with the keys of the first release', async () => {
  const { database } = await service();
  const { rows: plan } = await sql<Record<string, string>>`
    explain verbose select month_lock(id, id) from workspaces`.execute(database.db);
  expect(plan.map((row) => Object.values(row)[0]).join('\n')).toMatch(/Output: .*hashtextextended/);
  const { rows } = await sql<{ differing: number }>`
    select count(*) filter (where month_lock(account, member) <> 731800000000 + case member when 0 then 1024 else 0 end
      + (hashtextextended(account || ' ' || member, 0) & 1023))::integer as differing
    from generate_series(1, 50) account, generate_series(0, 50) member`.execute(database.db);
  expect(rows).toEqual([{ differing: 0 }]);
});
