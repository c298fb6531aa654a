import { storedAttributes } from '../../platform/core/pick.ts';
import type { Selectable } from 'kysely';
import type { DB } from '../../../generated/db.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { eventsOf, recordEvents, type EventActor } from '../../platform/events/record.ts';

/** The attributes of an absence type that are stored as they come. */
export const absenceTypeAttributes = storedAttributes({
  table: 'absence_types',
  schemas: ['AbsenceTypeCreation', 'AbsenceTypeUpdate'],
  handled: [],
});

export const absenceTypeEvents = eventsOf<Selectable<DB['absence_types']>>()('absence_type', absenceTypeAttributes);

const defaultTypes = [
  { en: 'Vacation', de: 'Urlaub', kind: 'vacation' },
  { en: 'Sick leave', de: 'Krankheit', kind: 'sickness' },
  { en: 'Special leave', de: 'Sonderurlaub', kind: 'special' },
  { en: 'Unpaid leave', de: 'Unbezahlter Urlaub', kind: 'unpaid' },
];

/** Gives a new workspace the absence types that nearly everybody needs, named in its language. */
export async function addDefaultAbsenceTypes(
  tx: OpenTransaction,
  actor: EventActor,
  { id, locale }: { readonly id: number; readonly locale: string },
  now: Date,
): Promise<void> {
  const common = { account_id: actor.accountId, workspace_id: id, created_at: now, updated_at: now };
  const language = locale.startsWith('de') ? 'de' : 'en';
  const types = await tx
    .insertInto('absence_types')
    .values(defaultTypes.map(({ kind, ...titles }) => ({ title: titles[language], kind, ...common })))
    .returningAll()
    .execute();
  const events = types.flatMap((type) => absenceTypeEvents.eventOf('created', null, type) ?? []);
  recordEvents(tx, actor, events, now);
}
