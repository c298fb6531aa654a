import type { Request } from 'express';
import type { Ignored } from '../db/list/ignored_parameters.ts';
import type { NextPage } from '../db/list/list.ts';
import type { Resource } from './answers/jsonapi.ts';
import type { Call, Operation } from './contract.ts';

/** The result of a handler, before the frame adds its part. */
export interface HandlerResult {
  data?: Resource | Resource[] | null;
  included?: Resource[];
  /** What a list says about its page. The frame makes a link of `next`. */
  meta?: object & Ignored & { readonly next?: NextPage | null };
  headers?: Record<string, string>;
}

/** A response that is ready to be sent, or to be stored and sent again. */
export interface PreparedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** A handler, as the frame calls it. */
export type Handle = (call: Call<Operation>) => Promise<HandlerResult | void>;

/** Answers a call: a handler with what the contract puts around it. */
export type Answer = (call: Call<Operation>, req: Request) => Promise<PreparedResponse>;

/** Marks a handler that does slow work, such as hashing a password or waiting, and opens transactions of its own. */
export const managesTransaction = <C extends Call<never>, Result>(
  handler: (call: Omit<C, 'db'> & Pick<Call, 'db'>) => Promise<Result>,
): ((call: C) => Promise<Result>) => Object.assign(handler, { [ownTransaction]: true });
const ownTransaction = Symbol('ownTransaction');

/** Whether a handler opens its transactions itself. */
export const hasOwnTransaction = (handler: Handle): boolean => ownTransaction in handler;

/** Work around the whole answer to a call, outside of its transaction. */
type Surroundings = (call: Call<Operation>, answer: () => Promise<PreparedResponse>) => Promise<PreparedResponse>;

/** Puts work around a handler that must last although the transaction of the handler fails. */
export const surrounded = <C extends Call<never>, Result>(
  surroundings: Surroundings,
  handler: (call: C) => Promise<Result>,
): ((call: C) => Promise<Result>) => Object.assign(handler, { [around]: surroundings });
const around = Symbol('around');

/** The work that `afterPreparing` or another wrapper put around a handler, if any. */
export const surroundingsOf = (handler: Handle): Surroundings | undefined =>
  (handler as { [around]?: Surroundings })[around];

/** Makes a handler whose slow work, such as a look-up in the network, is done before the transaction opens: it holds no connection. */
export const afterPreparing = <C extends Call<never>, Prepared, Result>(
  prepare: (call: Omit<C, 'db'>) => Promise<Prepared>,
  handle: (call: C, prepared: Prepared) => Promise<Result>,
): ((call: C) => Promise<Result>) =>
  Object.assign(async (call: C) => handle(call, await prepare(call)), {
    [preparation]: async (asked: C) => {
      const prepared = await prepare(asked);
      return (call: C) => handle(call, prepared);
    },
  });
const preparation = Symbol('preparation');

/** The slow work of a handler, if it has any. It returns the rest of the handler. */
export const preparationOf = (handler: Handle): ((asked: Call<Operation>) => Promise<Handle>) | undefined =>
  (handler as { [preparation]?: (asked: Call<Operation>) => Promise<Handle> })[preparation];
