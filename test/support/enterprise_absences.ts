import { expect } from 'vitest';
import { employSince } from './absences.ts';
import { newEnterprise, type Enterprise } from './enterprise.ts';

export interface EnterpriseWithAbsences extends Enterprise {
  readonly userId: number;
  readonly typeId: number;
  /** A week of vacation of the user `erika`, a type named `leave`. */
  newAbsence(more?: object): Promise<{ id: number } & Record<string, unknown>>;
}

/** An enterprise whose absence type and user have an external id. */
export async function newEnterpriseWithAbsences(): Promise<EnterpriseWithAbsences> {
  const world = await newEnterprise();
  const typeId = await world.absenceType('vacation');
  await world.db
    .updateTable('absence_types')
    .set({ external_id: 'leave' })
    .where('account_id', '=', world.accountId)
    .where('id', '=', typeId)
    .execute();
  const { id: userId } = await world.newUser({ external_id: 'erika' });
  await employSince(world, userId);
  const newAbsence = async (more: object = {}) => {
    const absence = {
      absence_type_id: typeId,
      user_id: userId,
      starts_at: '2026-03-02',
      ends_at: '2026-03-06',
      full_day: true,
      ...more,
    };
    const response = await world.enterprise('createPublicAbsence', { body: { absence } });
    expect([response.status, response.text]).toEqual([200, response.text]);
    return response.body;
  };
  return { ...world, userId, typeId, newAbsence };
}
