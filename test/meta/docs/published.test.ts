import { describe, expect, it } from 'vitest';
import { collectionOf } from '../../../scripts/docs/postman/collection.ts';
import { publishedContract, readExamples } from '../../../scripts/docs/publish.ts';
import { messagesOf, operationsOf, readContract } from '../../../src/platform/http/contract_document.ts';

interface Shown {
  readonly responses: Readonly<
    Record<string, { $ref?: string; content?: Record<string, { example: { errors: { title: string }[] } }> }>
  >;
  readonly 'x-codeSamples': readonly { lang: string; label: string; source: string }[];
}

const shown = new Map(
  (['v3', 'public'] as const).flatMap((api) =>
    operationsOf(publishedContract(api)).map(({ operation }): [string, Shown] => [
      operation.operationId,
      operation as unknown as Shown,
    ]),
  ),
);
const sample = (operationId: string, label: string): string | undefined =>
  shown.get(operationId)!['x-codeSamples'].find((one) => one.label === label)?.source;

describe('the published contract', () => {
  it('shows every operation in curl, TypeScript, Python and PHP', () => {
    expect(shown.size).toBeGreaterThan(100);
    for (const { 'x-codeSamples': samples } of shown.values())
      expect(samples.map(({ label }) => label)).toEqual(['curl', 'TypeScript', 'Python', 'PHP']);
  });

  it('shows a request with a body as one would write it', () => {
    expect(sample('createArea', 'curl')).toBe(`curl -X POST http://127.0.0.1:3000/api/v3/workspaces/1/areas \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '{
    "data": {
      "type": "area",
      "attributes": {
        "name": "Bar",
        "color": "#2196F3",
        "external_id": "bar"
      }
    }
  }'`);
    expect(sample('createArea', 'TypeScript')).toBe(`import { resourceApi } from 'punchcard-client';

const api = resourceApi({ url: 'http://127.0.0.1:3000', token: process.env.TOKEN });
const { data, error } = await api.POST('/workspaces/{workspace_id}/areas', {
  params: { path: { workspace_id: '1' } },
  body: {
    data: { type: 'area', attributes: { name: 'Bar', color: '#2196F3', external_id: 'bar' } },
  },
});`);
  });

  it('shows it in Python, with requests', () => {
    expect(sample('createArea', 'Python')).toBe(`import os

import requests

response = requests.post(
    "http://127.0.0.1:3000/api/v3/workspaces/1/areas",
    headers={"Authorization": f"Bearer {os.environ['TOKEN']}"},
    json={
        "data": {
            "type": "area",
            "attributes": {"name": "Bar", "color": "#2196F3", "external_id": "bar"},
        },
    },
    timeout=30,
)
response.raise_for_status()
print(response.json())`);
    expect(sample('createTimeTrackingAttachments', 'Python')).toContain(
      'files=[\n        ("files", open("delivery-note.txt", "rb")),',
    );
    expect(sample('listAreas', 'Python')).toContain('params={"filter[status]": "eq:active"');
    expect(sample('signIn', 'Python')).toContain('headers={"Api-Key": "demo-api-key"}');
  });

  it('shows it in PHP, without an extension', () => {
    expect(sample('createArea', 'PHP')).toBe(`<?php

$url = 'http://127.0.0.1:3000/api/v3/workspaces/1/areas';
$context = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [
        'Authorization: Bearer ' . getenv('TOKEN'),
        'Content-Type: application/json',
    ],
    'content' => json_encode([
        'data' => [
            'type' => 'area',
            'attributes' => ['name' => 'Bar', 'color' => '#2196F3', 'external_id' => 'bar'],
        ],
    ]),
]]);
$body = file_get_contents($url, false, $context);
if ($body === false) {
    throw new RuntimeException($http_response_header[0]);
}
print_r(json_decode($body, true));`);
  });

  it('shows how to send a file, a query and each credential', () => {
    expect(sample('createTimeTrackingAttachments', 'curl')).toContain("-F 'files=@delivery-note.txt'");
    expect(sample('createTimeTrackingAttachments', 'TypeScript')).toContain(
      "form.append('files', await openAsBlob('delivery-note.txt'), 'delivery-note.txt');",
    );
    expect(sample('listAreas', 'curl')).toContain(
      "curl --get http://127.0.0.1:3000/api/v3/workspaces/1/areas \\\n  --data-urlencode 'filter[status]=eq:active'",
    );
    expect(sample('signIn', 'curl')).toContain("-H 'Api-Key: demo-api-key'");
    expect(sample('signUp', 'curl')).not.toMatch(/Api-Key|Authorization/);
    expect(sample('ping', 'curl')).toContain("-H 'Authorization: Bearer demo-api-token'");
    expect(sample('ping', 'Python')).toContain('headers={"Authorization": "Bearer demo-api-token"}');
    expect(sample('ping', 'TypeScript')).toContain(
      "publicApi({ url: 'http://127.0.0.1:3000', apiToken: 'demo-api-token' })",
    );
  });

  it('sends no cursor, which only the list takes that made it', () => {
    const { parameters } = readContract('v3').components;
    const { example } = parameters!['after']!;
    expect(
      JSON.stringify(readExamples(), (key, value: unknown) => (key === 'errors' ? undefined : value)),
    ).not.toContain(example);
    const samples = [...shown.values()].flatMap(({ 'x-codeSamples': all }) => all.map(({ source }) => source));
    expect(samples.filter((source) => source.includes(String(example)) || /[?&'" ]after=/.test(source))).toEqual([]);
    expect(JSON.stringify(collectionOf('v3'))).not.toContain(example);
  });

  it("shows an operation's own refusals, and the shared ones where they are the same", () => {
    const { responses } = shown.get('createArea')!;
    expect(responses['400']!.content!['application/json']!.example.errors.map(({ title }) => title)).toEqual([
      'color must be a colour like #2196F3, but was "blue".',
    ]);
    expect(responses['401']).toEqual({ $ref: '#/components/responses/Unauthorized' });
  });

  it('differs from the one that the server reads in nothing else', () => {
    const bare = JSON.stringify(publishedContract('v3'), (key, value: unknown) =>
      key === 'x-codeSamples' || key === 'responses' ? undefined : value,
    );
    expect(bare).toBe(
      JSON.stringify(readContract('v3'), (key, value: unknown) => (key === 'responses' ? undefined : value)),
    );
  });

  it('has an example of every operation, with every refusal that is its own', () => {
    const examples = readExamples();
    // What the frame refuses for any operation has one example for all, unless an operation has one of its own.
    const ofFrame = { v3: ['408', '409', '413', '415', '429'], public: ['403', '408', '409', '413', '415', '429'] };
    for (const api of ['v3', 'public'] as const) {
      for (const { operation } of operationsOf(readContract(api))) {
        const errors = examples[api][operation.operationId]?.errors ?? {};
        const named = Object.keys(operation.responses).filter((status) => status.startsWith('4'));
        const own = named.filter((status) => status in errors || !ofFrame[api].includes(status));
        expect(Object.keys(errors), operation.operationId).toEqual(own);
      }
    }
  });

  it('shows a message of every kind that webhooks receive, as it arrived', () => {
    const examples = readExamples().v3;
    for (const { operationId, requestBody } of messagesOf(publishedContract('v3'))) {
      const { example } = requestBody!.content['application/json'] as { example?: { type: string } };
      expect(example, operationId).toMatchObject({ type: expect.any(String), timestamp: expect.any(String) });
      expect(example, operationId).toEqual(examples[operationId]!.request.body);
    }
  });
});
