import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { changelogLine, landedContract, unnamed } from '../../scripts/breaking_changes.ts';
import { contractChanges } from '../../scripts/contract/contract_changes.ts';
import type { Contract as FullContract } from '../../src/platform/http/contract_document.ts';

/*
 * Which changes of the contract are breaking, shown on a small contract that has every kind of element.
 */
const text = { type: 'string', description: 'Text.' };
const id = { name: 'id', in: 'path', required: true, description: 'The id.', schema: text };
const answer = {
  description: 'Done.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Area' } } },
};

const released = () => ({
  openapi: '3.1.0',
  info: { title: 'Small', version: '1.0.0' },
  paths: {
    '/areas': {
      get: {
        operationId: 'listAreas',
        parameters: [
          { name: 'filter[name]', in: 'query', description: 'By name.', schema: text },
          { name: 'page', in: 'query', description: 'The page.', schema: { type: 'integer', maximum: 100 } },
        ],
        responses: { '200': answer },
      } as Record<string, unknown>,
      post: {
        operationId: 'createArea',
        requestBody: {
          required: false,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/AreaCreation' } } },
        },
        responses: { '201': answer },
      } as Record<string, unknown>,
    } as Record<string, unknown>,
    '/areas/{id}': { delete: { operationId: 'deleteArea', parameters: [id], responses: { '200': answer } } } as Record<
      string,
      unknown
    >,
  } as Record<string, Record<string, unknown>>,
  components: {
    schemas: {
      Area: {
        type: 'object',
        required: ['name', 'status'],
        properties: {
          name: text,
          color: text,
          size: { type: 'integer' },
          status: { type: 'string', enum: ['active', 'inactive'] },
          links: { type: 'object', additionalProperties: false },
        },
      },
      AreaCreation: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', maxLength: 255 },
          color: text,
          kind: { type: 'string', enum: ['room', 'site'] },
        },
      },
    },
  },
});

type Contract = ReturnType<typeof released>;

function changesAfter(change: (contract: Contract) => void): string[] {
  const present = released();
  change(present);
  const [before, after] = [released(), present].map((contract) => contract as unknown as FullContract);
  return contractChanges(before!, after!).map(({ place, message }) => `${place}: ${message}`);
}

describe('a breaking change', () => {
  it('is any change that can break a client', () => {
    const found = changesAfter(({ paths, components: { schemas } }) => {
      delete paths['/areas/{id}'];
      const { get, post } = paths['/areas'] as {
        get: { parameters: object[] };
        post: { requestBody: { required: boolean }; responses: Record<string, object> };
      };
      get.parameters.shift();
      get.parameters.push({ name: 'since', in: 'query', required: true, description: 'Since when.', schema: text });
      post.requestBody.required = true;
      post.responses = { '200': answer };
      const { Area, AreaCreation } = schemas;
      delete (Area.properties as Partial<typeof Area.properties>).color;
      Area.required = ['name'];
      Area.properties.size.type = 'string';
      Area.properties.status.enum = ['active', 'inactive', 'closed'];
      AreaCreation.required = ['name', 'color'];
      AreaCreation.properties.name.maxLength = 10;
      AreaCreation.properties.kind.enum = ['room'];
    });
    expect(found.sort()).toMatchInlineSnapshot(`
      [
        "Area.color: The member was removed from the response.",
        "Area.size: The type was integer and is string.",
        "Area.status: These values are new: "closed".",
        "Area: No longer in every response: status.",
        "AreaCreation.kind: These values are no longer accepted: "site".",
        "AreaCreation.name: \`maxLength\` was 255 and is 10.",
        "AreaCreation: Required now: color.",
        "DELETE /areas/{id}: The operation was removed.",
        "GET /areas: The query parameter filter[name] was removed.",
        "GET /areas: The query parameter since is required now.",
        "POST /areas: The body is required now.",
        "POST /areas: The response 201 was removed.",
      ]
    `);
  });

  it('is not a change that only adds or explains', () => {
    const found = changesAfter(({ paths, components: { schemas } }) => {
      paths['/tags'] = { get: { operationId: 'listTags', responses: { '200': answer } } };
      (paths['/areas'] as { get: { parameters: object[] } }).get.parameters.push({
        name: 'sort',
        in: 'query',
        description: 'The order.',
        schema: text,
      });
      Object.assign(schemas.Area.properties, { external_id: text });
      Object.assign(schemas.AreaCreation.properties, { external_id: text });
      schemas.AreaCreation.properties.kind.enum.push('vehicle');
      schemas.AreaCreation.properties.name.maxLength = 500;
      schemas.Area.properties.name = { ...text, description: 'Other words.' };
    });
    expect(found).toEqual([]);
  });

  it('is not a filter that explains its conditions, or takes several', () => {
    const withFilter = (schema: object) =>
      changesAfter(({ paths }) => {
        (paths['/areas'] as { get: { parameters: { schema: object }[] } }).get.parameters[0]!.schema = schema;
      });
    const condition = { type: 'string', pattern: '^eq:' };
    expect(withFilter({ anyOf: [condition, { type: 'array', items: condition }] })).toEqual([]);
    expect(withFilter({ type: 'integer' })).toHaveLength(1);
  });

  it('is not a promise of more, or the end of an object that was always empty', () => {
    const found = changesAfter(({ components: { schemas } }) => {
      schemas.Area.required.push('color', 'size');
      delete (schemas.Area.properties as { links?: object }).links;
    });
    expect(found).toEqual([]);
  });

  it('has to be named by the newest section of the changelog', () => {
    const change = { place: 'Area.color', message: 'The member was removed from the response.' };
    const line = changelogLine('v3', change);
    expect(unnamed('v3', [change], `# Changelog\n\n## 0.2.0\n\n${line} Nobody used it.\n\n## 0.1.0\n`)).toEqual([]);
    expect(unnamed('v3', [change], `# Changelog\n\n## 0.2.0\n\n- Better.\n\n## 0.1.0\n\n${line}\n`)).toEqual([change]);
    expect(unnamed('public', [change], `# Changelog\n\n## 0.2.0\n\n${line}\n`)).toEqual([change]);
  });
});

describe('before the first release, a contract is compared with', () => {
  /** A repository whose branch main has had the given texts of the contract, each in a commit. */
  function repository(...texts: readonly string[]) {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'punchcard-git-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];
    const git = (...values: string[]) => execFileSync('git', [...author, ...values], { cwd: folder, stdio: 'ignore' });
    const write = (text: string) => writeFileSync(path.join(folder, 'contract.json'), text);
    const commit = (text: string) => {
      write(text);
      git('add', '.');
      git('commit', '-m', text);
    };
    git('init', '-b', 'main');
    for (const text of texts) commit(text);
    return { folder, git, write, commit, landed: () => landedContract(folder, 'contract.json') };
  }

  it('the one before the last change, in a fresh clone', () => {
    const { folder, git } = repository('first', 'second', 'third');
    git('commit', '--allow-empty', '-m', 'Something else');
    git('clone', '.', 'clone');
    expect(landedContract(path.join(folder, 'clone'), 'contract.json')).toBe('second');
  });

  it('the landed one, while the change is not committed', () => {
    const { write, landed } = repository('first', 'second');
    write('third');
    expect(landed()).toBe('second');
  });

  it('the landed one, however many commits a branch has, also after others have landed', () => {
    const { git, commit, landed } = repository('first', 'second');
    git('switch', '-c', 'branch');
    commit('third');
    commit('fourth');
    expect(landed()).toBe('second');
    git('switch', 'main');
    commit('other');
    git('switch', 'branch');
    expect(landed()).toBe('second');
  });

  it('nothing, where Git knows no other', () => {
    expect(repository('first').landed()).toBeUndefined();
    const { folder, git } = repository('first', 'second');
    git('clone', '--depth=1', `file://${folder}`, 'clone');
    expect(landedContract(path.join(folder, 'clone'), 'contract.json')).toBeUndefined();
    rmSync(path.join(folder, '.git'), { recursive: true });
    expect(landedContract(folder, 'contract.json')).toBeUndefined();
  });
});
