import { PGlite, type PGliteOptions } from '@electric-sql/pglite';

/*
 * PostgreSQL can crash inside of this process, for example when the write-ahead log finds no space on the disk. PGlite takes
 * what is thrown then for an ordinary error and goes on calling it. PostgreSQL gives no answer any more, the query waits for
 * ever, and with it everybody who waits for the one connection. Here a crash is noticed, and nothing is called after it.
 */

/** Opens PGlite so that every query after a crash fails at once. */
export async function openEmbedded(options: PGliteOptions): Promise<Embedded> {
  let reason: string | undefined;
  // Only PostgreSQL's log has the reason of a crash.
  const onStderr = (line: string): boolean => {
    reason = /(?:PANIC|FATAL): +(.*)/.exec(line)?.[1] ?? reason;
    return false;
  };
  const pglite = new Embedded({ ...options, onStderr });
  try {
    await pglite.waitReady;
  } catch (error) {
    throw reason === undefined ? error : crashError(reason);
  }
  pglite.watch(() => crashError(reason ?? 'it gave no reason'));
  return pglite;
}

const crashError = (reason: string): Error =>
  Object.assign(
    new Error(
      `The embedded database has crashed: ${reason}. Nothing that was acknowledged is lost. Remove the cause, for example free space on its disk, and start again.`,
    ),
    // PostgreSQL's code for a server that has crashed.
    { code: '57P02' },
  );

/** With this status PostgreSQL leaves a statement that has failed. */
const ordinaryErrorStatus = 100;

/** All that PGlite calls to have a statement executed. */
const calledByPglite = [
  'stackSave',
  'stackRestore',
  '_PostgresMainLoopOnce',
  '_PostgresMainLongJmp',
  '_PostgresSendReadyForQueryIfNecessary',
  '_pgl_pq_flush',
  '_pq_buffer_remaining_data',
];

export class Embedded extends PGlite {
  #crash: Error | undefined;
  #tellCrash!: (error: Error) => void;
  /** Resolves once PostgreSQL has crashed. Only a new process can open the database again. */
  readonly crashed = new Promise<Error>((resolve) => (this.#tellCrash = resolve));

  /** PGlite looks up all types for queries through itself, which takes a third of the time of opening. Ours go through `pg`. */
  override async _initArrayTypes(): Promise<void> {}

  watch(crashError: () => Error): void {
    const module = this.mod as unknown as Record<string, () => void>;
    for (const name of ['_PostgresMainLoopOnce', '_PostgresMainLongJmp']) {
      const run = module[name]!;
      module[name] = () => {
        try {
          run();
        } catch (thrown) {
          if ((thrown as { status?: number }).status === ordinaryErrorStatus) throw thrown;
          const error = (this.#crash = crashError());
          const refuse = (): never => {
            throw error;
          };
          for (const part of calledByPglite) module[part] = refuse;
          this.#tellCrash(error);
          throw error;
        }
      };
    }
  }

  /** After a crash PostgreSQL must not write to its folder any more, not even to close it. */
  override async close(): Promise<void> {
    if (this.#crash === undefined) await super.close();
  }
}
