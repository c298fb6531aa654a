import type { Enterprise } from '../../enterprise.ts';
import { issueApiKey } from '../../people.ts';
import { service } from '../../service.ts';
import type { Person } from '../../world.ts';
import { makeAbsences } from './absence.ts';
import { makeHiddenRows } from './hidden_rows.ts';
import { makeIntegration } from './integration.ts';
import { newMaker } from './maker.ts';
import { makeOrganisation } from './organisation.ts';
import { makeShifts } from './planning.ts';
import { makeTimeAccount } from './time_account.ts';
import { makeWorkingTime } from './working_time.ts';

/** The kinds of record that a request can name. */
export type RecordKind =
  | 'account'
  | 'workspace'
  | 'area'
  | 'user'
  | 'tag'
  | 'time_tracking'
  | 'break'
  | 'time_tracking_note'
  | 'attachment'
  | 'absence_attachment'
  | 'signature'
  | 'follower'
  | 'action'
  | 'absence'
  | 'absence_note'
  | 'deleted_time_tracking'
  | 'deleted_absence'
  | 'deleted_record'
  | 'absence_type'
  | 'notification'
  | 'batch'
  | 'api_token'
  | 'session'
  | 'data_profile'
  | 'custom_field'
  | 'target_hour'
  | 'target_working_day'
  | 'public_holiday'
  | 'vacation_entitlement'
  | 'time_account_entry'
  | 'working_time_violation'
  | 'accounting_period'
  | 'evaluation'
  | 'tagging'
  | 'shift'
  | 'time_tracking_export'
  | 'absence_export'
  | 'history_event'
  | 'webhook'
  | 'webhook_delivery'
  | 'wage_type'
  | 'calendar_feed'
  | 'data_export'
  | 'upload';

/** An account with a record of every kind. Every text contains the mark of the account. */
export interface Tenant extends Enterprise {
  readonly mark: string;
  readonly ids: Readonly<Record<RecordKind, string | number>>;
  /** Second records, for operations that delete the first. */
  readonly spare: Readonly<Partial<Record<RecordKind, string | number>>>;
  /** A time tracking for the public API to delete. A batch of the resource API deletes the spare one. */
  readonly sessionToDelete: string;
  readonly otherWorkspaceId: number;
  readonly apiKey: string;
  /** A token with which the user can set a password. */
  readonly resetToken: string;
  readonly confirmationToken: string;
  /** A member who has never signed in. */
  readonly inviteeId: number;
  /** A user whom no other request needs, and their name. */
  readonly leaver: { readonly id: number; readonly username: string };
  /** The token of the general invitation of the other workspace. */
  readonly inviteToken: string;
  /** A second account admin. */
  readonly owner: Person;
  readonly areaAdmin: Person;
  readonly workspaceAdmin: Person;
}

/** The external id of a tenant's record. */
export const externalId = ({ mark }: Tenant, kind: RecordKind): string => `${mark}-${kind}`;

/** Creates a tenant through the APIs. */
export async function newTenant(name: string): Promise<Tenant> {
  const maker = await newMaker(name);
  const { world, mark, asked } = maker;
  const organisation = await makeOrganisation(maker);
  const spareUser = (await world.newUser({ username: mark })).id;
  const spareArea = (await world.newArea(`${mark} 2`)).id;
  const workingTime = await makeWorkingTime(maker, organisation);
  const absences = await makeAbsences(maker, organisation);
  const timeAccount = await makeTimeAccount(maker, organisation);
  const shifts = await makeShifts(maker, organisation, spareUser);
  const integration = await makeIntegration(maker, organisation);
  await (await service()).jobs.drain();
  const hidden = await makeHiddenRows(maker, organisation);

  const latest = async (operationId: string, query = '') => (await asked(world.admin, operationId, { query })).data;
  const warnings = await latest('listNotifications', 'filter[type]=eq:trigger_warning');
  const { ids: organisationIds, ...people } = organisation;
  return {
    ...world,
    ...people,
    ...hidden,
    mark,
    ids: {
      ...organisationIds,
      ...workingTime.ids,
      ...absences.ids,
      ...timeAccount.ids,
      ...shifts.ids,
      ...integration.ids,
      notification: warnings[0].id,
      deleted_record: (await latest('listDeletedRecords'))[0].id,
      working_time_violation: (await latest('listWorkingTimeViolations'))[0].id,
      history_event: (await latest('listEvents'))[0].id,
    },
    spare: {
      ...{ user: spareUser, area: spareArea, notification: warnings[1].id },
      ...workingTime.spare,
      ...absences.spare,
      ...shifts.spare,
    },
    sessionToDelete: workingTime.sessionToDelete,
    apiKey: await issueApiKey(),
  };
}
