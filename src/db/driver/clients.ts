import pg from 'pg';
import { recentlyUsed } from '../../core/remember.ts';
import { isOutdatedPlan } from '../violations.ts';

/*
 * PostgreSQL plans a named statement once per connection instead of at every call; planning the larger ones takes longer than
 * executing them. A statement gets a name at its third use, and only the first 500 of a pool do: callers choose filters, and with
 * them the text of statements, and a name cannot be taken back from the connections that know it. Long statements get no name: a
 * connection keeps the plan of each named one, which takes many times the memory of its text.
 */
const maxNames = 500;
const usesBeforeNaming = 3;
const maxNamedLength = 16 * 1024;

let generation = 0;

/** Where a later release has changed a table under a plan, every statement gets a new name, and with it a new plan. */
function forgetIfOutdated(error: unknown): void {
  if (isOutdatedPlan(error)) generation += 1;
}

/** Makes a function that names the statements of a pool. */
function statementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  const uses = recentlyUsed<string, number>(2 * maxNames);
  let named = generation;
  return (text) => {
    if (named !== generation) names.clear();
    named = generation;
    const known = names.get(text);
    if (known !== undefined || names.size >= maxNames || text.length > maxNamedLength) return known;
    const used = (uses.get(text) ?? 0) + 1;
    if (used < usesBeforeNaming) {
      uses.set(text, used);
      return undefined;
    }
    uses.delete(text);
    const name = `punchcard_${generation}_${names.size}`;
    names.set(text, name);
    return name;
  };
}

type QueryClass = new (text: string, values: unknown[], callback: Answered) => object;
type Answered = (error: Error | null, result: unknown) => void;

/** A named query. `pg` copies a description of a query with slow reflection (6 µs), but takes a query as it is. */
const namedQuery = (name: string, text: string, values: unknown[], callback: Answered): object =>
  Object.assign(new (pg.Query as unknown as QueryClass)(text, values, callback), { name });

/** Whether a statement may go out before the one before it was answered. The options of the pool say so. */
const isPipelining = (client: pg.Client): boolean => (client as unknown as { pipeline: boolean }).pipeline;

/** A class of clients that names statements, and sends those of one turn of the event loop in one message. */
export const namingClient = (Client: typeof pg.Client, { hasNames = true } = {}): typeof pg.Client => {
  const nameOf = statementNames();
  return class extends Client {
    #lastAnswer: Promise<unknown> = Promise.resolve();

    override query(...call: unknown[]): never {
      if (!isPipelining(this)) return this.#sendInTurn(...call) as never;
      // All statements of one turn of the event loop go out in one message.
      const { stream } = this.connection;
      stream.cork();
      process.nextTick(() => stream.uncork());
      return this.#send(...call) as never;
    }

    /** Without pipelining: waits for the answer before. A call with a callback comes from the pool, which sends nothing else meanwhile. */
    #sendInTurn(...call: unknown[]): Promise<unknown> | undefined {
      if (typeof call.at(-1) === 'function' || typeof call[0] !== 'string') return this.#send(...call);
      const answer = this.#lastAnswer.then(() => this.#send(...call));
      this.#lastAnswer = answer.catch(() => {});
      return answer;
    }

    #send(...call: unknown[]): Promise<unknown> | undefined {
      const [text, values, ...callback] = call;
      const query = super.query.bind(this) as (...call: unknown[]) => Promise<unknown> | undefined;
      if (typeof text !== 'string') return query(...call);
      // Several statements in one text, as in migrations, cannot be prepared. They have no values.
      const name = hasNames && Array.isArray(values) && values.length > 0 ? nameOf(text) : undefined;
      if (name === undefined || callback.length > 0) return query(...call);
      const answer = new Promise((resolve, reject) => {
        query(
          namedQuery(name, text, values as unknown[], (error, result) => (error ? reject(error) : resolve(result))),
        );
      });
      answer.catch(forgetIfOutdated);
      return answer;
    }
  };
};
