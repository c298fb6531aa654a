import { afterEach, describe, expect, it, vi } from 'vitest';
import { Document } from 'yaml';
import { forTools } from '../../src/docs/editions/for_tools.ts';
import { publishedContract } from '../../src/docs/publish.ts';
import { sampleOrigin } from '../../src/docs/samples.ts';
import { operationsOf } from '../../src/http/contract_document.ts';
import { service } from '../support/service.ts';

const read = async (name: string): Promise<{ type: string | null; text: string }> => {
  const response = await fetch(`${(await service()).url}/openapi/${name}`);
  expect(response.status).toBe(200);
  return { type: response.headers.get('content-type'), text: await response.text() };
};

describe.each(['v3', 'public'] as const)('the contract of %s', (api) => {
  afterEach(() => vi.restoreAllMocks());

  it('is served as JSON and as YAML with the same operations', async () => {
    const [json, yaml] = [await read(`${api}.json`), await read(`${api}.yaml`)];
    expect([json.type, yaml.type]).toEqual([
      expect.stringMatching(/^application\/json\b/),
      expect.stringMatching(/^application\/yaml\b/),
    ]);
    const published = publishedContract(api);
    const here = JSON.stringify(forTools(published)).replaceAll(sampleOrigin, (await service()).url);
    expect(JSON.parse(json.text)).toEqual(JSON.parse(here));
    const operationIds = [...yaml.text.matchAll(/^ {6}operationId: (\w+)$/gm)].map((match) => match[1]);
    const messages = Object.values(published.webhooks ?? {}).map(({ post }) => post.operationId);
    expect(operationIds).toEqual([
      ...operationsOf(published).map(({ operation }) => operation.operationId),
      ...messages,
    ]);
  });

  it('is made once, not at each request: strangers may ask, and to make it stops everything else', async () => {
    const first = [await read(`${api}.json`), await read(`${api}.yaml`)];
    const [toYaml, toJson] = [vi.spyOn(Document.prototype, 'toString'), vi.spyOn(JSON, 'stringify')];
    expect([await read(`${api}.json`), await read(`${api}.yaml`)]).toEqual(first);
    expect(toYaml).not.toHaveBeenCalled();
    expect(toJson.mock.calls.filter(([value]) => isContract(value))).toEqual([]);
  });
});

const isContract = (value: unknown): boolean => typeof value === 'object' && value !== null && 'openapi' in value;
