import { createAccountAdmin, createAccountFor } from '../../access/auth/auth.ts';
import { hashPassword, newPassword } from '../../platform/core/secrets.ts';
import { forNoAccount } from '../../platform/db/transactions.ts';
import { accountNamed } from './account.ts';
import { required, usageError, type Command } from './command.ts';

export const userCommands: readonly Command[] = [
  {
    words: 'user create-admin',
    usage: '--email ADDRESS --username NAME [--account ACCOUNT] [--password-stdin]',
    options: {
      email: { type: 'string' },
      username: { type: 'string' },
      account: { type: 'string' },
      'password-stdin': { type: 'boolean' },
    },
    summary: 'Create an account admin, in a new account or in the one that --account names.',
    details: [
      'Without --account, a new account with a first workspace is created. Both have the name of the user and can be renamed. ACCOUNT is an id, or the e-mail address of one of its users.',
      'With --password-stdin, the password is read from standard input (at least 8 characters). Without it, a password is generated and printed once, alone on standard output.',
    ].join(' '),
    async run(given, { database, now, print, tell, read }) {
      const person = { email: required(given, 'email'), username: required(given, 'username') };
      if (!/^[^\s@]+@[^\s@]+$/.test(person.email))
        throw usageError(`--email must be an e-mail address, but was "${person.email}".`);
      const account =
        given.options['account'] === undefined ? undefined : await accountNamed(database.db, given.options['account']);
      const isGiven = given.options['password-stdin'] === true;
      const password = isGiven ? (await read()).replace(/\r?\n$/, '') : newPassword();
      if (password.length < 8) throw usageError('The password on standard input must have at least 8 characters.');
      const password_hash = await hashPassword(password);
      const { accountId } = await forNoAccount(database.db, (tx) =>
        account
          ? createAccountAdmin(tx, account.id, { ...person, password_hash }, now)
          : createAccountFor(tx, { ...person, password_hash, isConfirmed: true }, now),
      );
      tell(`${person.username} <${person.email}> is an account admin of the account ${accountId}.`);
      if (isGiven) return;
      tell('The password is shown only once: pass it on safely. A password reset replaces it.');
      print(password);
    },
  },
];
