import { describe, expect, it } from 'vitest';
import { consoleSamples } from '../../../scripts/docs/console.ts';
import type { ExampleRequest } from '../../../scripts/docs/examples.ts';
import { publishedContract, sampledOf } from '../../../scripts/docs/publish.ts';
import { curlSample } from '../../../scripts/docs/samples.ts';
import { apis, operationsOf } from '../../../src/platform/http/contract_document.ts';
import { withDemoDates } from '../../../src/programs/docs/sample_dates.ts';

describe.each(apis)('the requests in the console of %s', (api) => {
  it('are those of the printed samples, with their dates', () => {
    const createdAt = new Date('2027-10-31T10:00:00Z');
    const requests = JSON.parse(withDemoDates(consoleSamples(api), createdAt)) as Record<string, ExampleRequest>;
    const contract = publishedContract(api);
    for (const { method, path, operation } of operationsOf(contract)) {
      const request = requests[operation.operationId]!;
      const { 'x-codeSamples': samples } = operation as unknown as { 'x-codeSamples': { source: string }[] };
      expect(curlSample(sampledOf(api, contract, method, path, operation, { request }))).toBe(
        withDemoDates(samples[0]!.source, createdAt),
      );
    }
  });
});
