import type { Call } from './contract.ts';

/*
 * A handler may offer to carry out calls in groups. The frame offers it each call first, without a transaction. The handler
 * returns the reply, or undefined for a call that the frame has to carry out alone, in a transaction of its own.
 */

const tryInGroup = Symbol('tryInGroup');

type Handler<C, Reply> = (call: C) => Promise<Reply>;
type TryInGroup<C, Reply> = (call: Omit<C, 'db'> & Pick<Call, 'db'>) => Promise<Reply | undefined>;

/** A handler of single calls that may be carried out in groups. */
export const groupable = <C extends Call<never>, Reply>(
  alone: Handler<C, Reply>,
  inGroup: TryInGroup<C, Reply>,
): Handler<C, Reply> => Object.assign(alone, { [tryInGroup]: inGroup });

/** The way in which a handler carries out calls in groups, if it has one. */
export const groupingOf = <C, Reply>(handler: Handler<C, Reply>): TryInGroup<C, Reply> | undefined =>
  (handler as { [tryInGroup]?: TryInGroup<C, Reply> })[tryInGroup];
