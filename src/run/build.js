import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/*
 * Builds a program: its own sources and the packages in one file, which starts much faster than a thousand files that are found
 * and compiled at every start. With the packages left outside, the server was ready after 2.19 s on an existing embedded
 * database (two quiet ARM cores), which misses the target of 2 s; inside, starts took 0.85 times as long (medians of seven
 * starts each, in turn).
 *
 * The file is named after a hash of its sources, which are read again at every start, so that it is never out of date.
 */

const root = path.resolve(import.meta.dirname, '../..');

/** The hash also covers the way a build is made, and the versions of the installed packages. */
const buildInputs = [path.join(import.meta.dirname, 'build.js'), path.join(root, 'node_modules/.package-lock.json')];

/** These packages look for files of their own beside themselves, or are loaded only when they are needed. */
const external = [
  '@aws-sdk/client-s3',
  '@aws-sdk/lib-storage',
  '@electric-sql/pglite',
  '@electric-sql/pglite/*',
  '@node-rs/argon2',
  'date-holidays',
  'dejavu-fonts-ttf',
  'pdfkit',
];

/**
 * Returns the build of a program, and makes it unless it exists.
 *
 * @param {string} program the file that starts it
 * @param {string} folder where builds are kept
 * @param {() => void} onBuild called before a build is made
 * @returns {Promise<string>}
 */
export async function buildOf(program, folder, onBuild = () => {}) {
  const name = path.basename(program, '.ts');
  const list = path.join(folder, `${name}.json`);
  const fileFor = (/** @type {string | undefined} */ hash) => path.join(folder, `${name}.${hash}.cjs`);
  if (existsSync(list)) {
    const existing = fileFor(hashOf(JSON.parse(readFileSync(list, 'utf8')), folder));
    if (existsSync(existing)) return existing;
  }
  mkdirSync(folder, { recursive: true });
  onBuild();
  const { inputs, sources, code, map } = await bundle(program, folder);
  const file = fileFor(hashOf(inputs, folder, sources));
  write(`${file}.map`, map);
  write(file, `${code}\n//# sourceMappingURL=${path.basename(file)}.map\n`);
  write(list, JSON.stringify(inputs));
  const builds = readdirSync(folder).filter((other) => other.startsWith(`${name}.`) && /\.cjs(\.map)?$/.test(other));
  for (const old of builds) if (!old.startsWith(path.basename(file))) rmSync(path.join(folder, old), { force: true });
  return file;
}

/**
 * @param {readonly string[]} inputs relative to the folder, so that both can be moved together
 * @param {string} folder
 * @param {ReadonlyMap<string, string>} sources as they were read for a build; a file may have been saved since
 */
function hashOf(inputs, folder, sources = new Map()) {
  const hash = createHash('sha256');
  for (const input of inputs) {
    const file = path.resolve(folder, input);
    if (!existsSync(file)) return undefined;
    hash.update(`${input}\n`).update(sources.get(file) ?? readFileSync(file));
  }
  return hash.digest('hex').slice(0, 16);
}

/**
 * @param {string} program
 * @param {string} folder
 */
async function bundle(program, folder) {
  const { build, stop } = await import('esbuild');
  /** @type {Map<string, string>} */
  const sources = new Map();
  const { metafile, outputFiles } = await build({
    entryPoints: [program],
    outdir: folder,
    absWorkingDir: folder,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    external,
    minifyWhitespace: true,
    sourcemap: 'external',
    sourcesContent: false,
    metafile: true,
    write: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'folders',
        setup: ({ onLoad }) => onLoad({ filter: /\.ts$/ }, ({ path: file }) => withFolder(file, folder, sources)),
      },
    ],
  });
  // esbuild is a process of its own, which would run as long as this one.
  await stop();
  const textIn = (/** @type {string} */ ending) =>
    /** @type {string} */ (outputFiles.find((file) => file.path.endsWith(ending))?.text);
  const existing = buildInputs.filter((file) => existsSync(file));
  const inputs = [...Object.keys(metafile.inputs), ...existing.map((file) => path.relative(folder, file))];
  return { inputs, sources, code: textIn('.js'), map: textIn('.map') };
}

/**
 * Makes `import.meta.dirname` the folder of the source, so that a source finds the files beside it from within the build.
 *
 * @param {string} file
 * @param {string} folder
 * @param {Map<string, string>} sources
 */
function withFolder(file, folder, sources) {
  const source = readFileSync(file, 'utf8');
  sources.set(file, source);
  const sourceFolder = JSON.stringify(path.relative(folder, path.dirname(file)));
  const contents = source.replaceAll('import.meta.dirname', `require('node:path').join(__dirname, ${sourceFolder})`);
  return { contents, loader: /** @type {const} */ ('ts') };
}

/**
 * Writes a file in one step, so that another process that starts at the same time finds all of it or nothing.
 *
 * @param {string} file
 * @param {string} text
 */
function write(file, text) {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, file);
}
