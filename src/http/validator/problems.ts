import type { Request, RequestHandler } from 'express';
import { AppError, type Problem } from '../../core/errors.ts';
import { resolver, type Contract } from '../contract_document.ts';
import { envelopesOf, pointerTo } from '../requests/pointers.ts';
import { codeOf, type KeywordDetails } from './codes.ts';
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
  /** The keyword of the schema that failed, and the library's own suffix: `maxLength.openapi.validation`. */
  readonly errorCode?: string;
  /** See `keepDetails` in library.ts. */
  readonly details?: KeywordDetails;
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
    .map((problem) => problemOf(problem, errors, req, envelopes));
  if (problems.length === 0) return error;
  return new AppError(400, [
    ...new Map(problems.map((problem) => [`${problem.pointer} ${problem.title}`, problem])).values(),
  ]);
}

const keywordOf = ({ errorCode = '' }: LibraryProblem): string => errorCode.split('.')[0]!;

const isUnion = (problem: LibraryProblem): boolean => ['oneOf', 'anyOf'].includes(keywordOf(problem));

/** Where a union failed, the messages of its branches are noise. Where a condition failed, the condition itself is. */
function relevant(problems: readonly LibraryProblem[]): LibraryProblem[] {
  const unconditional = problems.filter((problem) => keywordOf(problem) !== 'if');
  const unions = unconditional.filter(isUnion).map(({ path }) => path ?? '');
  return unconditional.filter(
    (problem) => isUnion(problem) || !unions.some((union) => (problem.path ?? '').startsWith(union)),
  );
}

/** What is wrong with the value. For a union of formats, the best message names all of them. */
function kindOf(problem: LibraryProblem, all: readonly LibraryProblem[]): Omit<Problem, 'pointer'> {
  const formats = isUnion(problem)
    ? all.filter((other) => other.path === problem.path && keywordOf(other) === 'format')
    : [];
  return formats.length > 0
    ? { code: 'invalid_format', title: formats.map(({ message }) => inPlainWords(message)).join(', or ') }
    : { ...codeOf(keywordOf(problem), problem.details), title: inPlainWords(problem.message) };
}

const secretNames = /password|token|pin$|^api_key$/i;

function problemOf(
  problem: LibraryProblem,
  all: readonly LibraryProblem[],
  req: Request,
  envelopes: ReadonlySet<string>,
): Problem {
  const [part = '', ...names] = (problem.path ?? '')
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  const pointer = part === 'body' ? pointerTo(names, envelopes) : shownNames(part, names).join('/') || 'base';
  const value = valueAt({ body: req.body as unknown, query: req.query, headers: req.headers }[part], names);
  const was = value === undefined || secretNames.test(pointer) ? '' : `, but was ${shortened(value)}`;
  const kind = kindOf(problem, all);
  return { ...kind, pointer, title: `${subjectOf(shownNames(part, names))} ${kind.title}${was}.` };
}

/** What a title is about: the last name of the path. An item of a list has the name of the list. */
function subjectOf(names: readonly string[]): string {
  const position = names.findLastIndex((name) => !/^\d+$/.test(name));
  if (position === -1) return 'The body';
  return position === names.length - 1 ? names[position]! : `An item of ${names[position]}`;
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
