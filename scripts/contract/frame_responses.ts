import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { operationsOf, operationsWith, type Contract } from '../../src/platform/http/contract_document.ts';

/*
 * Adds the errors that the frame returns to the operations that can get them, so that no operation has to repeat them. They are
 * described in openapi/frame_responses.yaml.
 */

export interface FrameResponse {
  readonly description: string;
  readonly status: string;
  readonly code: string;
  readonly title: string;
  /** The header that the problem is about, if there is one. */
  readonly header?: string;
}

const file = path.resolve(import.meta.dirname, '../../openapi/frame_responses.yaml');

export const readFrameResponses = (): Record<string, FrameResponse> =>
  parse(readFileSync(file, 'utf8')) as Record<string, FrameResponse>;

/** What operations can be answered with, by status. An operation that describes a status itself keeps its description. */
export function addFrameResponses(contract: Contract, described: Readonly<Record<string, FrameResponse>>): Contract {
  const isPublic = contract.servers[0]!.url.startsWith('/public_api');
  const keyed = operationsWith(contract, 'Idempotency-Key');
  const used = new Set<string>();
  for (const { method, operation } of operationsOf(contract)) {
    const hasBody = operation.requestBody !== undefined;
    const possible: readonly (readonly [number, string, boolean])[] = [
      [403, 'ReadOnlyToken', isPublic && method !== 'get'],
      [408, 'RequestTimeout', hasBody],
      [409, 'KeyReused', keyed.has(operation.operationId)],
      [413, 'ContentTooLarge', hasBody],
      [415, 'UnsupportedMediaType', hasBody],
      [429, 'RateLimited', operation.security?.length !== 0],
      [500, 'InternalServerError', true],
      [503, 'ServiceUnavailable', true],
    ];
    for (const [status, name, isPossible] of possible) {
      if (!isPossible || status in operation.responses) continue;
      used.add(name);
      Object.assign(operation.responses, { [status]: { $ref: `#/components/responses/${name}` } });
    }
  }
  const { responses } = contract.components as { responses?: object };
  const added = [...used].map((name) => [name, responseOf(described[name]!)]);
  Object.assign(contract.components, { responses: { ...responses, ...Object.fromEntries(added) } });
  return contract;
}

/** The address of the other examples in openapi/common.yaml. */
const catalogue = 'https://time.example.com/docs/v3/guides/error-codes';

const meta = { request_id: '5f0c3f0e-6f1c-4a55-9d6a-0a3f3a8d9b11', git_commit: '2f1a9c47d0b3' };

const responseOf = ({ description, status, code, title, header }: FrameResponse): object => ({
  description,
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Errors' },
      example: {
        errors: [
          {
            status,
            code,
            source: { pointer: header ?? 'base', header },
            title,
            links: { about: `${catalogue}#${code}` },
          },
        ],
        meta,
      },
    },
  },
});
