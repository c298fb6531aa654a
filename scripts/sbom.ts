import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { licencesInUse } from './licence_list.ts';

const root = path.resolve(import.meta.dirname, '..');

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly properties: readonly { readonly name: string }[];
}

interface Bill {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** The packages that run in production, as a bill of materials in CycloneDX JSON. */
export async function billOfMaterials(): Promise<string> {
  const bill = await billByNpm();
  const { name } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Component;
  const licences = new Map(licencesInUse().map((one) => [`${one.name}@${one.version}`, one.licence]));
  const licenceOf = (component: Component) => licences.get(`${component.name}@${component.version}`);
  // With --omit=dev, npm would also leave out packages that run in production and that a package for development needs too.
  const components = bill.components.filter((component) => licenceOf(component) !== undefined);
  const refs = new Set([bill.metadata.component, ...components].map((component) => component['bom-ref']));
  const inProduction: Bill = {
    ...bill,
    // npm takes the name of the folder for that of the application.
    metadata: { ...bill.metadata, component: { ...bill.metadata.component, name } },
    components: components.map((component) => ({
      // The lock file lacks the licences of packages that declare them in an old form.
      licenses: [{ license: { id: licenceOf(component) } }],
      ...component,
      // npm describes one copy of a package. Another copy may be the one that runs in production.
      properties: component.properties.filter((property) => property.name !== 'cdx:npm:package:development'),
    })),
    dependencies: bill.dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((needed) => refs.has(needed)) })),
  };
  return JSON.stringify(inProduction, null, 2);
}

/** npm makes the bill from the lock file alone, so that it needs no network and is the same on every platform. */
async function billByNpm(): Promise<Bill> {
  const options = ['--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
  const { stdout } = await promisify(execFile)('npm', ['sbom', ...options], {
    cwd: root,
    maxBuffer: 64 * 2 ** 20,
    // On Windows, npm is a batch file, which needs a shell.
    shell: process.platform === 'win32',
  });
  return JSON.parse(stdout) as Bill;
}
