import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { Ajv } from 'ajv';
import { beforeAll, describe, expect, it } from 'vitest';
import { licencesInUse } from '../../scripts/licence_list.ts';
import { temporaryFolder } from '../support/processes/process.ts';

const root = path.resolve(import.meta.dirname, '../..');

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly externalReferences: readonly { readonly type: string }[];
}

interface Bill {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** The members that CycloneDX 1.5 requires, and those by which scanners find a package. */
const text = { type: 'string', minLength: 1 };
const licence = {
  type: 'object',
  oneOf: [
    { required: ['expression'], properties: { expression: text } },
    {
      required: ['license'],
      properties: { license: { type: 'object', required: ['id'], properties: { id: text } } },
    },
  ],
};
const component = (type: string) => ({
  type: 'object',
  required: ['type', 'name', 'version', 'bom-ref', 'purl'],
  properties: {
    type: { const: type },
    name: text,
    version: text,
    'bom-ref': text,
    purl: { type: 'string', pattern: '^pkg:npm/' },
    hashes: {
      type: 'array',
      items: {
        type: 'object',
        required: ['alg', 'content'],
        properties: { alg: { const: 'SHA-512' }, content: { type: 'string', pattern: '^[0-9a-f]{128}$' } },
      },
    },
    licenses: { type: 'array', items: licence },
  },
});
const schema = {
  type: 'object',
  required: ['bomFormat', 'specVersion', 'serialNumber', 'version', 'metadata', 'components', 'dependencies'],
  properties: {
    bomFormat: { const: 'CycloneDX' },
    specVersion: { enum: ['1.5', '1.6'] },
    serialNumber: { type: 'string', pattern: '^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' },
    version: { type: 'integer', minimum: 1 },
    metadata: { type: 'object', required: ['component'], properties: { component: component('application') } },
    components: {
      type: 'array',
      uniqueItems: true,
      items: { ...component('library'), required: [...component('library').required, 'hashes', 'licenses'] },
    },
    dependencies: {
      type: 'array',
      uniqueItems: true,
      items: {
        type: 'object',
        required: ['ref'],
        properties: { ref: text, dependsOn: { type: 'array', uniqueItems: true, items: text } },
      },
    },
  },
};

describe('the bill of materials', () => {
  let bill: Bill;
  beforeAll(async () => {
    const { folder, remove } = temporaryFolder();
    const file = path.join(folder, 'sbom.json');
    const script = path.join(root, 'scripts/licences.ts');
    await promisify(execFile)(process.execPath, ['--import', 'tsx', script, '--sbom', file], { cwd: root });
    bill = JSON.parse(readFileSync(file, 'utf8')) as Bill;
    remove();
  });

  it('has the members that CycloneDX requires', () => {
    const validate = new Ajv({ strict: false, allErrors: true }).compile(schema);
    validate(bill);
    expect(validate.errors).toBeNull();
  });

  it('lists exactly the packages that run in production', () => {
    const { name, version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Component;
    expect(bill.metadata.component).toMatchObject({ name, version });
    const inUse = new Set(licencesInUse().map((one) => `${one.name}@${one.version}`));
    expect(bill.components.map((one) => `${one.name}@${one.version}`).sort()).toEqual([...inUse].sort());
  });

  it('says which package needs which, and names none that it does not list', () => {
    const refs = [bill.metadata.component, ...bill.components].map((one) => one['bom-ref']);
    expect(bill.dependencies.map(({ ref }) => ref).sort()).toEqual([...refs].sort());
    const needed = new Set(bill.dependencies.flatMap(({ dependsOn }) => dependsOn));
    expect([...needed].filter((ref) => !refs.includes(ref))).toEqual([]);
    expect([...needed].sort()).toEqual(bill.components.map((one) => one['bom-ref']).sort());
  });

  it('names no registry', () => {
    const types = bill.components.flatMap(({ externalReferences }) => externalReferences.map(({ type }) => type));
    expect(types).not.toContain('distribution');
  });
});
