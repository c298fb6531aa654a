import express, { type Express, type Request, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import qs from 'qs';
import type { operations } from '../../generated/v3.ts';
import { apiTokenIn, bearerIn, credentialsIn, type Credentials } from '../access/auth/credentials.ts';
import { calendarsRouter } from '../integration/calendar_feeds/serve.ts';
import type { Config } from '../platform/config.ts';
import { networkOf } from '../platform/core/client_network.ts';
import { AppError } from '../platform/core/errors.ts';
import type { Actor } from '../platform/core/permissions.ts';
import type { Database } from '../platform/db/connection.ts';
import { sharesOf } from '../platform/db/driver/connection_shares.ts';
import type { Readers } from '../platform/db/readers/readers.ts';
import { acceptsDemoCredentials, demoCreatedAt } from './demo/credentials.ts';
import { apiCatalogRouter } from './docs/api_catalog.ts';
import { withDemoDates } from './docs/sample_dates.ts';
import { docsRouter } from './docs/serve.ts';
import { mcpRouter } from './mcp/router.ts';
import type { SignedLinks } from '../platform/files/links.ts';
import { changeFeed, type ChangeFeed } from '../integration/events/feed/feed.ts';
import { feedLagSeconds } from '../integration/events/feed/lag.ts';
import { filesRouter } from '../platform/files/serve.ts';
import { errorHandler } from '../platform/http/answers/errors.ts';
import { apiRouter } from '../platform/http/api.ts';
import type { ApiDefinition, Authenticate } from '../platform/http/api_definition.ts';
import { readContract, wordsOf } from '../platform/http/contract_document.ts';
import { requireAccess, type PathScope } from '../platform/http/security/access.ts';
import { rateLimit, type RateLimit } from '../platform/http/security/rate_limits.ts';
import { uploadMemory } from '../platform/http/security/upload_memory.ts';
import { commonMiddleware } from '../platform/http/server/common_middleware.ts';
import { healthRouter } from '../platform/http/server/health.ts';
import { createMetrics } from '../platform/http/server/metrics.ts';
import { chain } from '../platform/http/server/middleware_chain.ts';
import { requestLog } from '../platform/http/server/request_log.ts';
import { publicHandlers, v3Handlers } from './operations.ts';
import { failingWebhooks, retryingDeliveries, waitingDeliveries } from '../integration/webhooks/figures.ts';

export interface Parts {
  readonly config: Config;
  readonly database: Database;
  /** The servers that answer reads. */
  readonly readers?: Readers | undefined;
  readonly links: SignedLinks;
  readonly log: Logger;
  readonly clock?: () => Date;
  /** The number of jobs that wait. */
  readonly queueDepth?: () => Promise<number>;
  /** Whether transactions take on the role that row-level security applies to. */
  readonly hasRowLevelSecurity?: boolean;
  /** False once the process is stopping. It should get no new requests then. */
  readonly isReady?: () => boolean;
  /** True once new requests are answered with 503. */
  readonly isStopping?: () => boolean;
}

/** The HTTP app with both APIs, files, the reference, health checks and metrics. */
export function createApp({
  config,
  database,
  readers,
  links,
  log,
  clock = () => new Date(),
  queueDepth = async () => 0,
  hasRowLevelSecurity = true,
  isReady = () => true,
  isStopping = () => false,
}: Parts): Express & { warmUp(): Promise<void> } {
  const { db, pool } = database;
  const { dbFor, waitingCount } = sharesOf(database, config.poolPerAccount);
  const shared = {
    dbFor,
    readers,
    links,
    clock,
    gitCommit: config.gitCommit,
    publicUrl: config.publicUrl,
    securesReads: config.rowLevelSecurity === 'full',
    uploadMemory: uploadMemory(config.uploadMemoryMebibytes * 2 ** 20),
  };
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', trustProxy(config.trustProxy));
  // Every response contains its request id, so that no two are ever equal.
  app.set('etag', false);
  // Express's own parser would cut filters at reserved characters.
  app.set('query parser', (text: string) => qs.parse(text, { depth: 2, arrayLimit: 100, parameterLimit: 200 }));
  const metrics = createMetrics({
    pool,
    waitingCount,
    readers,
    queueDepth,
    feedLagSeconds: () => feedLagSeconds(db),
    webhooks: {
      waitingDeliveries: () => waitingDeliveries(db),
      retryingDeliveries: () => retryingDeliveries(db),
      failingWebhooks: () => failingWebhooks(db),
    },
    hasRowLevelSecurity,
  });
  app.use(chain(requestLog(log), metrics.count));
  app.use(healthRouter(pool, isReady).get('/metrics', metrics.show));
  app.use(commonMiddleware(isStopping));

  const entrance = {
    credentials: credentialsIn(db, { sessions: config.sessions, clock: shared.clock, readers }),
    limited: rateLimit(db, config.limits.requestsPerMinute, log),
  };
  const contract = readContract('v3');
  const feed = changeFeed({ sign: links.sign, isStopping, eventNames: wordsOf(contract, 'EventName') });
  const enterpriseContract = readContract('public');
  const apis = [
    apiRouter({ ...resourceApi(config, shared, entrance, feed), contract }),
    apiRouter({ ...enterpriseApi(config, shared, entrance, feed), contract: enterpriseContract }),
  ] as const;
  app.use('/api/v3', chain(isPrivate, apis[0]));
  app.use('/public_api/v1', chain(noStore, apis[1]));
  const { credentials, limited } = entrance;
  const authenticate = (req: Request): Promise<Actor> => {
    const token = bearerIn(req.get('Authorization'));
    return limited(req, token, () => credentials.actorWithToken(token, undefined));
  };
  app.use(mcpRouter({ contract, gitCommit: config.gitCommit, publicUrl: config.publicUrl, authenticate }));
  app.use(filesRouter(dbFor, links));
  app.use(calendarsRouter({ ...shared, limited: entrance.limited }));
  app.use(apiCatalogRouter({ v3: contract, public: enterpriseContract }, config.publicUrl));
  app.use(
    docsRouter({
      publicUrl: config.publicUrl,
      hasDemo: () => acceptsDemoCredentials(db),
      demoCreatedAt: () => demoCreatedAt(db),
      withDates: withDemoDates,
    }),
  );
  app.use(() => {
    throw new AppError(404, [
      {
        code: 'unknown_path',
        pointer: 'base',
        title:
          'There is nothing at this address. The APIs are at /api/v3 and /public_api/v1, their reference at /docs.',
      },
    ]);
  });
  app.use(errorHandler(config));
  const warmUp = async (): Promise<void> => {
    for (const api of apis) await api.warmUp(mostUsed);
  };
  return Object.assign(app, { warmUp });
}

/** The operations that clients use all day. A new process compiles them first. */
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

type Shared = Omit<ApiDefinition, 'contract' | 'changesPage' | 'handlers' | 'hasMeta' | 'isLenient' | 'authenticate'>;

/** Credentials and rate limits. */
interface Entrance {
  readonly credentials: Credentials;
  readonly limited: RateLimit;
}

function resourceApi(
  config: Config,
  shared: Shared,
  { credentials, limited }: Entrance,
  feed: ChangeFeed,
): Omit<ApiDefinition, 'contract'> {
  return {
    ...shared,
    changesPage: '/docs/v3#tag/Upcoming-changes',
    handlers: v3Handlers(config, feed, credentials),
    hasMeta: true,
    isLenient: false,
    authenticate: {
      bearer: async (req, operation) => {
        const token = bearerIn(req.get('Authorization'));
        const params: PathScope = req.params;
        const actor = await limited(req, token, () => credentials.actorWithToken(token, params.workspace_id));
        requireAccess(actor, params, operation['x-role'] ?? 'none');
        return actor;
      },
      apiKey: async (req) => {
        const authenticate = async (): Promise<null> => {
          if (config.requireApiKey) await credentials.requireApiKey(req.get('Api-Key'));
          return null;
        };
        // Every installed copy of a program has the same key. Counted by it, one client could keep all others out.
        return limited(req, `address\n${networkOf(req.ip ?? '')}`, authenticate, 'This IP address');
      },
    },
  };
}

function enterpriseApi(
  config: Config,
  shared: Shared,
  { credentials, limited }: Entrance,
  feed: ChangeFeed,
): Omit<ApiDefinition, 'contract'> {
  const authenticate: Authenticate = (req) => {
    const token = apiTokenIn(req.body, req.query, req.get('Authorization'));
    return limited(req, token, () => credentials.actorWithApiToken(token, { isRead: req.method === 'GET' }));
  };
  return {
    ...shared,
    changesPage: '/docs/public#tag/Upcoming-changes',
    handlers: publicHandlers(config, feed, credentials),
    hasMeta: false,
    isLenient: true,
    authenticate: { apiToken: authenticate, bearer: authenticate },
  };
}

/** An answer is for one person. Only their own cache may store it, and it asks again before each use. */
const isPrivate: RequestHandler = (_req, res, next) => {
  res.setHeader('Cache-Control', 'private, no-cache');
  next();
};

/** Responses of the public API may contain addresses with the token in them. */
const noStore: RequestHandler = (_req, res, next) => {
  res.set('Cache-Control', 'no-store');
  next();
};

function trustProxy(setting: string | undefined): boolean | number | string {
  if (setting === undefined) return false;
  return /^\d+$/.test(setting) ? Number(setting) : setting === 'true' ? true : setting;
}
