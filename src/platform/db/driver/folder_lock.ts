import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/*
 * PGlite takes no lock: two processes on one folder destroy each other's commits. The kernel locks a file in the folder for
 * us. Such a lock holds between containers, because it belongs to the file and not to a namespace, and the kernel releases it
 * at any kind of death. A heartbeat file would need neither, but a process that was paused could still write to the folder
 * after another one had taken it over.
 */

/** Locks a folder for this process and returns how to release it, or refuses when another process holds the lock. */
export function lockFolder(folder: string): () => void {
  const file = path.join(folder, 'punchcard.lock');
  const exclusive = exclusiveFlags[process.platform];
  const descriptor = exclusive === undefined ? lockedByCommand(file, folder) : lockedByOpening(file, folder, exclusive);
  return () => fs.closeSync(descriptor);
}

/** Where open(2) itself can lock: libuv's O_EXLOCK on Windows, and O_EXLOCK with O_NONBLOCK on the others. */
const exclusiveFlags: Readonly<Partial<Record<NodeJS.Platform, number>>> = {
  darwin: 0x20 | 0x4,
  freebsd: 0x20 | 0x4,
  openbsd: 0x20 | 0x4,
  win32: 0x10000000,
};

function lockedByOpening(file: string, folder: string, exclusive: number): number {
  try {
    return fs.openSync(file, fs.constants.O_RDWR | fs.constants.O_CREAT | exclusive);
  } catch (error) {
    if (['EAGAIN', 'EBUSY'].includes((error as NodeJS.ErrnoException).code ?? '')) throw inUse(folder);
    throw error;
  }
}

/**
 * Elsewhere flock(1) of util-linux or BusyBox locks the descriptor that it inherits. A lock of this kind belongs to the open
 * file, so that it stays with this process when the command has ended.
 */
function lockedByCommand(file: string, folder: string): number {
  // For writing: NFS gives an exclusive lock only then.
  const descriptor = fs.openSync(file, 'a');
  const { status, stderr, error } = spawnSync('flock', ['-x', '-n', '3'], {
    stdio: ['ignore', 'ignore', 'pipe', descriptor],
    encoding: 'utf8',
  });
  if (status === 0) return descriptor;
  fs.closeSync(descriptor);
  if (status === 1 && stderr === '') throw inUse(folder);
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') {
    throw new Error(
      'The embedded database needs the command "flock" to lock its data folder, and this machine has none. Install util-linux, or use a PostgreSQL server with DATABASE_URL.',
    );
  }
  throw new Error(
    `The data folder ${folder} cannot be locked: ${error?.message ?? stderr.trim()}. Choose a folder on another file system with DATA_DIR, or use a PostgreSQL server with DATABASE_URL.`,
  );
}

const inUse = (folder: string): Error =>
  new Error(
    `The data folder ${folder} is in use by another process. Stop that one first, or give this one a folder of its own with DATA_DIR.`,
  );
