import { sql, type RawBuilder, type SqlBool } from 'kysely';

export type RecordType = 'time_tracking' | 'absence';

interface StoredRecord {
  readonly table: 'time_trackings' | 'absences';
  readonly noun: string;
  /** The column by which other tables refer to the record. */
  readonly reference: string;
  /** The columns that the database computes. */
  readonly computed: readonly string[];
  /** The tables with rows that the record carries. */
  readonly carried: readonly string[];
}

/** Where a record and what it carries are stored. */
export const storedRecords: Readonly<Record<RecordType, StoredRecord>> = {
  time_tracking: {
    table: 'time_trackings',
    noun: 'time tracking',
    reference: 'time_tracking_id',
    computed: ['gross_s', 'break_s'],
    carried: ['breaks', 'time_tracking_tags', 'time_tracking_followers', 'notes', 'attachments', 'signatures'],
  },
  absence: {
    table: 'absences',
    noun: 'absence',
    reference: 'absence_id',
    computed: [],
    carried: ['absence_days', 'absence_followers', 'notes', 'attachments'],
  },
};

type Condition = (accountId: number) => RawBuilder<SqlBool>;

const isStillMember: Condition = (accountId) => sql<SqlBool>`exists (
  select from memberships member
  where member.account_id = ${accountId} and member.user_id = item.user_id and member.workspace_id = kept.workspace_id)`;

/** The rows that come back only under a condition, by table. A row is called `item`, and the deleted record `kept`. */
export const conditionOfReturn: Readonly<Record<string, Condition>> = {
  time_tracking_tags: (accountId) =>
    sql<SqlBool>`exists (select from tags tag where tag.account_id = ${accountId} and tag.id = item.tag_id)`,
  time_tracking_followers: isStillMember,
  absence_followers: isStillMember,
};
