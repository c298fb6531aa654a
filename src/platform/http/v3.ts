import type { components, operations } from '../../../generated/v3.ts';
import { contractOf, type Handlers } from './contract.ts';

/** The operations of the service itself. The contract also describes those of the receivers of webhooks. */
type Answered = Exclude<keyof operations, `receive${string}`>;

/** The resource API, as its contract types it. */
export const v3 = contractOf<operations, Answered>();

/** A handler for every operation of the resource API. */
export type V3Handlers = Handlers<operations, Answered>;

export type Schemas = components['schemas'];
