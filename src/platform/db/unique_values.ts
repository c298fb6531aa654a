import type { SelectQueryBuilder } from 'kysely';
import type { DB } from '../../../generated/db.ts';
import { alreadyUsed, type Problem } from '../core/errors.ts';

/** The problem of a value that one of the other rows has already. A unique index refuses it too, but reports nothing else. */
export async function takenProblems<Table extends keyof DB & string>(
  others: SelectQueryBuilder<DB, Table, object>,
  column: keyof DB[Table] & string,
  value: string | null | undefined,
  what: string,
): Promise<Problem[]> {
  if (!value) return [];
  const owner = await others.where(column as never, '=', value as never).executeTakeFirst();
  return owner ? [alreadyUsed(column, value, what)] : [];
}
