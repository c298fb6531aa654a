import type { Rank } from '../../core/ranks.ts';
import type { Viewer } from './visibility.ts';

/** What decides how the statements of a list are written, beside its filters and its order. */
export type Shape = Readonly<{ rank: Rank; timeZone: string; hasPermissions: boolean }>;

/** What is sent with the statements of a list. */
export interface Values extends Viewer {
  readonly now: Date;
}
