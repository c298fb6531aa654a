/** A peer: Fastify with fastify-openapi-glue on both contracts, which routes, validates and secures, and JSON.stringify. */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import openapiGlue from 'fastify-openapi-glue';
import { isEnterprise, userOf } from './credentials.ts';
import type { Incoming, Operation } from '../operation.ts';
import { openPool, operationsOf } from './operations.ts';

const pool = openPool();
const contract = (name: string): string => path.resolve(import.meta.dirname, `../../../../generated/${name}.json`);
const users = new WeakMap<FastifyRequest, number>();

const fastify = Fastify({ ajv: { customOptions: { strict: false } } });
fastify.setSerializerCompiler(() => JSON.stringify);

const handlerOf = (operation: Operation) => async (request: FastifyRequest, reply: FastifyReply) => {
  const given = request.headers['x-request-id'];
  const { status, headers, body } = await operation({
    params: request.params as Incoming['params'],
    query: request.query as Incoming['query'],
    body: request.body,
    url: request.url,
    requestId: typeof given === 'string' ? given : randomUUID(),
    userId: users.get(request) ?? null,
  });
  return reply.code(status).headers(headers).type('application/json; charset=utf-8').send(body);
};

const operations = operationsOf(pool);
const serviceHandlers = Object.fromEntries(
  Object.entries(operations).map(([id, operation]) => [id, handlerOf(operation)]),
);

const securityHandlers = {
  async bearer(request: FastifyRequest): Promise<void> {
    const userId = await userOf(
      pool,
      request.headers.authorization,
      (request.params as Record<string, string>)['workspace_id'] ?? '0',
    );
    if (userId === null) throw new Error('unknown token');
    users.set(request, userId);
  },
  async apiToken(request: FastifyRequest): Promise<void> {
    if (!(await isEnterprise(pool, (request.query as Record<string, string>)['api_token'])))
      throw new Error('unknown token');
  },
  async apiKey(): Promise<void> {
    throw new Error('not part of the benchmark');
  },
  async apiTokenInBody(): Promise<void> {
    throw new Error('not part of the benchmark');
  },
};

fastify.register(openapiGlue, { specification: contract('v3'), serviceHandlers, securityHandlers, prefix: '/api/v3' });
fastify.register(openapiGlue, {
  specification: contract('public'),
  serviceHandlers,
  securityHandlers,
  prefix: '/public_api/v1',
});
await fastify.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' });
