import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { readAssistantConfig } from '../platform/config.ts';
import { connectTransports } from './mcp/bridge.ts';

/*
 * The tools for assistants that start a program and talk to it over its input and output. It knows no tools: it passes messages on
 * to /mcp of a server, so that both ways do the same.
 */
async function start(): Promise<void> {
  const { serverUrl, token } = readAssistantConfig();
  if (token === undefined) throw new Error('Set PUNCHCARD_TOKEN to the access token of a user, which signIn returns.');
  const server = new StreamableHTTPClientTransport(new URL(`${serverUrl}/mcp`), {
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
  });
  await connectTransports(new StdioServerTransport(), server);
}

start().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
