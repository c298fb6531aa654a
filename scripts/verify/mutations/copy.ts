import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A copy of the sources and tests, so that mutations do not disturb the working tree. */
export interface Copy {
  readonly folder: string;
  read(file: string): string;
  write(file: string, source: string): void;
  remove(): void;
}

/** Folders that are not copied. Tests do not need them, and the packages are linked. */
const isLeftOut = /^(node_modules|\.git|\.cache|dist|data|test\/clients\/tools\/(node_modules|dist))$/;

/** Copies the tree to a temporary folder. */
export function copyTree(root: string): Copy {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'punchcard-mutations-'));
  cpSync(root, folder, {
    recursive: true,
    filter: (file) => !isLeftOut.test(path.relative(root, file)),
  });
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  return {
    folder,
    read: (file) => readFileSync(path.join(folder, file), 'utf8'),
    write: (file, source) => writeFileSync(path.join(folder, file), source),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
