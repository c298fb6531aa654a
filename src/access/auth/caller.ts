import type { Limits } from '../../platform/config.ts';

/** Who asks without being signed in: the client's IP address and program, how often it may try something, and its request. */
export interface Caller {
  readonly address: string;
  readonly userAgent: string | undefined;
  readonly limits: Limits;
  readonly requestId: string;
}

interface AskingCall {
  readonly address: string;
  readonly requestId: string;
  header(name: string): string | undefined;
}

/** The caller of an operation. */
export const callerOf = ({ address, requestId, header }: AskingCall, limits: Limits): Caller => ({
  address,
  userAgent: header('User-Agent'),
  limits,
  requestId,
});
