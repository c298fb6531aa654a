import type { Kysely } from 'kysely';
import type { DB } from '../../../generated/db.ts';
import { makeUpOnWorkers } from './on_workers.ts';

/*
 * Ids that a worker draws. Citus gives each worker a range of 2^48 ids. From the 32nd server on these are larger than 2^53, up to
 * where JSON numbers are exact. So each worker gets a range of 2^40 ids above 2^47, and the coordinator stays below. A sequence
 * begins where the clock is, in milliseconds since 2026, so one that is set up again repeats nothing.
 */

const firstId = `(select ${2 ** 47} + groupid * ${2 ** 40} from pg_dist_local_group)`;

/** The sequences of identity columns whose range is not that of their worker. */
const unset = `
  select seqrelid::regclass as name, ${firstId} as first_id from pg_sequence
  join pg_depend on objid = seqrelid and deptype = 'i' and refclassid = 'pg_class'::regclass
  join pg_class own on own.oid = refobjid and own.relnamespace = 'public'::regnamespace
  where seqmin <> ${firstId} and exists (select from pg_dist_partition where logicalrelid = own.oid)`;

const setUp = `
  do $$
  declare
    sequence record;
    milliseconds bigint := extract(epoch from now() - timestamptz '2026-01-01 00:00Z') * 1000;
  begin
    set local citus.enable_ddl_propagation = off;
    for sequence in ${unset} loop
      execute format('alter sequence %1$s minvalue %2$s maxvalue %3$s start %2$s restart %4$s',
        sequence.name, sequence.first_id, sequence.first_id + ${2 ** 40} - 1, sequence.first_id + milliseconds);
    end loop;
  end
  $$`;

/** Sets up the sequences of workers that are new. Returns the number of these workers. */
export const setUpSequences = (db: Kysely<DB>): Promise<number> =>
  makeUpOnWorkers(db, { missing: unset, statements: [setUp], failure: 'Ids could not be set up.' });
