/**
 * Generates generated/ from openapi/ and src/platform/db/migrations/: the bundled contracts, their types, the schema of the database as SQL,
 * its types, and the list of migrations. It also stores a fingerprint of the arithmetic of time accounts.
 * With --contract-only it leaves what is about the database as it is.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { generate as generateTables, PostgresDialect } from 'kysely-codegen';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { parse } from 'yaml';
import { openDatabase } from '../src/platform/db/connection.ts';
import { schemaFile, schemaOf } from '../src/platform/db/adoption/schema.ts';
import {
  operationsOf,
  operationsWith,
  readContract,
  type Contract,
  type Parameter,
} from '../src/platform/http/contract_document.ts';
import { fieldsModule, writtenAttributesModule } from './contract/fields.ts';
import { addReadOnly } from './contract/read_only.ts';
import { addFieldsParameters } from './contract/fields_parameters.ts';
import { createMissingExampleFiles, readExampleFiles } from './examples/files.ts';
import { addFrameHeaders, addPreference } from './contract/headers.ts';
import { addFrameResponses, readFrameResponses } from './contract/frame_responses.ts';
import { columnKindsModule, listFiltersModule } from './list_columns.ts';
import { addUpcomingChanges } from './contract/upcoming_changes.ts';

const root = path.resolve(import.meta.dirname, '..');
const inRoot = (file: string): string => path.join(root, file);

const { headers: describedHeaders, parameters } = parse(readFileSync(inRoot('openapi/common.yaml'), 'utf8')) as {
  headers: Record<string, Record<string, unknown>>;
  parameters: Record<string, Parameter>;
};
const frameResponses = readFrameResponses();
const preference = parameters['prefer_strict_body']!;

async function generateContract(api: string): Promise<void> {
  const bundle = inRoot(`generated/${api}.json`);
  const cli = inRoot('node_modules/@redocly/cli/bin/cli.js');
  // Redocly reports progress on stderr too, so its output is shown only if it fails.
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'bundle', api, '--output', bundle], {
    cwd: root,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_NOTIFICATIONS: 'true' },
    encoding: 'utf8',
  });
  if (status !== 0) {
    console.error(`${stdout}${stderr}\nRedocly cannot bundle openapi/${api}.yaml: correct the lines above.`);
    process.exit(1);
  }
  const bundled = JSON.parse(readFileSync(bundle, 'utf8')) as Contract;
  const [fields, writtenAttributes] = [fieldsModule(bundled), writtenAttributesModule(bundled)];
  const document = addFieldsParameters(
    addUpcomingChanges(
      addFrameHeaders(
        addFrameResponses(addPreference(addReadOnly(bundled), preference), frameResponses),
        describedHeaders,
      ),
    ),
  );
  writeFileSync(bundle, JSON.stringify(document, null, 1) + '\n');
  const types = await openapiTS(document as never, { alphabetize: false });
  writeFileSync(inRoot(`generated/${api}.ts`), COMMENT_HEADER + astToString(types));
  console.log(`generated/${api}.json and generated/${api}.ts: ${operationsOf(document).length} operations`);
  if (api !== 'v3') return;
  writeFileSync(inRoot('generated/list_filters.ts'), listFiltersModule(document));
  writeFileSync(inRoot('generated/fields.ts'), fields);
  writeFileSync(inRoot('generated/written_attributes.ts'), writtenAttributes);
  console.log('generated/list_filters.ts, generated/fields.ts and generated/written_attributes.ts');
}

/** Collects the requests, errors and events of the examples. The contract refers to the responses itself. */
function generateExamples(): void {
  const files = readExampleFiles();
  const collected = Object.entries(files).map(([api, examples]) => [
    api,
    Object.fromEntries(
      Object.entries(examples).map(([operationId, { request, errors, events }]) => [
        operationId,
        { request, errors, ...(events ? { events } : {}) },
      ]),
    ),
  ]);
  writeFileSync(inRoot('generated/examples.json'), JSON.stringify(Object.fromEntries(collected), null, 1) + '\n');
  const count = Object.values(files).flatMap((examples) => Object.keys(examples)).length;
  console.log(`generated/examples.json: ${count} examples`);
}

/** Names the operations that take an Idempotency-Key, and the reads that write, for the client. */
function generateKeyedOperations(): void {
  const keyedIn = (contract: Contract): string[] => {
    const keyed = operationsWith(contract, 'Idempotency-Key');
    return operationsOf(contract)
      .filter(({ operation }) => keyed.has(operation.operationId))
      .map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  };
  const lists = { v3: keyedIn(readContract('v3')), public: keyedIn(readContract('public')) };
  const writingReads = (['v3', 'public'] as const).flatMap((api) => {
    const contract = readContract(api);
    return operationsOf(contract)
      .filter(({ operation }) => operation['x-writes'] === true)
      .map(({ path }) => contract.servers[0]!.url + path);
  });
  const module = `export const keyedOperations = ${JSON.stringify(lists, null, 2)};
export const writingReads: readonly string[] = ${JSON.stringify(writingReads, null, 2)};\n`;
  writeFileSync(inRoot('generated/keyed_operations.ts'), module);
  console.log('generated/keyed_operations.ts');
}

/** Lists the files in migrations/. Each is loaded when it has to run. */
function generateMigrations(): void {
  const names = readdirSync(inRoot('src/platform/db/migrations'))
    .filter((name) => name.endsWith('.ts'))
    .sort();
  const lines = names.map(
    (name) => `  '${path.basename(name, '.ts')}': () => import('../src/platform/db/migrations/${name}'),\n`,
  );
  const module = `/** This file was generated by \`npm run generate\`. Do not edit it. */\nexport const migrations = {\n${lines.join('')}};\n`;
  writeFileSync(inRoot('generated/migrations.ts'), module);
  console.log(`generated/migrations.ts: ${names.length} migrations`);
}

/** Reads the types from a migrated embedded database, which has the same schema as a PostgreSQL server. */
async function generateDatabaseTypes(): Promise<void> {
  // Loaded after the list of migrations was written.
  const { migrateSchema } = await import('../src/platform/db/migrate.ts');
  const database = await openDatabase({ memory: true });
  await migrateSchema(database.db);
  writeFileSync(inRoot('generated/schema.sql'), schemaFile(await schemaOf(database.db)));
  const dialect = new PostgresDialect({ dateParser: 'string', numericParser: 'number' });
  await generateTables({
    db: database.db as never,
    dialect,
    outFile: inRoot('generated/db.ts'),
    excludePattern: '{kysely_*,pgboss.*}',
    // The connection parses bigint into number.
    typeMapping: { int8: 'number' },
  });
  writeFileSync(inRoot('generated/column_kinds.ts'), await columnKindsModule(database.db));
  const tables = (await database.db.introspection.getTables()).filter(({ name }) => !name.startsWith('kysely_'));
  await database.close();
  console.log(`generated/schema.sql, generated/db.ts and generated/column_kinds.ts: ${tables.length} tables`);
}

/** A fingerprint of everything that a time account depends on beside the records: see src/days/balance/month_cache.ts. */
function generateTimeAccountRules(): void {
  const folders = ['src/days/calendar', 'src/days/calendar/vacation', 'src/days/balance'];
  const sources = folders.flatMap((folder) => readdirSync(inRoot(folder)).map((name) => `${folder}/${name}`));
  const packages = ['date-holidays', 'date-holidays-parser', 'luxon'].map(
    (name) => `node_modules/${name}/package.json`,
  );
  const hash = createHash('sha256');
  for (const file of ['src/platform/core/time.ts', ...sources.filter((name) => name.endsWith('.ts')), ...packages])
    hash.update(readFileSync(inRoot(file)));
  const fingerprint = hash.digest('hex').slice(0, 16);
  writeFileSync(inRoot('generated/time_account_rules.ts'), `export const timeAccountRules = '${fingerprint}';\n`);
  console.log('generated/time_account_rules.ts');
}

createMissingExampleFiles();
generateTimeAccountRules();
await generateContract('v3');
await generateContract('public');
generateKeyedOperations();
generateExamples();
if (!process.argv.includes('--contract-only')) {
  generateMigrations();
  await generateDatabaseTypes();
}
