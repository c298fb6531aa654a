import type { World } from '../world.ts';

/** The events of the world's account about records of one type, oldest first. */
export const recorded = ({ db, accountId }: World, ...types: string[]) =>
  db
    .selectFrom('events')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('record_type', 'in', types)
    .orderBy('id')
    .execute();

/** The names of these events with their changes, oldest first. */
export const changesIn = async (world: World, ...types: string[]) =>
  (await recorded(world, ...types)).map(({ name, changes }) => ({ [name]: changes }));
