import { invalid } from './errors.ts';
import { pointerOf, type Names } from './names.ts';

/**
 * Refuses an external id that differs from the one a record has. In the public API, one beside an id is either that of the
 * record, or the one that a record without an external id is to get.
 */
export function refuseOtherExternalId(
  { external_id, prefix }: Names,
  record: { readonly external_id: string | null },
  noun: string,
): void {
  if (external_id === undefined || record.external_id === null || record.external_id === external_id) return;
  throw invalid(
    'protected',
    pointerOf({ external_id, prefix }),
    `external_id "${external_id}" is not that of the ${noun}, which has "${record.external_id}". It cannot be changed.`,
  );
}
