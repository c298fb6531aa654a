import { expect } from 'vitest';
import { service } from '../../../../support/service.ts';
import { trackingBody, type Ties } from '../../../../support/time_trackings.ts';
import { bodyOf, type Person, type World } from '../../../../support/world.ts';

export interface Listed {
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships: Readonly<Record<string, { data: { id: string } | null }>>;
}

export const listed = async (person: Person, query = '', params = {}): Promise<Listed[]> => {
  const { status, body } = await person.call('listWorkingTimeViolations', { query, params });
  expect(status).toBe(200);
  return body.data;
};
export const rulesSeenBy = async (person: Person, query = '', params = {}): Promise<unknown[]> =>
  (await listed(person, query, params)).map(({ attributes }) => attributes['rule']);
export const acknowledge = (person: Person, id: string, reason = 'Somebody was ill.') =>
  person.call('acknowledgeWorkingTimeViolation', {
    params: { working_time_violation_id: id },
    body: bodyOf('acknowledgement', { reason }),
  });
export const check = (person: Person, attributes: object = {}, ties: Ties = {}, params = {}) =>
  person.call('checkTimeTracking', { body: trackingBody(attributes, ties), params });
export const settings = async (world: World, attributes: object): Promise<void> => {
  const { status } = await world.admin.call('updateWorkspace', { body: bodyOf('workspace', attributes) });
  expect(status).toBe(200);
  await (await service()).jobs.drain();
};

export const at = (time: string, day = '2026-01-05'): string => `${day}T${time}:00+01:00`;
/** More than ten hours with enough breaks. */
export const longDay = {
  starts_at: at('08:00'),
  ends_at: at('19:30'),
  breaks_attributes: [{ starts_at: at('13:00'), ends_at: at('14:00') }],
};

/** A second workspace of the account, of which the employee is a member. */
export async function elsewhere(world: World): Promise<{ workspace_id: string }> {
  const { body } = await world.admin.call('createWorkspace', { body: bodyOf('workspace', { name: 'Elsewhere' }) });
  await world.db
    .insertInto('memberships')
    .values({
      account_id: world.accountId,
      workspace_id: Number(body.data.id),
      user_id: world.employee.id,
      role: 1,
      identifier_pin: '1234',
      created_at: new Date(),
    })
    .execute();
  return { workspace_id: body.data.id };
}

/** Work of the employee that is not judged yet. */
export const insertWork = (world: World, starts_at: string, ends_at: string) =>
  world.db
    .insertInto('time_trackings')
    .values({
      account_id: world.accountId,
      workspace_id: world.workspaceId,
      user_id: world.employee.id,
      starts_at,
      ends_at,
      actual_starts_at: starts_at,
      created_by: 'admin',
      created_at: new Date(),
      updated_at: new Date(),
    })
    .execute();
