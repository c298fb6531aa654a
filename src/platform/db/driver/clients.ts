import pg from 'pg';
import { isOutdatedPlan } from '../violations.ts';

/*
 * PostgreSQL plans a named statement once per connection instead of at every call; planning the larger ones takes longer than
 * executing them. A connection keeps the plan of each name until it ends, and callers choose filters, and with them the text of
 * statements. So a connection that has given all its names ends when it is released, and the next one begins with none. Long
 * statements get no name: a plan takes many times the memory of its text.
 */
const maxNames = 300;
const maxNamedLength = 16 * 1024;

/** How often a later release has changed a table under a plan. Every statement then gets a new name, and with it a new plan. */
let generation = 0;

/** A client that names statements, and sends those of one turn of the event loop in one message. */
class NamingClient extends pg.Client {
  readonly #names = new Map<string, string>();
  #given = 0;
  #generation = generation;
  #lastAnswer: Promise<unknown> = Promise.resolve();

  get hasNamesLeft(): boolean {
    return this.#given < maxNames;
  }

  override query(...call: unknown[]): never {
    if (!this.pipeline) return this.#sendInTurn(...call) as never;
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
    // Several statements in one text, as in migrations, cannot be prepared. They have no values.
    const isPreparable =
      typeof text === 'string' && Array.isArray(values) && values.length > 0 && callback.length === 0;
    const name = isPreparable ? this.nameOf(text) : undefined;
    if (name === undefined) return query(...call);
    const answer = query({ name, text, values })!;
    answer.catch((error: unknown) => {
      if (isOutdatedPlan(error)) generation += 1;
    });
    return answer;
  }

  /** The name of a statement on this connection, or undefined where it gets none. */
  protected nameOf(text: string): string | undefined {
    if (this.#generation !== generation) this.#names.clear();
    this.#generation = generation;
    const known = this.#names.get(text);
    if (known !== undefined || !this.hasNamesLeft || text.length > maxNamedLength) return known;
    const name = `punchcard_${this.#given++}`;
    this.#names.set(text, name);
    return name;
  }
}

/** The same without names, for a pooler that changes the connection after each transaction. */
class NamelessClient extends NamingClient {
  protected override nameOf(): undefined {
    return undefined;
  }
}

/** The class of the clients of a pool. */
export const clientClass = ({ hasNames }: { readonly hasNames: boolean }): typeof NamingClient =>
  hasNames ? NamingClient : NamelessClient;

/** Ends each connection of a pool that has no names left, when it is released. The pool opens another one. */
export function renewConnections(pool: pg.Pool): void {
  pool.on('release', (_error, client) => {
    if (client instanceof NamingClient && !client.hasNamesLeft) void client.end();
  });
}
