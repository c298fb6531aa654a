/** Prints the licence of every package that runs in production. Fails if one requires more than attribution. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { licencesInUse } from './licence_list.ts';
import { billOfMaterials } from './sbom.ts';

const help = `npm run licences                   print the licence of every package that runs in production
npm run licences -- --sbom FILE    also write these packages to FILE, as a bill of materials in CycloneDX JSON
npm run licences -- --help         show this`;

function printLicences(): number {
  const packages = licencesInUse();
  const width = Math.max(...packages.map(({ name, version }) => `${name} ${version}`.length));
  for (const { name, version, licence } of packages) console.log(`${`${name} ${version}`.padEnd(width)}  ${licence}`);

  const counts = new Map<string, number>();
  for (const { licence } of packages) counts.set(licence, (counts.get(licence) ?? 0) + 1);
  console.log(`\n${[...counts].map(([licence, count]) => `${count} ${licence}`).join(', ')}.`);

  const others = packages.filter(({ isAllowed }) => !isAllowed);
  if (others.length === 0) return 0;
  const named = others.map(({ name, licence }) => `${name} (${licence})`).join(', ');
  console.error(
    `Not on the list of allowed licences: ${named}. Read them, then extend scripts/licence_list.ts or remove the package.`,
  );
  return 1;
}

const { values } = parseArgs({ options: { sbom: { type: 'string' }, help: { type: 'boolean', default: false } } });
if (values.help) console.log(help);
else {
  process.exitCode = printLicences();
  if (values.sbom !== undefined) {
    writeFileSync(values.sbom, await billOfMaterials());
    console.log(`The bill of materials is in ${values.sbom}.`);
  }
}
