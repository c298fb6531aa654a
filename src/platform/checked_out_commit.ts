import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { rootFolder } from './core/own_files.ts';

/** Reads the commit from the files of the checkout, so that no git binary is needed. */
export function checkedOutCommit(): string | undefined {
  try {
    const git = gitFolder(path.join(rootFolder, '.git'));
    const head = textIn(git, 'HEAD');
    const commit = head.startsWith('ref: ') ? commitOf(sharedFolder(git), head.slice(5)) : head;
    return commit?.slice(0, 12);
  } catch {
    return undefined;
  }
}

const textIn = (...parts: string[]): string => readFileSync(path.join(...parts), 'utf8').trim();

/** The git folder. In a linked worktree, `.git` is a file that names it. */
const gitFolder = (file: string): string =>
  statSync(file).isFile() ? path.resolve(file, '..', textIn(file).slice('gitdir: '.length)) : file;

/** The folder with the branches, which a linked worktree shares with its main one. */
const sharedFolder = (git: string): string =>
  existsSync(path.join(git, 'commondir')) ? path.join(git, textIn(git, 'commondir')) : git;

function commitOf(git: string, branch: string): string | undefined {
  if (existsSync(path.join(git, branch))) return textIn(git, branch);
  const packed = textIn(git, 'packed-refs').split('\n');
  return packed.find((line) => line.endsWith(` ${branch}`));
}
