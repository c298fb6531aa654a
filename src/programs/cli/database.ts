import { pino } from 'pino';
import { jobHandlers } from '../job_handlers.ts';
import { migrate } from '../../platform/db/migrate.ts';
import { prepareTenantRole } from '../../platform/db/tenant_role.ts';
import { demoCredentials, hasDemoKey } from '../demo/credentials.ts';
import { createDemo } from '../demo/demo.ts';
import { openJobs } from '../../platform/jobs/queue.ts';
import { openMailer } from '../../platform/notifications/mailer.ts';
import type { Command, Tools } from './command.ts';

export const databaseCommands: readonly Command[] = [
  {
    words: 'migrate',
    usage: '',
    migrates: true,
    summary: 'Migrate the schema of the database.',
    details: '"npm start" does this too. Run it separately to migrate before a new release starts.',
    async run(_given, { database, tell }) {
      const done = await migrate(database.db);
      await prepareTenantRole(database.db);
      tell(
        done.length > 0
          ? `Migrated ${database.place}: ${done.join(', ')}.`
          : `The schema of ${database.place} is up to date.`,
      );
    },
  },
  {
    words: 'seed',
    usage: '',
    migrates: true,
    summary: 'Create the demo organisation, with well-known credentials, to try things out.',
    details:
      'On the embedded database, the first start does this. The command is refused with NODE_ENV=production and where HOST is no loopback address, because the passwords are public. DEMO=1 overrides this.',
    async run(_given, tools) {
      const { config, database, now, tell } = tools;
      if (!config.demo) {
        throw new Error(
          'The passwords of the demo organisation are public, and NODE_ENV is production or HOST is no loopback address. To create it anyway, run: DEMO=1 npm run seed',
        );
      }
      await migrate(database.db);
      await prepareTenantRole(database.db);
      const { admin, employee, password, apiKey, apiToken } = demoCredentials;
      const isNew = await withJobs(tools, () => createDemo(database.db, now));
      if (!(await hasDemoKey(database.db))) {
        throw new Error(
          `The demo credentials were removed from ${database.place}, and the demo organisation is created only once. To try things out, use another DATA_DIR or DATABASE_URL.`,
        );
      }
      tell(
        isNew
          ? `Created the demo organisation in ${database.place}.`
          : `The demo organisation already exists in ${database.place}.`,
      );
      tell(
        `Sign in as ${admin} or ${employee}, password ${password}, Api-Key ${apiKey}; api_token of the public API: ${apiToken}`,
      );
    },
  },
];

/** Opens the queue, so that verbs can enqueue jobs. The workers of this database run them. */
async function withJobs<T>({ config, database }: Tools, work: () => Promise<T>): Promise<T> {
  const mailer = openMailer(config);
  const handlers = jobHandlers(database.db, mailer, config);
  const jobs = await openJobs(database, {
    directUrl: config.directDatabaseUrl,
    handlers,
    log: pino({ level: 'warn' }),
  });
  try {
    return await work();
  } finally {
    await jobs.stop();
    mailer.close();
  }
}
