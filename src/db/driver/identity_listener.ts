import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { identityChannel, noteIdentityChange } from './identity.ts';

/*
 * Hears from PostgreSQL when another process has changed who somebody is or what they may do. Triggers send the notice inside
 * the transaction that makes the change, so that it arrives at commit. The connection is a direct one: a pooler in transaction
 * mode delivers no notices. While there is none, cached credentials expire by themselves.
 */

const reconnectIntervalMs = 1_000;

interface Options {
  /** Called whenever the connection could not be made, or was lost. */
  readonly onLost: (error: unknown) => void;
  /** Called whenever notices arrive again. */
  readonly onListening: () => void;
}

/** Listens for changes made by other processes until it is closed. Resolves once it listens, or once the first attempt has failed. */
export async function listenForIdentityChanges(
  url: string,
  { onLost, onListening }: Options,
): Promise<{ close(): Promise<void> }> {
  const closing = new AbortController();

  /** Listens on one connection. `listening` is called once notices arrive. Rejects when the connection is lost. */
  const listenOnce = async (listening: () => void): Promise<void> => {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, keepAlive: true });
    const close = (): void => void client.end().catch(() => {});
    const lost = new Promise<never>((_resolve, reject) => {
      client.on('error', reject);
      client.on('end', () => reject(new Error('The server closed the connection.')));
    });
    lost.catch(() => {});
    client.on('notification', noteIdentityChange);
    closing.signal.addEventListener('abort', close);
    const listen = async (): Promise<void> => {
      await client.connect();
      await client.query(`listen ${identityChannel}`);
      // No notice was heard of what was changed before.
      noteIdentityChange();
      listening();
    };
    try {
      // A client that is closed while it connects never says so itself.
      await Promise.race([listen(), lost]);
      await lost;
    } finally {
      closing.signal.removeEventListener('abort', close);
      close();
      noteIdentityChange();
    }
  };

  const keepListening = async (listening: () => void, failed: () => void): Promise<void> => {
    while (!closing.signal.aborted) {
      try {
        await listenOnce(listening);
      } catch (error) {
        if (closing.signal.aborted) return;
        onLost(error);
        failed();
        await pause(reconnectIntervalMs, undefined, { signal: closing.signal }).catch(() => {});
      }
    }
  };

  let stopped: Promise<void>;
  await new Promise<void>((resolve) => {
    const listening = (): void => {
      onListening();
      resolve();
    };
    stopped = keepListening(listening, resolve);
  });
  return {
    async close() {
      closing.abort();
      await stopped;
    },
  };
}
