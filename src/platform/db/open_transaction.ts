import type { Db } from './connection.ts';

declare const open: unique symbol;

/**
 * A handle on one open transaction and its connection. It can be used wherever a `Db` can; a pool handle cannot be used in its
 * place. Only transactions.ts makes one.
 */
export type OpenTransaction = Db & { readonly [open]: true };
