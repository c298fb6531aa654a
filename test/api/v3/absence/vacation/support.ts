import { absenceOf, at, typeOf } from '../../../../support/absences.ts';
import type { RequestOptions } from '../../../../support/client.ts';
import { bodyOf, type Person, type World } from '../../../../support/world.ts';

export const of = (user: Person, vacation_entitlement_id?: string, rest: object = {}) => ({
  params: { user_id: user.id, ...(vacation_entitlement_id === undefined ? {} : { vacation_entitlement_id }) },
  ...rest,
});

export const entitlement = (attributes: object) => ({ body: bodyOf('vacation_entitlement', attributes) });

/** The whole year 2026. */
export const year2026 = { title: 'Vacation 2026', starts_at: '2026-01-01', ends_at: '2026-12-31', planned_days: 28 };
/** Last year, with a transfer until 31 March. */
export const lastYear = {
  ...{ title: 'Vacation 2025', starts_at: '2025-01-01', ends_at: '2025-12-31', planned_days: 10 },
  ...{ expires: true, transfer_remaining: true, end_of_transfer_period: '2026-03-31' },
};

/** Gives a user an entitlement and returns its id. */
export async function entitle({ admin }: World, user: Person, attributes: object = {}): Promise<string> {
  const given = entitlement({ ...year2026, ...attributes });
  const { status, body } = await admin.call('createUserVacationEntitlement', of(user, undefined, given));
  if (status !== 201) throw new Error(`The entitlement was not made: ${JSON.stringify(body)}`);
  return body.data.id;
}

/** An absence of full days, confirmed unless the options say otherwise. */
export async function absent(
  world: World,
  person: Person,
  [from, to]: readonly [string, string],
  { kind = 'vacation', isConfirmed = true, ...more }: { kind?: string; isConfirmed?: boolean; half_end?: boolean } = {},
): Promise<string> {
  const id = await absenceOf(world, person, {
    ...{ starts_at: `${from}T12:00:00Z`, ends_at: `${to}T12:00:00Z`, full_day: true },
    ...{ absence_type_id: await typeOf(world, kind), ...more },
  });
  if (isConfirmed) await world.admin.call('confirmAbsence', at(id));
  return id;
}

/** The numbers of a vacation summary that are not 0. */
export async function summaryOf(
  person: Person,
  user: Person,
  options: RequestOptions | string = {},
): Promise<Record<string, number>> {
  const asked = typeof options === 'string' ? { query: { date: options } } : options;
  const { body } = await person.call('getVacationSummary', { ...asked, params: { user_id: user.id } });
  const { date: _, ...numbers } = body.data.attributes as Record<string, number>;
  return Object.fromEntries(Object.entries(numbers).filter(([, days]) => days !== 0));
}

/** Title, spent, transferred and remaining days of each entitlement of a user. */
export async function accountOf(person: Person, user: Person, options: RequestOptions = {}) {
  const { body } = await person.call('listUserVacationEntitlements', { ...options, params: { user_id: user.id } });
  return (body.data as { attributes: Record<string, number | string> }[]).map(({ attributes: shown }) => [
    shown['title'],
    shown['spent_days'],
    shown['transferred_days'],
    shown['remaining_days'],
  ]);
}
