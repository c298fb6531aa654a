import type { components, operations } from '../../generated/v3.ts';
import { contractOf, type Handlers } from './contract.ts';

/** The resource API, as its contract types it. */
export const v3 = contractOf<operations, keyof operations>();

/** A handler for every operation of the resource API. */
export type V3Handlers = Handlers<operations, keyof operations>;

export type Schemas = components['schemas'];
