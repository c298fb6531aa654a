import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { verifyWebhook } from '../../../../../src/client/client.ts';
import { readContract } from '../../../../../src/platform/http/contract_document.ts';
import { newWorld } from '../../../../support/world.ts';
import { newArea, startReceiver, webhooksOf } from './support.ts';

const guide = readFileSync(path.resolve(import.meta.dirname, '../../../../../openapi/guides/webhooks.md'), 'utf8');
const sampleIn = (language: string): string => new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(guide)![1]!;

const secret = `whsec_${Buffer.from('a secret for this test only 1234').toString('base64')}`;
const body = JSON.stringify({ type: 'area.created', title: 'Küche' });

function request(at = new Date()): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signature = new Webhook(secret).sign('msg_1', at, body);
  return { 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,other ${signature}` };
}

const runners: Record<string, () => { source: string; command: string }> = {
  js: () => ({
    source: `${sampleIn('js')}\nconst [s, h, b] = JSON.parse(process.argv[2]);\nconsole.log(verified(s, h, b).title);`,
    command: process.execPath,
  }),
  python: () => ({
    source: `${sampleIn('python')}\nimport sys\ns, h, b = json.loads(sys.argv[1])\nprint(verified(s, h, b.encode())["title"])`,
    command: 'python3',
  }),
  php: () => ({
    source: `<?php\n${sampleIn('php')}\n[$s, $h, $b] = json_decode($argv[1], true);\necho verified($s, array_combine(array_map('ucwords', array_keys($h), array_fill(0, 3, '-')), $h), $b)['title'];`,
    command: 'php',
  }),
};

describe('the samples of the guide', () => {
  it.each(Object.keys(runners))('verify a signature in %s', (language) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'punchcard-'));
    const { source, command } = runners[language]!();
    // Node looks for packages beside the file.
    const file =
      language === 'js' ? path.join(import.meta.dirname, `sample-${process.pid}.mjs`) : path.join(folder, language);
    writeFileSync(file, source);
    const run = (headers: object, sent: string): string =>
      execFileSync(command, [file, JSON.stringify([secret, headers, sent])], {
        encoding: 'utf8',
        stdio: 'pipe',
      }).trim();
    try {
      expect(run(request(), body)).toBe('Küche');
      expect(() => run(request(), body.replace('K', 'k'))).toThrow();
      expect(() => run(request(new Date(Date.now() - 600_000)), body)).toThrow();
    } finally {
      rmSync(file);
    }
  });
});

describe('verifyWebhook', () => {
  it('returns the message of a request, and throws for a wrong one', () => {
    expect(verifyWebhook(secret, request(), body)).toEqual(JSON.parse(body));
    expect(verifyWebhook(secret, new Headers(request()), body)).toEqual(JSON.parse(body));
    expect(() => verifyWebhook(secret, request(), `${body} `)).toThrow();
    expect(() => verifyWebhook(secret, {}, body)).toThrow();
  });
});

describe('messages', () => {
  it('are what the contract describes', async () => {
    const contract = readContract('v3') as unknown as { components: object };
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    ajv.addSchema({ $id: 'contract', components: contract.components });
    const world = await newWorld();
    const receiver = await startReceiver();
    const webhooks = await webhooksOf(world);
    const { id } = await webhooks.create(receiver.url('/ok'), { events: ['*'] });
    const area_id = await newArea(world, 'Kitchen');
    await world.admin.call('deleteArea', { params: { area_id } });
    await world.admin.call('createWebhookPing', { params: { webhook_id: id } });
    webhooks.advance(3_600_000);
    const schemas: Record<string, string> = {
      'area.created': 'AreaMessage',
      'area.deleted': 'AreaMessage',
      'webhook.created': 'WebhookMessage',
      ping: 'PingMessage',
    };
    // A webhook may also tell what happened just before it was created, while transactions of other tests were open.
    const messages = () =>
      receiver.received
        .map(({ body: text }) => JSON.parse(text) as { type: string })
        .filter(({ type }) => type in schemas);
    await webhooks.deliverUntil(() => messages().length === Object.keys(schemas).length);
    for (const message of messages()) {
      const isValid = ajv.validate({ $ref: `contract#/components/schemas/${schemas[message.type]}` }, message);
      expect([message.type, isValid, ajv.errors]).toEqual([message.type, true, null]);
    }
    expect(new Set(messages().map(({ type }) => type))).toEqual(new Set(Object.keys(schemas)));
  });
});
