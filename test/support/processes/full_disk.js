/*
 * Loaded into a process with --import, this makes its disk full while the file that FULL_DISK names is there. "growing" in it
 * lets files be written where they already are, as most file systems do; "writing" does not, as those that copy on write.
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
