import { createServer, request as forward, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy that hands each request to the next server, as a load balancer does that knows nothing about callers. */
export async function startBalancer(
  servers: readonly { readonly url: string }[],
): Promise<{ url: string; stop: () => Promise<void> }> {
  let turn = 0;
  const proxy = createServer((req, res) => {
    const { hostname, port } = new URL(servers[turn++ % servers.length]!.url);
    const { method, url: path } = req;
    // A connection for each request: a server may end one that is kept at the moment in which it is used again.
    const onward = forward({ hostname, port, method, path, headers: endToEnd(req.headers), agent: false }, (answer) => {
      res.writeHead(answer.statusCode!, endToEnd(answer.headers));
      answer.pipe(res);
    });
    onward.on('error', () => res.destroy());
    req.pipe(onward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        proxy.close(() => resolve());
        proxy.closeAllConnections();
      }),
  };
}

/** The headers without those that concern one connection. */
function endToEnd({
  connection: _connection,
  'keep-alive': _alive,
  'transfer-encoding': _coding,
  ...headers
}: IncomingHttpHeaders) {
  return headers;
}
