import type { operations } from '../../../generated/public.ts';
import { contractOf, type Handlers } from './contract.ts';

/** The public API, as its contract types it. */
export const publicApi = contractOf<operations, keyof operations>();

/** A handler for every operation of the public API. */
export type PublicHandlers = Handlers<operations, keyof operations>;
