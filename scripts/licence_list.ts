import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');

/** Licences that require attribution only. Any other one needs a review. */
const allowed = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'Python-2.0',
  '0BSD',
  'CC0-1.0',
  'BlueOak-1.0.0',
  'CC-BY-3.0',
  'PSF-2.0',
  'Unlicense',
  'Bitstream-Vera',
]);

/** Packages whose manifest names no licence. Their licence files were read. */
const read: Readonly<Record<string, string>> = { 'png-js': 'MIT', 'dejavu-fonts-ttf': 'Bitstream-Vera' };

export interface LicensedPackage {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly isAllowed: boolean;
}

interface Described {
  readonly license?: string | { readonly type: string };
  readonly licenses?: readonly { readonly type: string }[];
}

/** Every package that runs in production, with its licence. */
export function licencesInUse(): LicensedPackage[] {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Described & { version: string; dev?: true }>;
  };
  return Object.entries(packages)
    .filter(([place, { dev }]) => place !== '' && !dev)
    .map(([place, described]) => {
      const name = place.split('node_modules/').at(-1)!;
      const licence = read[name] ?? licenceIn(described) ?? licenceIn(manifestOf(place)) ?? 'unknown';
      return {
        name,
        version: described.version,
        licence,
        isAllowed: isAllowed(licence),
      };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Packages for other platforms are not installed. */
function manifestOf(place: string): Described {
  const file = path.join(root, place, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Described) : {};
}

const licenceIn = ({ license, licenses }: Described): string | undefined =>
  (typeof license === 'object' ? license.type : license) ?? licenses?.map(({ type }) => type).join(' OR ');

/** One allowed licence of an OR is enough; an AND needs all of them. */
const isAllowed = (licence: string): boolean =>
  licence
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((one) => allowed.has(one.trim())));
