import type pg from 'pg';
import { noteIdentityChange, touchesIdentity } from './identity.ts';
import { namedQuery, type Named } from './named_query.ts';
import { isOutdatedPlan } from '../violations.ts';

/*
 * Statements with a name are planned once per connection instead of at every call, which for the larger ones takes longer
 * than to carry them out. A statement gets its name when it comes back, and only so many do: callers choose filters, and
 * with them the text of statements.
 */
const mostNames = 500;
const usesBeforeNaming = 3;

const names = new Map<string, Named>();
const uses = new Map<string, number>();
let generation = 0;

function nameOf(text: string): Named | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= mostNames) return known;
  const used = (uses.get(text) ?? 0) + 1;
  if (used < usesBeforeNaming) {
    if (uses.size >= mostNames) uses.clear();
    uses.set(text, used);
    return undefined;
  }
  uses.delete(text);
  const given = { name: `punchcard_${generation}_${names.size}` };
  names.set(text, given);
  return given;
}

/** Where another release has changed a table under a plan that was made before, every statement is planned anew from here on. */
function forgetIfOutdated(error: unknown): void {
  if (!isOutdatedPlan(error)) return;
  generation += 1;
  names.clear();
}

/** Hands over a query, for a promise or for the callback that is given. */
function answerTo(
  hand: (...call: unknown[]) => unknown,
  query: pg.Query,
  callback: unknown,
): Promise<unknown> | undefined {
  if (typeof callback === 'function') return void hand(query, callback);
  return new Promise(
    (resolve, reject) =>
      void hand(query, (error: unknown, result: unknown) => (error ? reject(error) : resolve(result))),
  );
}

/** Set by the pool: whether a statement may go out before the one before it was answered. */
const isPipelining = (client: pg.Client): boolean => (client as unknown as { pipeline: boolean }).pipeline;

/** Makes a class of clients name what they are asked often, and tell when they have changed who may do what. */
export const attentive = (Client: typeof pg.Client, isNaming = true): typeof pg.Client =>
  class extends Client {
    #isInTransaction = false;
    #hasTouchedIdentity = false;
    #before: Promise<unknown> = Promise.resolve();

    override query(...call: unknown[]): never {
      if (!isPipelining(this)) return this.#sendInTurn(...call) as never;
      // All that is asked at the same moment goes out in one message.
      const { stream } = this.connection;
      stream.cork();
      process.nextTick(() => stream.uncork());
      return this.#send(...call) as never;
    }

    /** Over a connection that takes one statement at a time; one with a callback comes from the pool, which asks for nothing else meanwhile. */
    #sendInTurn(...call: unknown[]): Promise<unknown> | undefined {
      if (typeof call.at(-1) === 'function' || typeof call[0] !== 'string') return this.#send(...call);
      const answer = this.#before.then(() => this.#send(...call));
      this.#before = answer.catch(() => {});
      return answer;
    }

    #send(...call: unknown[]): Promise<unknown> | undefined {
      const [text, values, ...rest] = call;
      const query = super.query.bind(this) as (...call: unknown[]) => Promise<unknown> | undefined;
      if (typeof text !== 'string') return query(...call);
      // Several statements in one text, as migrations have them, cannot be prepared; and they have no values.
      const named = isNaming && Array.isArray(values) && values.length > 0 ? nameOf(text) : undefined;
      const answer =
        named === undefined ? query(...call) : answerTo(query, namedQuery(named, text, values as unknown[]), rest[0]);
      if (named !== undefined) answer?.catch(forgetIfOutdated);
      if (!/^\s*select/i.test(text)) this.#follow(text, answer);
      return answer;
    }

    /** Others see a change when its transaction has ended; a moment earlier they would keep what was before. */
    #follow(text: string, answer: Promise<unknown> | undefined): void {
      if (/^\s*(begin|start transaction)/i.test(text)) this.#isInTransaction = true;
      if (touchesIdentity(text)) this.#hasTouchedIdentity = true;
      const isEnd = /^\s*(commit|rollback(?! to))/i.test(text);
      if (isEnd) this.#isInTransaction = false;
      if (!this.#hasTouchedIdentity || this.#isInTransaction) return;
      this.#hasTouchedIdentity = false;
      // Also where the answer is lost: the change may have been made.
      answer?.then(noteIdentityChange, noteIdentityChange);
    }
  };
