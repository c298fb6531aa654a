import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/*
 * A program of hundreds of files, and of a thousand more in packages, starts three times as fast from one file. That file is
 * named after the contents of all that it was made of, and these are read again at every start: it is never out of date.
 */

const root = path.resolve(import.meta.dirname, '../..');

/** What decides about a build beside the files in it: how it is made, and which packages are installed. */
const makers = [path.join(import.meta.dirname, 'build.js'), path.join(root, 'node_modules/.package-lock.json')];

/** They bring files of their own, which they look for beside themselves. */
const external = ['@electric-sql/pglite', '@electric-sql/pglite/*', '@node-rs/argon2'];

/**
 * Returns the build of a program, made now unless it is there and up to date.
 *
 * @param {string} program the file that starts it
 * @param {string} folder where builds are kept
 * @returns {Promise<string>}
 */
export async function buildOf(program, folder) {
  const name = path.basename(program, '.ts');
  const list = path.join(folder, `${name}.json`);
  const fileFor = (/** @type {string | undefined} */ key) => path.join(folder, `${name}.${key}.cjs`);
  if (existsSync(list)) {
    const kept = fileFor(keyOf(JSON.parse(readFileSync(list, 'utf8')), folder));
    if (existsSync(kept)) return kept;
  }
  mkdirSync(folder, { recursive: true });
  const { inputs, sources, code, map } = await bundle(program, folder);
  const file = fileFor(keyOf(inputs, folder, sources));
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
 * @param {ReadonlyMap<string, string>} sources as they were read for a build; somebody may have saved one since
 */
function keyOf(inputs, folder, sources = new Map()) {
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
  // The builder is a process of its own, which would stay as long as this one.
  await stop();
  const textIn = (/** @type {string} */ ending) =>
    /** @type {string} */ (outputFiles.find((file) => file.path.endsWith(ending))?.text);
  const inputs = [
    ...Object.keys(metafile.inputs),
    ...makers.filter((file) => existsSync(file)).map((file) => path.relative(folder, file)),
  ];
  return { inputs, sources, code: textIn('.js'), map: textIn('.map') };
}

/**
 * A source that looks for something beside itself finds it there also from within a build.
 *
 * @param {string} file
 * @param {string} folder
 * @param {Map<string, string>} sources
 */
function withFolder(file, folder, sources) {
  const source = readFileSync(file, 'utf8');
  sources.set(file, source);
  const place = JSON.stringify(path.relative(folder, path.dirname(file)));
  const contents = source.replaceAll('import.meta.dirname', `require('node:path').join(__dirname, ${place})`);
  return { contents, loader: /** @type {const} */ ('ts') };
}

/**
 * In one step, so that whoever starts at the same moment finds all of it or nothing.
 *
 * @param {string} file
 * @param {string} text
 */
function write(file, text) {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, file);
}
