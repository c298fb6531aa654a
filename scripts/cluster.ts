import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';

export interface Cluster {
  readonly url: string;
  stop(): Promise<void>;
  /** Kills it, as a crash would. */
  kill(): Promise<void>;
  /** Starts it again on the same data after `kill`. */
  revive(): Promise<void>;
}

interface ClusterOptions {
  /** A folder to keep and reuse; by default a temporary one. */
  readonly folder?: string;
  /** Settings for PostgreSQL; by default those that trade durability for speed. */
  readonly settings?: readonly string[];
  /** The address of a server, if the new one is to be its standby. */
  readonly standbyOf?: string;
}

/** The settings of a temporary cluster, which need not survive a power cut. */
export const fastSettings = ['fsync=off', 'full_page_writes=off'];

/** Starts a PostgreSQL on a free port, in a temporary folder or in one to keep. */
export async function startCluster({
  folder: kept,
  settings: given = fastSettings,
  standbyOf,
}: ClusterOptions = {}): Promise<Cluster> {
  const binaries = findBinaries();
  const owner = process.getuid?.() === 0 ? unprivilegedUser() : undefined;
  const folder = kept ?? mkdtempSync(path.join(os.tmpdir(), 'punchcard-pg-'));
  mkdirSync(folder, { recursive: true });
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const remove = (): void => {
    if (kept === undefined) rmSync(folder, { recursive: true, force: true });
  };
  try {
    const options = { ...owner, cwd: folder, env: { ...process.env, HOME: folder } };
    const locale = process.platform === 'linux' ? ['--locale=C.UTF-8'] : [];
    const data = path.join(folder, 'data');
    if (!existsSync(path.join(data, 'PG_VERSION'))) {
      const [program, ...values] = standbyOf
        ? ['pg_basebackup', '-D', data, '-d', standbyOf, '-R', '-X', 'stream', '-c', 'fast', '--no-sync']
        : ['initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync', ...locale];
      execFileSync(path.join(binaries, program!), values, { ...options, stdio: ['ignore', 'ignore', 'inherit'] });
    }
    const port = await freePort();
    const settings = [
      'listen_addresses=127.0.0.1',
      `port=${port}`,
      'unix_socket_directories=',
      'max_connections=300',
      ...given,
    ];
    const start = () =>
      spawn(path.join(binaries, 'postgres'), ['-D', data, ...settings.flatMap((setting) => ['-c', setting])], {
        ...options,
        stdio: 'ignore',
        // In its own process group, so that Ctrl+C does not stop the database before the tests end.
        detached: true,
      });
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    let server = start();
    await untilReady(url, () => hasEnded(server));
    console.log(`A ${kept === undefined ? 'temporary ' : ''}PostgreSQL from ${binaries} is running on port ${port}.`);
    return {
      url,
      async stop() {
        // The fast shutdown: it ends open connections.
        if (!hasEnded(server)) await end(server, 'SIGINT');
        remove();
      },
      kill: () => end(server, 'SIGKILL'),
      async revive() {
        // PostgreSQL refuses to start until the children of the killed server have exited.
        for (let attempt = 0; attempt < 100; attempt++) {
          const revived = (server = start());
          if (await untilReady(url, () => hasEnded(revived)).then(...yesOrNo)) return;
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
        throw new Error('The temporary PostgreSQL did not start again.');
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

const yesOrNo = [() => true, () => false] as const;

const hasEnded = (server: ChildProcess): boolean => server.exitCode !== null || server.signalCode !== null;

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  server.kill(signal);
  await once(server, 'exit');
}

/** Finds the newest PostgreSQL that Debian installed, or the one in PATH. */
export function findBinaries(): string {
  const debian = '/usr/lib/postgresql';
  const majors = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...majors.map((major) => path.join(debian, major, 'bin')),
    ...(process.env['PATH'] ?? '').split(path.delimiter),
  ];
  const found = folders.find(
    (folder) => existsSync(path.join(folder, 'initdb')) && existsSync(path.join(folder, 'postgres')),
  );
  if (found) return found;
  console.error(
    'PostgreSQL is not installed. Install it (on Debian: apt-get install postgresql), or set DATABASE_URL.',
  );
  process.exit(1);
}

/** The user to run PostgreSQL as, which refuses to run as root. */
function unprivilegedUser(): { uid: number; gid: number } {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(
    'PostgreSQL refuses to run as root, and there is neither a user "postgres" nor "nobody" to run it as.',
  );
}

/** A free port. */
export async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function untilReady(url: string, hasEnded: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 300 && !hasEnded(); attempt++) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return await client.end();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  throw new Error('The temporary PostgreSQL did not start.');
}
