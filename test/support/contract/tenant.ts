import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { newResetToken, tokenHash } from '../../../src/core/secrets.ts';
import { demoImage } from '../../../src/demo/image.ts';
import { keepMonthsOf } from '../../../src/time_account/keep_months.ts';
import type { RequestOptions } from '../client.ts';
import { newEnterprise, type Enterprise } from '../enterprise.ts';
import { givePassword, issueApiKey } from '../people.ts';
import { service } from '../service.ts';
import { bodyOf, type Person } from '../world.ts';

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

export const image = demoImage();

/** The evaluation of tomorrow. A user who was created today has none of earlier days. */
const evaluationOf = (userId: number): number => userId * 100_000 + Math.floor(Date.now() / 86_400_000) + 1;

/** Creates a tenant through the APIs. */
export async function newTenant(name: string): Promise<Tenant> {
  const world = await newEnterprise();
  const mark = `${name}-${randomUUID().slice(0, 8)}`;
  const { admin, employee, enterprise, db, accountId, workspaceId } = world;
  const asked = async (person: Person, operationId: string, options: RequestOptions) => {
    const { status, body } = await person.call(operationId, options);
    expect([operationId, Math.floor(status / 100), status >= 400 ? body : '']).toEqual([operationId, 2, '']);
    return body;
  };
  const made = async (operationId: string, options: RequestOptions): Promise<string> =>
    (await asked(admin, operationId, options)).data.id;
  const named = (kind: RecordKind) => `${mark}-${kind}`;

  await asked(admin, 'updateAccount', { body: bodyOf('account', { name: mark }) });
  await asked(admin, 'updateWorkspace', {
    body: bodyOf('workspace', {
      name: mark,
      external_id: named('workspace'),
      welcome_message: mark,
      phone: mark,
      allow_employees_tag_working_sessions: true,
    }),
  });
  const { id: otherWorkspaceId } = await world.newLocation(`${mark} 2`);
  const absence_type = await world.absenceType('vacation');
  await db
    .updateTable('absence_types')
    .set({ external_id: named('absence_type'), title: mark })
    .where('account_id', '=', accountId)
    .where('id', '=', absence_type)
    .execute();
  const tag = await made('createTag', { body: bodyOf('tag', { title: mark, external_id: named('tag') }) });
  const area = (await world.newArea(mark, { external_id: named('area') })).id;
  const profile = { phone: mark, desc: mark, cost_center: mark };
  const own = {
    username: mark,
    email: `${mark}@example.com`,
    external_id: named('user'),
    staff_number: mark,
    data_profiles: profile,
  };
  const user = (await world.newUser({ ...own, working_area_ids: area, tags: tag })).id;
  const { id: inviteeId } = await world.newUser({ username: mark, email: `invited-${mark}@example.com` });
  const leaver = { id: (await world.newUser({ username: `${mark} Leaver` })).id, username: `${mark} Leaver` };
  const [areaAdmin, workspaceAdmin, owner] = [
    await world.addMember('areaAdmin', mark),
    await world.addMember('workspaceAdmin', mark),
    await world.addMember('accountAdmin', mark),
  ];
  await asked(admin, 'updateArea', {
    params: { area_id: area },
    body: bodyOf('area', { user_ids: [user, areaAdmin.id, employee.id] }),
  });

  // More than ten hours without a break raise a warning.
  const ties = {
    user: { data: { type: 'user', id: user } },
    area: { data: { type: 'area', id: area } },
    tags: { data: [{ type: 'tag', id: tag }] },
  };
  const shift = {
    starts_at: '2026-01-05T07:00:00+01:00',
    ends_at: '2026-01-05T19:00:00+01:00',
    external_id: named('time_tracking'),
  };
  const time_tracking = await made('createTimeTracking', { body: bodyOf('time_tracking', shift, ties) });
  const onTracking = { params: { time_tracking_id: time_tracking } };
  const pause = { starts_at: '2026-01-05T08:00:00+01:00', ends_at: '2026-01-05T08:10:00+01:00' };
  const note = { body: bodyOf('note', { content: mark }) };
  const file = { field: 'files', name: `${mark}.png`, bytes: image };
  const rest = await made('createBreak', { ...onTracking, body: bodyOf('break', pause) });
  const time_tracking_note = await made('createTimeTrackingNote', { ...onTracking, ...note });
  const followers = bodyOf('follower', { follower_ids: [admin.id, employee.id] });
  await asked(admin, 'createTimeTrackingFollowers', { ...onTracking, body: followers });
  const attachment = (await asked(admin, 'createTimeTrackingAttachments', { ...onTracking, files: [file] })).data[0].id;
  const signature = await made('createTimeTrackingSignature', {
    ...onTracking,
    form: { title: mark },
    files: [{ ...file, field: 'image' }],
  });
  const punch = { action_type: 'start', user_id: employee.id, device_id: mark, taggings_attributes: [{ tag_id: tag }] };
  const action = await made('createAction', { body: bodyOf('action', punch) });

  const holidays = { starts_at: '2026-03-02', ends_at: '2026-03-06', full_day: true };
  const leave = { ...holidays, absence_type_id: absence_type, user_id: user, external_id: named('absence') };
  const absence = (await enterprise('createPublicAbsence', { body: { absence: leave } })).body.id as number;
  const onAbsence = { params: { absence_id: absence } };
  const absence_note = await made('createAbsenceNote', { ...onAbsence, ...note });
  const absence_attachment = (await asked(admin, 'createAbsenceAttachments', { ...onAbsence, files: [file] })).data[0]
    .id;
  // Confirming an absence that has a follower notifies both users.
  const request = {
    absence_type_id: absence_type,
    title: mark,
    starts_at: '2026-05-04T00:00:00+02:00',
    ends_at: '2026-05-04T23:59:59+02:00',
  };
  const followed = await asked(employee, 'createAbsence', {
    body: bodyOf('absence', { ...request, follower_ids: [areaAdmin.id] }),
  });
  await asked(admin, 'confirmAbsence', { params: { absence_id: followed.data.id } });
  const entitlement = { vacation_times: { title: mark, user_id: user, planned_days: 28 } };
  const entitled = async (): Promise<number> =>
    (await enterprise('createVacationEntitlement', { body: entitlement })).body.vacation_times[0].id;
  const vacation_entitlement = await entitled();
  const form = { user_id: String(user), title: mark, description: mark };
  const upload = (await enterprise('createUpload', { form, files: [{ ...file, field: 'doc' }] })).body.upload
    .id as number;
  const cycle = [
    { day_type: 'workday', hours: 8 },
    { day_type: 'freeday', hours: 0 },
  ];
  const target = await asked(admin, 'createTargetHour', {
    params: { user_id: user },
    body: bodyOf('target_hour', { start_date: '2026-02-01', target_working_days_attributes: cycle }),
  });
  const target_hour = target.data.id;
  const target_working_day = target.data.attributes.target_working_days[0].id;
  const public_holiday = await made('createPublicHoliday', {
    body: bodyOf('public_holiday', { date: '2026-12-24', title: mark }),
  });
  const time_account_entry = await made('createTimeAccountEntry', {
    params: { user_id: user },
    body: bodyOf('time_account_entry', { date: '2026-02-02', hours: 1.5, kind: 'correction', note: mark }),
  });
  const planned = {
    working_area_id: area,
    starts_at: '2026-05-16T08:00:00+02:00',
    ends_at: '2026-05-16T16:00:00+02:00',
    note: mark,
    tag_ids: [tag],
  };
  const event = await made('createShift', { body: bodyOf('event', { ...planned, visible: true }) });
  await asked(admin, 'updateShiftUsers', {
    params: { shift_id: event },
    body: bodyOf('event', { user_ids: [user] }),
  });
  const otherEvent = await made('createShift', { body: bodyOf('event', { ...planned, visible: true }) });
  const deleted_time_tracking = await made('createTimeTracking', {
    body: bodyOf('time_tracking', { ...shift, external_id: `${mark}-3` }, ties),
  });
  await asked(admin, 'deleteTimeTracking', { params: { time_tracking_id: deleted_time_tracking } });
  const deleted_absence = (
    await enterprise('createPublicAbsence', { body: { absence: { ...leave, external_id: `${mark}-3` } } })
  ).body.id as number;
  await asked(admin, 'deleteAbsence', { params: { absence_id: deleted_absence } });
  const deleted_record = (await asked(admin, 'listDeletedRecords', {})).data[0].id;
  const closing = { month: '2026-01', user_ids: [employee.id] };
  const closed = await asked(admin, 'createAccountingPeriods', { body: bodyOf('accounting_period', closing) });
  const accounting_period = closed.data[0].id;
  const api_token = await made('createApiToken', { body: bodyOf('api_token', { name: mark }) });
  const webhook = await made('createWebhook', {
    body: bodyOf('webhook', { url: `https://hooks.example.com/${mark}`, events: ['*'], description: mark }),
  });
  const webhook_delivery = await made('createWebhookPing', { params: { webhook_id: webhook } });
  const noting = { action: 'note', ids: [time_tracking], note: { content: mark } };
  const batch = (await asked(admin, 'batchTimeTrackings', { body: bodyOf('batch_action', noting) })).meta.batch_id;
  const wage_type = await made('createWageType', {
    body: bodyOf('wage_type', { number: 100, title: mark, source: 'net', unit: 'hours' }),
  });
  const exporting = { body: bodyOf('export', { export_type: 'list', format: 'csv', user_ids: [user] }) };
  const time_tracking_export = await made('createTimeTrackingExport', exporting);
  const absence_export = await made('createAbsenceExport', exporting);
  const data_export = await made('createDataExport', { params: { user_id: user } });
  await (await service()).jobs.drain();
  await keepMonthsOf(world.db, world.accountId, [areaAdmin.id], '2026-03-01');

  const warnings = await asked(admin, 'listNotifications', { query: 'filter[type]=eq:trigger_warning' });
  const violations = await asked(admin, 'listWorkingTimeViolations', {});
  const data_profile = await made('createDataProfile', { body: bodyOf('data_profile', { title: mark }) });
  const custom_field = await made('createCustomField', {
    body: bodyOf('custom_field', { title: mark, data_type: 'float', data_profile_id: data_profile }),
  });
  await asked(admin, 'updateUserDataProfile', {
    params: { user_id: user, data_profile_id: data_profile },
    body: bodyOf('data_profile', { custom_field_values_attributes: [{ custom_field_id: custom_field, value: '7' }] }),
  });
  const taggingOf = async (taggableId: string | number): Promise<string> =>
    (await asked(admin, 'listTaggings', { query: { 'filter[taggable_id]': `eq:${taggableId}` } })).data[0].id;
  await asked(admin, 'updatePreference', {
    params: { user_id: admin.id, preference_id: 1 },
    body: bodyOf('preference', { value: { [mark]: true } }),
  });
  const calendar_feed = await made('createCalendarFeed', {
    params: { user_id: admin.id },
    body: bodyOf('calendar_feed', { name: mark, scope: 'area', workspace_id: workspaceId, area_id: area }),
  });
  const ids = {
    ...{
      account: accountId,
      workspace: workspaceId,
      area,
      user,
      tag,
      time_tracking,
      break: rest,
      time_tracking_note,
      attachment,
      signature,
    },
    ...{
      follower: employee.id,
      action,
      absence,
      absence_note,
      absence_attachment,
      absence_type,
      notification: warnings.data[0].id,
    },
    ...{ batch, api_token, data_profile, custom_field, upload },
    ...{ target_hour, target_working_day, public_holiday, vacation_entitlement, time_account_entry, accounting_period },
    ...{ deleted_time_tracking, deleted_absence, deleted_record },
    working_time_violation: violations.data[0].id,
    evaluation: evaluationOf(user),
    tagging: await taggingOf(time_tracking),
    shift: event,
    time_tracking_export,
    absence_export,
    history_event: (await asked(admin, 'listEvents', {})).data[0].id,
    ...{ webhook, webhook_delivery },
    wage_type,
    calendar_feed,
    data_export,
  };
  const spare = {
    user: (await world.newUser({ username: mark })).id,
    shift: otherEvent,
    area: (await world.newArea(`${mark} 2`)).id,
    absence: (await enterprise('createPublicAbsence', { body: { absence: { ...leave, external_id: `${mark}-2` } } }))
      .body.id as number,
    notification: warnings.data[1].id,
    vacation_entitlement: await entitled(),
    tagging: await taggingOf(action),
    time_tracking: await made('createTimeTracking', {
      body: bodyOf('time_tracking', { ...shift, external_id: `${mark}-2` }, ties),
    }),
  };
  const assigned = { shift_id: otherEvent, user_id: spare.user };
  expect((await enterprise('createAssignment', { body: { assignment: assigned } })).status).toBe(200);
  const sessionToDelete = await made('createTimeTracking', {
    body: bodyOf('time_tracking', { ...shift, external_id: `${mark}-4` }, ties),
  });
  const invitation = await asked(admin, 'createInvitation', {
    params: { workspace_id: otherWorkspaceId },
    body: bodyOf('invitation', { welcome_message: mark }),
  });
  const inviteToken = /join-workspace\/([\w-]+)/.exec(invitation.meta.message)![1]!;
  await db
    .insertInto('assumed_roles')
    .values({ account_id: accountId, workspace_id: otherWorkspaceId, user_id: user })
    .execute();
  await db
    .insertInto('event_removals')
    .values({ account_id: accountId, epoch: 0, transaction_id: '0', id: 0 })
    .execute();
  await db.insertInto('removed_objects').values({ account_id: accountId, object_key: mark }).execute();
  await givePassword(db, { id: user });
  const resetToken = newResetToken();
  const inAnHour = new Date(Date.now() + 3_600_000);
  await db
    .insertInto('reset_tokens')
    .values({ hash: tokenHash(resetToken), account_id: accountId, user_id: user, expires_at: inAnHour })
    .execute();
  return {
    ...world,
    mark,
    ids,
    spare,
    sessionToDelete,
    otherWorkspaceId,
    owner,
    areaAdmin,
    workspaceAdmin,
    resetToken,
    inviteeId,
    leaver,
    inviteToken,
    apiKey: await issueApiKey(),
  };
}
