import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { onTestFinished } from 'vitest';
import { service } from '../service.ts';

/** An assistant that is connected by any transport, until the test is over. */
export async function assistantOver(transport: Transport) {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    client,
    /** Calls a tool. Its text is JSON where it comes from the API. */
    async use(name: string, given: Record<string, unknown> = {}) {
      const { content, isError } = await client.callTool({ name, arguments: given });
      const { text } = (content as { text: string }[])[0]!;
      return { isError, text, body: text.startsWith('{') ? (JSON.parse(text) as ToolAnswer) : undefined };
    },
  };
}

interface ToolAnswer {
  readonly data: Answered & Answered[];
  readonly included?: Answered[];
  readonly errors?: {
    readonly status: string;
    readonly title: string;
    readonly source: { readonly pointer: string };
  }[];
  readonly meta: Record<string, unknown>;
}

interface Answered {
  readonly id: string;
  readonly type: string;
  readonly attributes: Record<string, unknown>;
}

export const mcpTransport = (url: string, headers: Record<string, string>): Transport =>
  new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }) as Transport;

/** An assistant of a user, over HTTP. */
export const assistantOf = async ({ token }: { readonly token: string }, url?: string) =>
  assistantOver(mcpTransport(url ?? (await service()).url, { Authorization: `Bearer ${token}` }));
