import { absenceOf, at, fullDays, shownAbsence } from '../../../support/absences.ts';
import { service } from '../../../support/service.ts';
import type { World } from '../../../support/world.ts';

/** The absences of the employee in one week: open, confirmed, rejected and with custom values. */
export async function week(world: World) {
  const { admin, employee } = world;
  const days = fullDays('2026-04-27', '2026-05-03');
  const ids = {
    open: await absenceOf(world, employee, days),
    confirmed: await absenceOf(world, employee, days),
    rejected: await absenceOf(world, employee, days),
    custom: await absenceOf(world, employee, { ...days, use_custom_values: true, days: 2, hours: 3 }),
  };
  await admin.call('confirmAbsence', at(ids.confirmed));
  await admin.call('resetAbsence', at(ids.rejected));
  const amounts = async () =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(ids).map(async ([name, id]) => [name, (await shownAbsence(world, id))['days']] as const),
      ),
    );
  return { ids, amounts };
}

export const before = { open: 5, confirmed: 5, rejected: 5, custom: 2 };
export const after = (days: number) => ({ open: days, confirmed: 5, rejected: days, custom: 2 });
export const user = ({ employee }: World) => ({ params: { user_id: employee.id } });
export const drain = async () => (await service()).jobs.drain();
