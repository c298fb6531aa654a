/** Loaded into our server: on SIGUSR2 it collects garbage and writes the memory in use to a file. */
import { renameSync, writeFileSync } from 'node:fs';

process.on('SIGUSR2', () => {
  (globalThis as { gc?: () => void }).gc!();
  const file = process.env['MEMORY_FILE']!;
  writeFileSync(`${file}.new`, JSON.stringify(process.memoryUsage()));
  renameSync(`${file}.new`, file);
});
