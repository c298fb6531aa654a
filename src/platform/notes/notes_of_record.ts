import { sql } from 'kysely';
import type { Value } from '../db/placeholders.ts';

/** The ids of the notes of each record and how many of them the service wrote, for a lateral join. The others are by users. */
export const notesOfRecord = (
  accountId: Value<number>,
  reference: 'absence_id' | 'time_tracking_id',
  recordId: 'absences.id' | 'time_trackings.id',
) =>
  sql<{ note_ids: number[]; system_notes_count: number }>`(
    select coalesce(array_agg(notes.id order by notes.id), '{}') as note_ids,
      count(*) filter (where notes.type = 'SystemNote') as system_notes_count
    from notes where notes.account_id = ${accountId} and ${sql.ref(`notes.${reference}`)} = ${sql.ref(recordId)})`.as(
    'noted',
  );
