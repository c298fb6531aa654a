import type { Rank } from '../../../platform/core/ranks.ts';
import type { Viewer } from './visibility.ts';

/** The SQL of a list depends on its shape, its filters and its order. */
export type Shape = Readonly<{ rank: Rank; timeZone: string; hasPermissions: boolean }>;

/** The values of the statements of a list. */
export interface Values extends Viewer {
  readonly now: Date;
}
