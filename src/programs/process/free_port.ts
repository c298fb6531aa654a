import { createServer } from 'node:net';

/** Fails if another program listens there. The server asks first, so that a start that must fail changes nothing. */
export async function requireFreePort(port: number, host: string): Promise<void> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => probe.once('error', reject).listen({ port, host }, resolve));
  await new Promise((resolve) => probe.close(resolve));
}
