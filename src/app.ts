import express, { type Express, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import qs from 'qs';
import { publicAbsenceTypeHandlers } from './absence_types/public.ts';
import { absenceTypeHandlers } from './absence_types/v3.ts';
import { createForUsers } from './absences/create_for_many.ts';
import { publicAbsenceHandlers } from './absences/public.ts';
import { absenceHandlers } from './absences/v3.ts';
import { accountHandlers } from './accounts/v3.ts';
import { actionHandlers } from './actions/v3.ts';
import { apiTokenHandlers } from './api_tokens/v3.ts';
import { workingAreaHandlers } from './areas/public.ts';
import { areaHandlers } from './areas/v3.ts';
import { forgetOldAttempts } from './auth/attempts.ts';
import { authJobs } from './auth/mails.ts';
import { authHandlers } from './auth/v3.ts';
import type { BatchStep } from './batch_actions/batches.ts';
import { batchJobs } from './batch_actions/chunks.ts';
import { batchActionHandlers } from './batch_actions/v3.ts';
import type { operations } from '../generated/v3.ts';
import type { Config } from './config.ts';
import { AppError } from './core/errors.ts';
import { dataProfileHandlers } from './data_profiles/v3.ts';
import type { Database, Db } from './db/connection.ts';
import { docsRouter } from './docs/serve.ts';
import type { SignedLinks } from './files/links.ts';
import { filesRouter } from './files/serve.ts';
import { apiRouter } from './http/api.ts';
import { bearerIn, credentialsIn, requirePlaceAndRole, type Credentials } from './http/security/authenticate.ts';
import type { Api, MatchedRequest } from './http/definition.ts';
import { errorHandler } from './http/answers/errors.ts';
import { healthRouter } from './http/server/health.ts';
import { forgetOldAnswers } from './http/requests/idempotency.ts';
import { inOrder } from './http/server/in_order.ts';
import { introduction } from './http/server/first_steps.ts';
import { createMetrics } from './http/server/metrics.ts';
import { publicApi } from './http/public.ts';
import { rateLimit, type RateLimit } from './http/security/rate_limits.ts';
import { requestIdOf } from './http/requests/request_id.ts';
import { requestLog } from './http/server/request_log.ts';
import { readContract } from './http/spec.ts';
import { uploadMemory } from './http/security/upload_memory.ts';
import { v3 } from './http/v3.ts';
import { industryExampleHandlers } from './industry_examples/v3.ts';
import type { JobHandlers } from './jobs/queue.ts';
import type { Mailer } from './mail/mailer.ts';
import { notificationSteps } from './notifications/inbox.ts';
import { notificationHandlers } from './notifications/v3.ts';
import { pingHandlers } from './ping/public.ts';
import { roleHandlers } from './roles/v3.ts';
import { statusHandlers } from './status/v3.ts';
import { tagHandlers } from './tags/v3.ts';
import { warningJobs, warningSchedules } from './working_time_rules/warnings.ts';
import { timeTrackingSteps } from './time_trackings/batch_steps.ts';
import { timeTrackingHandlers } from './time_trackings/v3.ts';
import { uploadHandlers } from './uploads/public.ts';
import { publicUserHandlers } from './users/public.ts';
import { userHandlers } from './users/v3.ts';
import { vacationEntitlementHandlers } from './vacation_entitlements/public.ts';
import { locationHandlers } from './workspaces/public.ts';
import { workspaceHandlers } from './workspaces/v3.ts';

/** Every operation of the resource API: the compiler refuses a missing one and one too many. */
export const v3Handlers = (config: Config) =>
  v3.complete({
    ...statusHandlers,
    ...authHandlers(config),
    ...industryExampleHandlers,
    ...accountHandlers,
    ...apiTokenHandlers,
    ...dataProfileHandlers,
    ...workspaceHandlers,
    ...roleHandlers,
    ...areaHandlers,
    ...tagHandlers,
    ...actionHandlers,
    ...userHandlers,
    ...timeTrackingHandlers,
    ...absenceHandlers,
    ...absenceTypeHandlers,
    ...notificationHandlers,
    ...batchActionHandlers,
  });

/** Every operation of the public API. */
export const publicHandlers = publicApi.complete({
  ...pingHandlers,
  ...locationHandlers,
  ...publicAbsenceTypeHandlers,
  ...workingAreaHandlers,
  ...publicUserHandlers,
  ...uploadHandlers,
  ...vacationEntitlementHandlers,
  ...publicAbsenceHandlers,
});

/** Everything that is done in batches, by the action that names it. */
export const batchSteps: Readonly<Record<string, BatchStep>> = {
  ...timeTrackingSteps,
  'absences.create': createForUsers,
  ...notificationSteps,
};

/** What time it is, unless a run is to have a time of its own. */
const systemClock = (): Date => new Date();

/** Every kind of job. */
export const jobHandlers = (db: Db, mailer: Mailer, config: Config, clock = systemClock): JobHandlers => ({
  ...authJobs(db, mailer, config.appUrl),
  ...batchJobs(db, batchSteps, clock),
  ...warningJobs(db, clock),
  housekeeping: async () => {
    await forgetOldAnswers(db, clock());
    await forgetOldAttempts(db, clock());
  },
});

/** The jobs that come by the clock, as cron says it. */
export const jobSchedules: Readonly<Record<string, string>> = { ...warningSchedules, housekeeping: '17 * * * *' };

export interface Parts {
  readonly config: Config;
  readonly database: Database;
  readonly links: SignedLinks;
  readonly log: Logger;
  readonly clock?: () => Date;
  /** How many jobs wait. */
  readonly queueDepth?: () => Promise<number>;
  /** False once the process has been told to stop: it should be sent nothing new. */
  readonly isReady?: () => boolean;
  /** True once it answers nothing new any more. */
  readonly isStopping?: () => boolean;
}

export function createApp({
  config,
  database,
  links,
  log,
  clock = systemClock,
  queueDepth = async () => 0,
  isReady = () => true,
  isStopping = () => false,
}: Parts): Express & { warmUp(): Promise<void> } {
  const { db } = database;
  const shared = {
    db,
    links,
    clock,
    gitCommit: config.gitCommit,
    publicUrl: config.publicUrl,
    fencesReads: config.rowLevelSecurity === 'full',
    uploads: uploadMemory(config.uploadMemoryMebibytes * 2 ** 20),
  };
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', trustProxy(config.trustProxy));
  // Every answer has a request id of its own, so that no two are ever equal.
  app.set('etag', false);
  // Express's own parser would cut filters at reserved characters.
  app.set('query parser', (text: string) => qs.parse(text, { depth: 2, arrayLimit: 100, parameterLimit: 200 }));
  const metrics = createMetrics(database.pool, queueDepth);
  app.use(inOrder(requestLog(log), metrics.count));
  app.get('/metrics', metrics.show);
  app.use('/health', healthRouter(db, isReady));
  app.use(introduction(isStopping));

  const entrance = { credentials: credentialsIn(db), limited: rateLimit(db, config.limits.requestsPerMinute, log) };
  const apis = [apiRouter(resourceApi(config, shared, entrance)), apiRouter(enterpriseApi(shared, entrance))] as const;
  app.use('/api/v3', apis[0]);
  app.use('/public_api/v1', inOrder(noStore, apis[1]));
  app.use(filesRouter(db, links));
  app.use(docsRouter());
  app.use(() => {
    throw new AppError(404, [
      {
        pointer: 'base',
        title:
          'There is nothing at this address. The APIs are at /api/v3 and /public_api/v1, their reference at /docs.',
      },
    ]);
  });
  app.use(errorHandler((req) => ({ request_id: requestIdOf(req), git_commit: config.gitCommit })));
  const warmUp = async (): Promise<void> => {
    for (const api of apis) await api.warmUp(mostUsed);
  };
  return Object.assign(app, { warmUp });
}

/** What clients do all day; a process that has just started gets ready for it first. */
const mostUsed: readonly (keyof operations)[] = [
  'signIn',
  'getCurrentUser',
  'createAction',
  'listTimeTrackings',
  'listAbsences',
  'getWorkspace',
  'listUsers',
  'listAreas',
];

type Shared = Pick<Api, 'db' | 'links' | 'clock' | 'gitCommit' | 'publicUrl' | 'fencesReads' | 'uploads'>;

/** Who may come in, and how often. */
interface Entrance {
  readonly credentials: Credentials;
  readonly limited: RateLimit;
}

function resourceApi(config: Config, shared: Shared, { credentials, limited }: Entrance): Api {
  return {
    ...shared,
    contract: readContract('v3'),
    handlers: v3Handlers(config),
    hasMeta: true,
    isLenient: false,
    authenticate: {
      bearer: async (req, operation) => {
        const place = req.openapi!.pathParams;
        const token = bearerIn(req.get('Authorization'));
        const actor = await limited(req, token, () => credentials.actorWithToken(token, place));
        requirePlaceAndRole(actor, place, operation['x-role'] ?? 'none');
        return actor;
      },
      apiKey: async (req) => {
        const key = req.get('Api-Key');
        if (config.requireApiKey) await limited(req, key, () => credentials.requireApiKey(key, shared.clock()));
        return null;
      },
    },
  };
}

function enterpriseApi(shared: Shared, { credentials, limited }: Entrance): Api {
  const apiTokenIn = (req: MatchedRequest): string | undefined => {
    const inBody = (req.body as { api_token?: unknown } | undefined)?.api_token;
    return [inBody, req.query['api_token']].find((token): token is string => typeof token === 'string' && token !== '');
  };
  const authenticate = (req: MatchedRequest) =>
    limited(req, apiTokenIn(req), () => credentials.actorWithApiToken(apiTokenIn(req), shared.clock()));
  return {
    ...shared,
    contract: readContract('public'),
    handlers: publicHandlers,
    hasMeta: false,
    isLenient: true,
    authenticate: { apiToken: authenticate },
  };
}

/** The addresses in answers of the public API carry the token. */
const noStore: RequestHandler = (_req, res, next) => {
  res.set('Cache-Control', 'no-store');
  next();
};

function trustProxy(setting: string | undefined): boolean | number | string {
  if (setting === undefined) return false;
  return /^\d+$/.test(setting) ? Number(setting) : setting === 'true' ? true : setting;
}
