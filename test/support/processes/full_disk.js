/*
 * Loaded into a process with --import, this simulates a full disk while the file that FULL_DISK names exists. If the file says
 * "growing", existing blocks can still be overwritten, as on most file systems. If it says "writing", no write succeeds, as on a
 * file system that copies on write.
 */
import fs from 'node:fs';

const flag = process.env['FULL_DISK'] ?? '';
const writeSync = /** @type {(...call: unknown[]) => number} */ (fs.writeSync);

/** @param {[number, Uint8Array, number, number, number]} call */
function writeSyncOnDisk(...call) {
  const [descriptor, , , length, position] = call;
  const file = fs.fstatSync(descriptor);
  if (file.isFile() && fs.existsSync(flag)) {
    const isGrowing = position + length > file.size;
    if (isGrowing || fs.readFileSync(flag, 'utf8') === 'writing')
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', errno: -28 });
  }
  return writeSync(...call);
}

Object.assign(fs, { writeSync: writeSyncOnDisk });
