import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { freePort, unprivilegedUser } from '../cluster.ts';

const programs = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'];

/** Starts a PgBouncer in transaction mode in front of a database; undefined where there is none on this machine. */
export async function startPgBouncer(databaseUrl: string): Promise<{ url: string; stop(): Promise<void> } | undefined> {
  const program = programs.find((file) => existsSync(file));
  if (!program) return undefined;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'punchcard-pgbouncer-'));
  const port = await freePort();
  const target = new URL(databaseUrl);
  const database = target.pathname.slice(1);
  const configuration = path.join(folder, 'pgbouncer.ini');
  const users = path.join(folder, 'users.txt');
  writeFileSync(users, `"${decodeURIComponent(target.username)}" "${decodeURIComponent(target.password)}"\n`);
  writeFileSync(
    configuration,
    `[databases]
${database} = host=${target.hostname} port=${target.port || 5432} dbname=${database}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = 10
max_client_conn = 100
`,
  );
  const owner = process.getuid?.() === 0 ? unprivilegedUser() : undefined;
  if (owner) for (const file of [folder, users, configuration]) chownSync(file, owner.uid, owner.gid);
  const child = spawn(program, ['-q', configuration], { ...owner, stdio: 'ignore' });
  while (!(await listens(port))) {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode} before it was ready.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    url: Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${port}` }).href,
    async stop() {
      child.kill('SIGINT');
      if (child.exitCode === null) await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    const end = (isOpen: boolean) => (socket.destroy(), resolve(isOpen));
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });
