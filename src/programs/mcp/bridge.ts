import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, isJSONRPCRequest, isJSONRPCResultResponse } from '@modelcontextprotocol/sdk/types.js';

/** Passes the messages of an assistant on to a server, and the answers back. A message that fails is answered with the reason. */
export async function connectTransports(assistant: Transport, server: Transport): Promise<void> {
  server.onmessage = (message) => {
    // From then on every request names the version that both have agreed on.
    if (isJSONRPCResultResponse(message) && typeof message.result['protocolVersion'] === 'string')
      server.setProtocolVersion?.(message.result['protocolVersion']);
    void assistant.send(message);
  };
  assistant.onmessage = (message) => {
    server.send(message).catch((error: unknown) => {
      if (!isJSONRPCRequest(message)) return;
      const reason = error instanceof Error ? error.message : String(error);
      void assistant.send({
        jsonrpc: '2.0',
        id: message.id,
        error: { code: ErrorCode.InternalError, message: reason },
      });
    });
  };
  assistant.onclose = () => void server.close();
  await server.start();
  await assistant.start();
}
