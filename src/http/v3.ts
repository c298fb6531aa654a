import type { components, operations } from '../../generated/v3.ts';
import { contractOf } from './contract.ts';

/** The resource API, as its contract types it. */
export const v3 = contractOf<operations, keyof operations>();

export type Schemas = components['schemas'];
