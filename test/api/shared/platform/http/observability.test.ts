import express from 'express';
import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { healthRouter } from '../../../../../src/platform/http/server/health.ts';
import { createMetrics } from '../../../../../src/platform/http/server/metrics.ts';
import { service } from '../../../../support/service.ts';
import { newWorld } from '../../../../support/world.ts';

describe('/metrics', () => {
  it('counts requests by operation and status, and never by address', async () => {
    const { url } = await service();
    const { admin } = await newWorld();
    await admin.call('getAccount');
    await supertest(url).get('/api/v3/some/invented/address');
    const { text, type } = await supertest(url).get('/metrics');
    expect(type).toBe('text/plain');
    expect(text).toMatch(/punchcard_requests_total\{operation="getAccount",status="200"\} [1-9]/);
    expect(text).toMatch(/punchcard_request_duration_seconds_bucket\{le="0.002",operation="getAccount"\}/);
    expect(text).toMatch(/punchcard_pool_connections [1-9]/);
    expect(text).toMatch(/punchcard_queue_depth \d/);
    expect(text).toMatch(/punchcard_change_feed_lag_seconds \d/);
    expect(text).toMatch(/punchcard_webhook_deliveries_waiting \d/);
    expect(text).toMatch(/punchcard_webhook_deliveries_retrying \d/);
    expect(text).toMatch(/punchcard_webhooks_failing \d/);
    expect(text).not.toContain('invented');
  });

  it('shows the other figures while the queue cannot be reached', async () => {
    const gone = () => Promise.reject(new Error('gone'));
    const never = () => new Promise<number>(() => {});
    for (const queueDepth of [gone, never]) {
      const { pool } = (await service()).database;
      const metrics = createMetrics({
        pool,
        waitingCount: () => 0,
        queueDepth,
        feedLagSeconds: gone,
        webhooks: { waitingDeliveries: gone, retryingDeliveries: gone, failingWebhooks: gone },
        hasRowLevelSecurity: true,
      });
      const { status, text } = await supertest(express().use(metrics.show)).get('/');
      expect(status).toBe(200);
      expect(text).toMatch(/punchcard_pool_connections \d/);
      expect(text).toMatch(/punchcard_queue_depth Nan/i);
    }
  });
});

describe('addresses of operators', () => {
  it.each(['/metrics/', '/METRICS', '/Metrics', '/health/ready/', '/Health/Ready', '/health/LIVE', '/HEALTH/live'])(
    '%s is none of them, because proxies block the exact address only',
    async (address) => {
      expect((await supertest((await service()).url).get(address)).status).toBe(404);
    },
  );
});

describe('/health', () => {
  it('is live and ready', async () => {
    const { url } = await service();
    expect((await supertest(url).get('/health/live')).body).toEqual({ status: 'live' });
    expect((await supertest(url).get('/health/ready')).body).toEqual({ status: 'ready' });
  });

  it('is live but not ready once the process is stopping', async () => {
    const app = express().use(healthRouter((await service()).database.pool, () => false));
    expect((await supertest(app).get('/health/live')).status).toBe(200);
    expect(await supertest(app).get('/health/ready')).toMatchObject({ status: 503, body: { status: 'not ready' } });
  });
});
