import { removeDemoCredentials } from '../demo/remove_credentials.ts';
import type { Command } from './command.ts';

export const demoCommands: readonly Command[] = [
  {
    words: 'demo remove',
    usage: '',
    summary: 'Remove the public credentials of the demo organisation.',
    details: [
      'Revokes its Api-Key and its api_token, and takes the password and all sessions from its users who still have the public password. Its records stay.',
      'The organisation is not created again in this database. To administer it, create an account admin with "user create-admin --account admin@example.com".',
    ].join(' '),
    async run(_given, { database, now, tell }) {
      const removed = await removeDemoCredentials(database.db, now);
      tell(
        removed.length > 0
          ? `Removed from ${database.place}: ${removed.join(', ')}.`
          : `${database.place} accepts no demo credentials.`,
      );
    },
  },
];
