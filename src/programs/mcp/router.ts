import { Router, type Request, type RequestHandler } from 'express';
import { AppError } from '../../platform/core/errors.ts';
import { methodNotAllowed } from '../../platform/http/answers/errors.ts';
import type { Contract } from '../../platform/http/contract_document.ts';
import { readJson } from '../../platform/http/requests/body.ts';
import { requestIdOf } from '../../platform/http/server/request_id.ts';
import type { Ask } from './answer.ts';
import { toolsOf } from './tools.ts';

interface Options {
  readonly contract: Contract;
  readonly gitCommit: string;
  /** The address of the service, if the operator has set one. */
  readonly publicUrl: string | undefined;
  /** Requires a valid token, and counts the request. */
  readonly authenticate: (req: Request) => Promise<unknown>;
}

/** Serves the tools of assistants at /mcp, by the Model Context Protocol over HTTP. */
export function mcpRouter({ contract, gitCommit, publicUrl, authenticate }: Options): Router {
  const router = Router();
  const tools = toolsOf(contract);
  const base = contract.servers[0]!.url;
  router.use('/mcp', refuseForeignPages(publicUrl));
  router.post('/mcp', readJson, async (req, res) => {
    await authenticate(req);
    // The package takes a while to load, and most servers never need it.
    const { answerMessage } = await import('./answer.ts');
    await answerMessage(req, res, { tools, version: gitCommit, ask: askOwnApi(req, base) });
  });
  router.all('/mcp', () => {
    throw methodNotAllowed('POST');
  });
  return router;
}

/**
 * Sends the request of a tool to this same server, with the token of the caller. So it goes through every check that any other
 * request goes through, and nothing else has to know about rights.
 */
function askOwnApi(req: Request, base: string): Ask {
  const { localAddress = '', localPort } = req.socket;
  const host = localAddress.includes(':') ? `[${localAddress}]` : localAddress;
  return async ({ method, address, body }, signal) => {
    const response = await fetch(`http://${host}:${localPort}${base}${address}`, {
      method,
      signal,
      headers: {
        Authorization: req.get('Authorization')!,
        // An argument that a list would leave out is an error. The assistant would take the answer for what it asked for.
        Prefer: 'handling=strict',
        'X-Request-Id': requestIdOf(req),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
    });
    return { isRefused: !response.ok, text: await response.text() };
  };
}

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Refuses pages of other sites. Such a page could give its own name the address of a server on the reader's machine, and the browser
 * would then take the two for one site. The name in the request is the page's own too, so it proves nothing.
 */
function refuseForeignPages(publicUrl: string | undefined): RequestHandler {
  const own = publicUrl === undefined ? undefined : new URL(publicUrl).origin;
  return (req, _res, next) => {
    const origin = req.get('Origin');
    if (origin === undefined || origin === own || isLoopback(origin)) return next();
    throw new AppError(403, [
      {
        code: 'forbidden',
        pointer: 'Origin',
        title: `Pages of ${JSON.stringify(origin.slice(0, 100))} may not use /mcp. Pages of this server (PUBLIC_URL) and of this machine may, and programs that send no Origin.`,
      },
    ]);
  };
}

const isLoopback = (origin: string): boolean =>
  URL.canParse(origin) && loopbackHosts.includes(new URL(origin).hostname);
