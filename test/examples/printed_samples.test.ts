import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { needsMail } from '../../scripts/docs/examples.ts';
import { publishedContract, readExamples } from '../../scripts/docs/publish.ts';
import { openDemoServer, type DemoServer } from '../../scripts/examples/demo_server.ts';
import { rememberRows } from '../../scripts/examples/fresh_rows.ts';
import { operationsOf } from '../../src/platform/http/contract_document.ts';
import { demoImage } from '../../src/programs/demo/image.ts';
import { withDemoDates } from '../../src/programs/docs/sample_dates.ts';
import { sampleOrigin } from '../../src/programs/docs/serve.ts';
import { closeRunners, folder, openRunners } from './runners.ts';

/*
 * Runs every sample as readers see it, alone on a fresh demo organisation: in curl and TypeScript on one day, and in Python and PHP
 * a year later. One of the days is a Saturday after the clocks changed, the other a Sunday at the end of a long month.
 */

const days = [
  ['2026-10-31T10:00:00Z', ['curl', 'TypeScript']],
  ['2027-10-31T10:00:00Z', ['Python', 'PHP']],
] as const;

interface Sample {
  readonly name: string;
  readonly isRead: boolean;
  /** The reader puts in their own secret, and the one in the sample is refused. */
  readonly needsMail: boolean;
  readonly sources: ReadonlyMap<string, string>;
}

const examples = readExamples();
const samples = (['v3', 'public'] as const).flatMap((api) =>
  operationsOf(publishedContract(api)).map(({ method, operation }): Sample => {
    const shown = operation as unknown as { 'x-codeSamples': { label: string; source: string }[] };
    const sources = new Map(shown['x-codeSamples'].map(({ label, source }) => [label, source]));
    const { operationId: name } = operation;
    return {
      name,
      isRead: method === 'get' && name !== 'switchRole',
      needsMail: needsMail(examples[api][name]!.request),
      sources,
    };
  }),
);

/** The files that samples send lie in the folder of the reader. */
const writeFiles = (): void => {
  const text = JSON.stringify(examples);
  for (const [, name] of text.matchAll(/"([\w-]+\.txt)"/g)) writeFileSync(path.join(folder, name!), 'A file.\n');
  writeFileSync(path.join(folder, 'signature.png'), demoImage());
};

const runners = openRunners();
afterAll(closeRunners);

describe.each(days)('on a demo organisation of %s', (day, languages) => {
  let server: DemoServer;
  let putBack: () => Promise<void>;
  let token = '';
  beforeAll(async () => {
    writeFiles();
    server = await openDemoServer(() => new Date(day));
    token = await signIn(server.url);
    putBack = await rememberRows(server.pool);
  });
  afterAll(() => server?.close());

  it.each(languages)(
    'every sample in %s runs as it is printed',
    async (language) => {
      const failures: string[] = [];
      for (const { name, isRead, needsMail, sources } of samples) {
        const source = withDemoDates(sources.get(language)!.replaceAll(sampleOrigin, server.url), new Date(day));
        const problem = await runners[language]!(name, source, token);
        if (!isRead) await putBack();
        if ((problem === '') === needsMail) failures.push(`${name}: ${problem.slice(0, 500)}`);
      }
      expect(failures).toEqual([]);
      expect(samples.length).toBeGreaterThan(240);
    },
    1_800_000,
  );
});

async function signIn(url: string): Promise<string> {
  const attributes = { email: 'admin@example.com', password: 'demo-password' };
  const response = await fetch(`${url}/api/v3/sign_in`, {
    method: 'POST',
    headers: { 'Api-Key': 'demo-api-key', 'Content-Type': 'application/json' },
    body: JSON.stringify({ data: { type: 'user', attributes } }),
  });
  return ((await response.json()) as { data: { attributes: { access_token: string } } }).data.attributes.access_token;
}
