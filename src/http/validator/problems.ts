import type { Request, RequestHandler } from 'express';
import { AppError, type Problem } from '../../core/errors.ts';
import { resolver, type Contract } from '../contract_document.ts';
import { envelopesOf, pointerTo } from '../requests/pointers.ts';
import { matchedOperation } from './matched_operation.ts';
import { inPlainWords } from './messages.ts';

/** What the library throws where a request does not match the contract. */
interface LibraryError {
  readonly status?: number;
  readonly errors?: readonly LibraryProblem[];
}

interface LibraryProblem {
  /** Where the problem lies: `/body/data/attributes/name`, `/query/page`. */
  readonly path?: string;
  readonly message: string;
  readonly errorCode?: string;
}

/** Ten thousand wrong ids are one mistake. The response need not be larger than the request. */
const maxProblems = 100;

/** Every problem is compared with every union that failed, so that only the first ones are looked at. */
const maxComparedProblems = 1_000;

/** A step of the library that throws our own 400 where a request does not match the contract. */
export function validationErrors(contract: Contract, step: RequestHandler): RequestHandler {
  const resolve = resolver(contract);
  const asOurs = (error: unknown, req: Request): unknown => {
    const operation = matchedOperation(req)?.operation;
    return asAppError(error, req, operation ? envelopesOf(operation, resolve) : new Set());
  };
  return (req, res, next) =>
    step(req, res, (error?: unknown) => next(error === undefined ? undefined : asOurs(error, req)));
}

/** The library's error as a list of problems that clients can act on. Any other error stays as it is. */
export function asAppError(error: unknown, req: Request, envelopes: ReadonlySet<string>): unknown {
  const { status, errors: all = [] } = error as LibraryError;
  if (error instanceof AppError || status !== 400 || all.length === 0) return error;
  const errors = all.slice(0, maxComparedProblems);
  const problems = relevant(errors)
    .slice(0, maxProblems)
    .map((problem) => problemOf(problem.path ?? '', messageOf(problem, errors), req, envelopes));
  if (problems.length === 0) return error;
  return new AppError(400, [
    ...new Map(problems.map((problem) => [`${problem.pointer} ${problem.title}`, problem])).values(),
  ]);
}

const isUnion = ({ errorCode = '' }: LibraryProblem): boolean => /^(oneOf|anyOf)\./.test(errorCode);

/** Where a union failed, the messages of its branches are noise. Where a condition failed, the condition itself is. */
function relevant(problems: readonly LibraryProblem[]): LibraryProblem[] {
  const unconditional = problems.filter(({ errorCode }) => !errorCode?.startsWith('if.'));
  const unions = unconditional.filter(isUnion).map(({ path }) => path ?? '');
  return unconditional.filter(
    (problem) => isUnion(problem) || !unions.some((union) => (problem.path ?? '').startsWith(union)),
  );
}

function messageOf(problem: LibraryProblem, all: readonly LibraryProblem[]): string {
  // For a union of formats, the best message names all of them.
  const formats = all.filter(({ path, errorCode }) => path === problem.path && errorCode?.startsWith('format.'));
  return isUnion(problem) && formats.length > 0
    ? formats.map(({ message }) => inPlainWords(message)).join(', or ')
    : inPlainWords(problem.message);
}

const secretNames = /password|token|pin$|^api_key$/i;

function problemOf(path: string, message: string, req: Request, envelopes: ReadonlySet<string>): Problem {
  const [part = '', ...names] = path
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  const pointer = part === 'body' ? pointerTo(names, envelopes) : shownNames(part, names).join('/') || 'base';
  const value = valueAt({ body: req.body as unknown, query: req.query, headers: req.headers }[part], names);
  const was = value === undefined || secretNames.test(pointer) ? '' : `, but was ${shortened(value)}`;
  return { pointer, title: `${shownNames(part, names).at(-1) ?? 'The body'} ${message}${was}.` };
}

/** Node gives headers in lower case. Contracts write them as `If-Match`. */
const shownNames = (part: string, names: readonly string[]): readonly string[] =>
  part === 'headers' ? names.map((name) => name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())) : names;

const valueAt = (root: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Record<string, unknown>)[name]
        : undefined,
    root,
  );

function shortened(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
