import { moveFiles } from '../../platform/files/storage/move.ts';
import { openObjectStore } from '../../platform/files/storage/stores.ts';
import { accountNamed } from './account.ts';
import { usageError, type Command } from './command.ts';

export const fileCommands: readonly Command[] = [
  {
    words: 'files move',
    usage: '[--account ACCOUNT]',
    options: { account: { type: 'string' } },
    summary: 'Move the contents of all files to where new ones go: to the object store, or into the database.',
    details:
      'ACCOUNT is an id, or the e-mail address of one of its users; without it, the files of all accounts are moved. With FILES_URL, files go from the database to the object store. With FILES_URL_PREVIOUS, they go back into the database. The service may run meanwhile. If the command is interrupted, start it again: it goes on with the files that are left, and no file is lost.',
    async run({ options }, { config, database, tell, showProgress }) {
      const store = await openObjectStore(database.db, config);
      if (!store) throw usageError('FILES_URL is not set, so all files are in the database already.');
      try {
        const account =
          options['account'] === undefined ? undefined : await accountNamed(database.db, options['account']);
        const { files, bytes } = await moveFiles(
          database.db,
          { accountId: account?.id },
          () => new Date(),
          (share) => showProgress?.(share),
        );
        const [from, to] = config.objectStore!.isForNewFiles
          ? ['the database', store.place]
          : [store.place, 'the database'];
        tell(`Moved ${files} files (${(bytes / 2 ** 20).toFixed(2)} MiB) from ${from} to ${to}.`);
      } finally {
        store.close();
      }
    },
  },
];
