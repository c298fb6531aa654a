/** The record that notes, attached files, followers and notifications belong to. */
export type Owner = { readonly time_tracking_id: number } | { readonly absence_id: number };

/** The column that names the owner of a row. */
export const ownerColumn = (owner: Owner): 'time_tracking_id' | 'absence_id' =>
  'time_tracking_id' in owner ? 'time_tracking_id' : 'absence_id';

export const ownerId = (owner: Owner): number =>
  'time_tracking_id' in owner ? owner.time_tracking_id : owner.absence_id;

/** Both columns, for a new row. */
export const ownerColumns = (owner: Owner): { time_tracking_id: number | null; absence_id: number | null } => ({
  time_tracking_id: 'time_tracking_id' in owner ? owner.time_tracking_id : null,
  absence_id: 'absence_id' in owner ? owner.absence_id : null,
});
