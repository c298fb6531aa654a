import { once } from 'node:events';
import net from 'node:net';

/** A proxy in front of PostgreSQL that can lose a response. */
export interface Proxy {
  /** The address of the database through the proxy. */
  readonly url: string;
  /** Closes the next connection on which PostgreSQL sends this text, instead of forwarding it. */
  loseAnswer(answer: RegExp): void;
  /** Whether the response was lost. */
  readonly hasLost: boolean;
  close(): Promise<void>;
}

/** Starts a proxy on a free port. */
export async function startProxy(target: string): Promise<Proxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<net.Socket>();
  let wanted: RegExp | undefined;
  let hasLost = false;
  const server = net.createServer((client) => {
    const upstream = net.connect(Number(port || 5432), hostname);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    client.on('data', (request) => void upstream.write(request));
    upstream.on('data', (answer) => {
      if (!wanted?.test(answer.toString('latin1'))) return void client.write(answer);
      wanted = undefined;
      hasLost = true;
      client.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as net.AddressInfo).port);
  return {
    url: url.href,
    loseAnswer(answer) {
      wanted = answer;
      hasLost = false;
    },
    get hasLost() {
      return hasLost;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
