import type { Mutation } from '../mutation.ts';

/** Protection of confirmed records, and limits of what employees record. */
export const protectionMutations: readonly Mutation[] = [
  {
    file: 'src/working_time/time_trackings/protection/confirmation.ts',
    find: 'if (!row.confirmed || isAllowed ||',
    replace: 'if (!row.confirmed || true ||',
    breaks: 'An employee changes a confirmed time tracking, and it stays confirmed.',
    tests: ['test/api/v3/working_time/time_trackings/confirmed_time_trackings.test.ts'],
  },
  {
    file: 'src/platform/core/permissions.ts',
    find: '!(actor.workspace?.require_four_eyes === true && isOwn(actor, record))',
    replace: 'true',
    breaks: 'Admins confirm their own time where the workspace requires four eyes.',
    tests: ['test/unit/platform/core/permissions_of_records.test.ts'],
  },
  {
    file: 'src/platform/db/visibility.ts',
    find: 'if (actor.workspace?.require_four_eyes !== true) return administered;',
    replace: 'return administered;',
    breaks: 'A batch confirms the time of the admin who starts it, where the workspace requires four eyes.',
    tests: ['test/api/shared/platform/db/visibility.test.ts'],
  },
  {
    file: 'src/working_time/time_trackings/batch/steps.ts',
    find: '(group.confirmed ? group.is_confirmable : group.is_administered)',
    replace: 'group.is_administered',
    breaks:
      'A batch deletes a confirmed time tracking of the admin who starts it, where the workspace requires four eyes.',
    tests: ['test/api/v3/four_eyes.test.ts'],
  },
  {
    file: 'src/working_time/time_trackings/problems.ts',
    find: '.filter(([, time]) => time < earliest)',
    replace: '.filter(() => false)',
    breaks: 'Employees record time as far back as they like.',
    tests: ['test/api/v3/working_time/time_trackings/recording_limits.test.ts'],
  },
  {
    file: 'src/integration/notifications/notification_mails.ts',
    find: ".where('user.mail_notifications', '=', true)",
    replace: '',
    breaks: 'Somebody who has turned mails off still gets them.',
    tests: ['test/api/shared/integration/notification_mails.test.ts'],
  },
];
