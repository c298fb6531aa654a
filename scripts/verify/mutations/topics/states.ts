import type { Mutation } from '../mutation.ts';

const clock = 'src/working_time/punches/clock.ts';

/** Which state follows which. */
export const stateMutations: readonly Mutation[] = [
  {
    file: clock,
    find: "return type === 'start' ? null : `${type} does not fit: no time tracking is running. Punch start first.`;",
    replace: 'return null;',
    breaks: 'Somebody who has not started punches an end or a break.',
    tests: ['test/unit/working_time/clock.test.ts'],
  },
  {
    file: clock,
    find: "const begun = type === 'end' ? later(starts_at, second) : starts_at;",
    replace: 'const begun = starts_at;',
    breaks: 'A time tracking ends in the second in which it starts.',
    tests: ['test/unit/working_time/clock.test.ts'],
  },
  {
    file: clock,
    find: 'lastPunch && time < lastPunch.action_time',
    replace: 'false',
    breaks: 'A punch is accepted with a time before the punch before it.',
    tests: ['test/unit/working_time/clock.test.ts'],
  },
  {
    file: 'src/working_time/punches/create.ts',
    find: 'ends_at: pause.ends_at ?? at }));',
    replace: "ends_at: type === 'end' ? pause.ends_at : (pause.ends_at ?? at) }));",
    breaks: 'An end leaves the break open.',
    tests: ['test/api/v3/working_time/actions/actions.test.ts'],
  },
  {
    file: 'src/working_time/time_trackings/confirm.ts',
    find: 'if (row.ends_at === null)\n',
    replace: 'if (false)\n',
    breaks: 'A running time tracking is confirmed.',
    tests: [
      'test/api/v3/working_time/time_trackings/time_trackings.test.ts',
      'test/api/v3/working_time/time_trackings/time_tracking_roles.test.ts',
    ],
  },
  {
    file: 'src/working_time/time_trackings/update.ts',
    find: 'if (isReopened && staysConfirmed) {',
    replace: 'if (false) {',
    breaks: 'A confirmed time tracking runs again.',
    tests: ['test/api/v3/working_time/time_trackings/time_tracking_editing.test.ts'],
  },
  {
    file: 'src/absence/absences/decide.ts',
    find: 'confirmed_by_user_id: isConfirmed ? actor.userId : null,',
    replace: 'confirmed_by_user_id: actor.userId,',
    breaks: 'A rejected absence names somebody who confirmed it.',
    tests: ['test/api/v3/absence/absences/absence_decisions.test.ts'],
  },
  {
    file: 'src/absence/absences/changes/amount.ts',
    find: 'const kept = change.use_custom_values === undefined ? absence : undefined;',
    replace: 'const kept = change.starts_at === undefined && change.ends_at === undefined ? absence : undefined;',
    breaks: 'New times replace a custom amount.',
    tests: ['test/api/v3/absence/absences/absence_editing.test.ts'],
  },
  {
    file: 'src/organisation/users/role_changes.ts',
    find: "id !== userId && status === 'active'",
    replace: 'id !== userId',
    breaks: 'The last account admin who can sign in leaves, because another one is deactivated.',
    tests: ['test/api/v3/organisation/users/user_roles.test.ts', 'test/api/public/organisation/user_status.test.ts'],
  },
  {
    file: 'src/access/auth/mailed_tokens.ts',
    find: 'email === null || email.toLowerCase() === user.email?.toLowerCase();',
    replace: 'true;',
    breaks: 'A reset link that was mailed to an old address still works.',
    tests: ['test/api/v3/access/addresses/proving.test.ts'],
  },
  {
    file: 'src/working_time/time_trackings/batch/steps.ts',
    find: "${administeredBy(actor, 'time_tracking')} as is_administered",
    replace: 'true as is_administered',
    breaks: 'A batch goes on with rights that its starter has lost.',
    tests: ['test/api/shared/working_time/batches_without_rights.test.ts'],
  },
  {
    file: 'src/platform/files/files.ts',
    find: "    .where('deleted_record_id', 'is', null)\n",
    replace: '',
    breaks: 'The file of a deleted time tracking can still be read.',
    tests: ['test/api/v3/lifecycle/deletion/restorations.test.ts'],
  },
  {
    file: 'src/lifecycle/deleted_records/deleted_records.ts',
    find: "authorize(actor, 'restore', 'deleted_record', row);",
    replace: '',
    breaks: 'An area admin restores what lies outside their areas.',
    tests: ['test/api/v3/lifecycle/deletion/restorations.test.ts'],
  },
  {
    file: 'src/lifecycle/deleted_records/put_back.ts',
    find: 'update actions set time_tracking_id = ${record_id}',
    replace: 'update actions set time_tracking_id = null',
    breaks: 'A restored time tracking has lost the punches that made it.',
    tests: ['test/api/v3/lifecycle/deletion/restorations.test.ts'],
  },
];
