/*
 * A receiver of webhooks in a process of its own. The path says how it behaves. It writes a line for every request to its output.
 */
import { createServer } from 'node:http';

/** @type {Readonly<Record<string, (request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => unknown>>} */
const respond = {
  '/ok': (_request, response) => response.writeHead(204).end(),
  '/slow': (_request, response) => setTimeout(() => response.writeHead(200).end('late'), 300),
  '/hang': () => {},
  '/huge': (_request, response) => {
    response.writeHead(200);
    const pour = () => {
      while (response.write('x'.repeat(65_536)));
      response.once('drain', pour);
    };
    response.on('error', () => {}).on('close', () => response.removeAllListeners('drain'));
    pour();
  },
  '/half': (_request, response) => response.writeHead(200).write('half\0'),
  '/redirect': (_request, response) => response.writeHead(307, { Location: '/ok' }).end(),
  '/gone': (_request, response) => response.writeHead(410).end(),
  '/fail': (_request, response) => response.writeHead(500).end('broken'),
};

const [, , port = '0', host = '127.0.0.1'] = process.argv;
const server = createServer((request, response) => {
  /** @type {Buffer[]} */
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const body = Buffer.concat(parts).toString('utf8');
    process.stdout.write(`${JSON.stringify({ path: request.url, headers: request.headers, body })}\n`);
    (respond[request.url ?? ''] ?? respond['/ok'])?.(request, response);
  });
});
server.listen(Number(port), host, () => {
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  process.stdout.write(`${JSON.stringify({ port: address.port })}\n`);
});
