import type { Db } from './connection.ts';

/* Values that all processes of the service share, by name. */

/** The value of a setting, if it has one. */
export async function findSetting(db: Db, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('service_settings').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}

/** The value of a setting. If it has none, it gets a new one. Of processes that ask at the same time, all get the same. */
export async function settingOrNew(db: Db, name: string, newValue: () => string): Promise<string> {
  const existing = await findSetting(db, name);
  if (existing !== undefined) return existing;
  await db
    .insertInto('service_settings')
    .values({ name, value: newValue() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await findSetting(db, name))!;
}

/** Sets a setting, in the place of the value that it has. */
export const storeSetting = async (db: Db, name: string, value: string): Promise<void> =>
  void (await db
    .insertInto('service_settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute());
