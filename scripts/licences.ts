/** Prints the licence of every package that runs in production. Fails if one requires more than attribution. */
import { licencesInUse } from './licence_list.ts';

const packages = licencesInUse();
const width = Math.max(...packages.map(({ name, version }) => `${name} ${version}`.length));
for (const { name, version, licence } of packages) console.log(`${`${name} ${version}`.padEnd(width)}  ${licence}`);

const counts = new Map<string, number>();
for (const { licence } of packages) counts.set(licence, (counts.get(licence) ?? 0) + 1);
console.log(`\n${[...counts].map(([licence, count]) => `${count} ${licence}`).join(', ')}.`);

const others = packages.filter(({ isAllowed }) => !isAllowed);
if (others.length > 0) {
  const named = others.map(({ name, licence }) => `${name} (${licence})`).join(', ');
  console.error(
    `Not on the list of allowed licences: ${named}. Read them, then extend scripts/licence_list.ts or remove the package.`,
  );
  process.exitCode = 1;
}
