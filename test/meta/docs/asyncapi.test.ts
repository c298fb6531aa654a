import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, it, onTestFinished } from 'vitest';
import { asAsyncApi } from '../../../scripts/docs/editions/asyncapi.ts';
import { forTools } from '../../../scripts/docs/editions/for_tools.ts';
import { mapSchemas } from '../../../scripts/docs/editions/schemas.ts';
import { publishedContract } from '../../../scripts/docs/publish.ts';
import { readContract, wordsOf, type Schema } from '../../../src/platform/http/contract_document.ts';

interface Message {
  readonly payload: { readonly $ref: string };
  readonly headers: Schema;
  readonly examples: readonly { readonly payload: object }[];
}

const root = path.resolve(import.meta.dirname, '../../..');
const document = asAsyncApi(forTools(publishedContract('v3'))) as {
  readonly components: {
    readonly messages: Readonly<Record<string, Message>>;
    readonly schemas: Readonly<Record<string, Schema>>;
  };
};
const messages = Object.entries(document.components.messages);

describe('the messages to webhooks in AsyncAPI 3.0', () => {
  it('are a document in which a linter finds no mistake', () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'punchcard-asyncapi-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(path.join(folder, 'redocly.yaml'), 'rules: { struct: error, no-unresolved-refs: error }');
    writeFileSync(path.join(folder, 'webhooks.json'), JSON.stringify(document));
    const linter = path.join(root, 'node_modules/@redocly/cli/bin/cli.js');
    const { status, stdout, stderr } = spawnSync(process.execPath, [linter, 'lint', 'webhooks.json'], {
      cwd: folder,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_NOTIFICATIONS: 'true' },
      encoding: 'utf8',
    });
    expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('is valid')]);
  });

  it('describe in JSON Schema draft 7 what arrived', () => {
    const ajv = new Ajv({ strict: false });
    addFormats.default(ajv);
    ajv.addSchema(document, 'document');
    for (const [name, { payload, headers, examples }] of messages) {
      const isValid = ajv.compile({ $ref: `document${payload.$ref}` });
      expect(examples.map((example) => isValid(example.payload))).toEqual([true]);
      expect(isValid({ ...examples[0]!.payload, timestamp: 1 }), name).toBe(false);
      expect(headers.required, name).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature']);
    }
    mapSchemas(document, (schema) => {
      // Draft 7 ignores what stands beside a reference.
      if ('$ref' in schema) expect(Object.keys(schema)).toEqual(['$ref']);
      return schema;
    });
  });

  it('are about every event', () => {
    const names = messages.flatMap(([, { payload }]) => {
      const { properties } = document.components.schemas[payload.$ref.split('/').at(-1)!]!;
      return properties!['type']!.enum ?? [];
    });
    expect(names.toSorted()).toEqual(wordsOf(readContract('v3'), 'EventName').toSorted());
  });
});
