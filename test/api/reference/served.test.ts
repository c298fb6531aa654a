import { beforeAll, describe, expect, it } from 'vitest';
import { forTools } from '../../../scripts/docs/editions/for_tools.ts';
import { publishedContract } from '../../../scripts/docs/publish.ts';
import { withDemoDates } from '../../../src/programs/docs/sample_dates.ts';
import { sampleOrigin } from '../../../src/programs/docs/serve.ts';
import { operationsOf } from '../../../src/platform/http/contract_document.ts';
import { service } from '../../support/service.ts';
import { freshDocs } from '../../support/processes/fresh_build.ts';

beforeAll(freshDocs);

const read = async (name: string): Promise<{ type: string | null; text: string }> => {
  const response = await fetch(`${(await service()).url}/openapi/${name}`);
  expect(response.status).toBe(200);
  return { type: response.headers.get('content-type'), text: await response.text() };
};

describe.each(['v3', 'public'] as const)('the contract of %s', (api) => {
  it('is served as JSON and as YAML with the same operations', async () => {
    const [json, yaml] = [await read(`${api}.json`), await read(`${api}.yaml`)];
    expect([json.type, yaml.type]).toEqual([
      expect.stringMatching(/^application\/json\b/),
      expect.stringMatching(/^application\/yaml\b/),
    ]);
    const published = publishedContract(api);
    const here = withDemoDates(JSON.stringify(forTools(published)).replaceAll(sampleOrigin, (await service()).url));
    expect(JSON.parse(json.text)).toEqual(JSON.parse(here));
    const operationIds = [...yaml.text.matchAll(/^ {6}operationId: (\w+)$/gm)].map((match) => match[1]);
    const messages = Object.values(published.webhooks ?? {}).map(({ post }) => post.operationId);
    expect(operationIds).toEqual([
      ...operationsOf(published).map(({ operation }) => operation.operationId),
      ...messages,
    ]);
  });
});
