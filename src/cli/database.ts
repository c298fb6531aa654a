import { pino } from 'pino';
import { jobHandlers } from '../job_handlers.ts';
import { migrate } from '../db/migrate.ts';
import { createDemo, demoCredentials } from '../demo/demo.ts';
import { openJobs } from '../jobs/queue.ts';
import { openMailer } from '../mail/mailer.ts';
import type { Command, Tools } from './command.ts';

export const databaseCommands: readonly Command[] = [
  {
    words: 'migrate',
    usage: '',
    migrates: true,
    summary: 'Bring the schema of the database up to date.',
    details:
      '"npm start" does this too. Run it by itself before a new release is started, where that should not happen on the way.',
    async run(_given, { database, tell }) {
      const done = await migrate(database.db);
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
    summary: 'Make the demo organisation, with well-known credentials, for trying things out.',
    details:
      'On the embedded database the first start does this. It is refused with NODE_ENV=production and where HOST can be reached from elsewhere, because everybody knows its passwords; DEMO=1 insists.',
    async run(_given, tools) {
      const { config, database, now, tell } = tools;
      if (!config.demo) {
        throw new Error(
          'The demo organisation has passwords that everybody knows, and this service is for production or can be reached from elsewhere. If you mean it, run: DEMO=1 npm run seed',
        );
      }
      await migrate(database.db);
      const { admin, employee, password, apiKey, apiToken } = demoCredentials;
      const isNew = await withJobs(tools, () => createDemo(database.db, now));
      tell(
        isNew
          ? `Made the demo organisation in ${database.place}.`
          : `The demo organisation is there already, in ${database.place}.`,
      );
      tell(
        `Sign in as ${admin} or ${employee}, password ${password}, Api-Key ${apiKey}; api_token of the public API: ${apiToken}`,
      );
    },
  },
];

/** Verbs put their jobs into the queue; whoever runs workers on this database does them. */
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
