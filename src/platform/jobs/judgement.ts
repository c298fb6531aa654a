import type { Db } from '../db/connection.ts';
import { enqueue } from './queue.ts';

/** The users of an account whose last weeks of work are judged again, some at a time. */
export interface JudgeJob {
  readonly accountId: number;
  /** The users up to this id are done. */
  readonly afterUserId: number;
}

/** Judges the last weeks of everybody in an account again, in a job that starts with the commit of this transaction. */
export const enqueueJudgement = (db: Db, accountId: number): Promise<void> =>
  enqueue(db, 'judge_users', { accountId, afterUserId: 0 } satisfies JudgeJob);
