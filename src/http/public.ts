import type { operations } from '../../generated/public.ts';
import { contractOf } from './contract.ts';

/** The public API, as its contract types it. */
export const publicApi = contractOf<operations, keyof operations>();
