import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type CallToolResult,
} from '@modelcontextprotocol/sdk/types.js';
import type { Request, Response } from 'express';
import { requestOf, type ToolRequest } from './request.ts';
import type { Tool } from './tools.ts';

/** Sends a request to the API. */
export type Ask = (request: ToolRequest, signal: AbortSignal) => Promise<{ isRefused: boolean; text: string }>;

const instructions = `Punchcard records working time, absences and time accounts. Begin with who_am_i: it has the ids of the user and of the workspaces, which nearly every tool needs. find_names turns a name into an id. The tools see what the user with this token may see, and they change nothing. Lists have pages: meta.total_pages says how many. Times have an offset from UTC, days are written as 2026-05-04, and amounts of time are in the unit that their description names. A result with "errors" says what is wrong and what is allowed.`;

/** Answers one message of an assistant. Nothing is kept between messages, so that any process can answer the next one. */
export async function answerMessage(
  req: Request,
  res: Response,
  { tools, version, ask }: { tools: readonly Tool[]; version: string; ask: Ask },
): Promise<void> {
  const server = new Server({ name: 'punchcard', version }, { capabilities: { tools: {} }, instructions });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(shown) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${JSON.stringify(params.name)}.`);
    const request = requestOf(tool, params.arguments ?? {});
    if (Array.isArray(request)) return result(true, request.join(' '));
    const { isRefused, text } = await ask(request, signal);
    return result(isRefused, text);
  });
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  res.on('close', () => void server.close());
  await server.connect(transport as Transport);
  await transport.handleRequest(req, res, req.body);
}

const shown = ({ name, description, inputSchema, onlyReads }: Tool) => ({
  name,
  description,
  inputSchema,
  annotations: { readOnlyHint: onlyReads },
});

const result = (isError: boolean, text: string): CallToolResult => ({ isError, content: [{ type: 'text', text }] });
