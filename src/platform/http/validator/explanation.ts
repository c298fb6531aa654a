import type { ErrorObject, Options, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Request } from 'express';
import { AppError, type Problem } from '../../core/errors.ts';
import { meaning } from '../../core/known_names.ts';
import { isRequestTime } from '../../core/time.ts';
import type { Contract, Schema } from '../contract_document.ts';
import { pointerTo, subjectOf } from '../requests/pointers.ts';
import type { Route } from '../route.ts';
import { violationOf } from './codes.ts';
import { contractPart } from './contract_part.ts';

/*
 * The library decides whether a request matches the contract. It keeps little of what Ajv knows about a failure: no limits, and
 * nothing of the schema. So a request that it refuses is validated once more, for all its problems with their details.
 */

/** Ten thousand wrong ids are one mistake. The response need not be larger than the request. */
const maxProblems = 100;

/** Every problem is compared with every union that failed, so that only the first ones are looked at. */
const maxComparedProblems = 1_000;

/** Finds out what is wrong with a request for an operation. Undefined if nothing is. */
export function explainer(contract: Contract, route: Route): (req: Request) => AppError | undefined {
  let checks: readonly ValidateFunction[] | undefined;
  return (req) => {
    checks ??= checksOf(contract, route);
    const { query, headers, params } = req;
    const parts = { query, headers, params, body: req.body as unknown };
    const errors = checks.flatMap((check) => (check(parts) ? [] : check.errors!));
    const problems = problemsIn(errors, parts, route.envelopes);
    return problems.length > 0 ? new AppError(400, problems) : undefined;
  };
}

/** Parameters are texts, which stand for numbers and booleans. Bodies have types. */
function checksOf(contract: Contract, { path, method }: Route): ValidateFunction[] {
  const { components, paths } = contractPart(contract, path);
  const { parameters, requestBody } = paths[path]![method]!;
  const schemaOf = (place: string): object => {
    const own = parameters.filter((parameter) => parameter.in === place);
    const nameOf = ({ name }: { name: string }): string => (place === 'header' ? name.toLowerCase() : name);
    return {
      properties: Object.fromEntries(own.map((parameter) => [nameOf(parameter), parameter.schema])),
      required: own.filter(({ required }) => required).map(nameOf),
    };
  };
  const ofParameters = { query: schemaOf('query'), headers: schemaOf('header'), params: schemaOf('path') };
  const ofBody = { body: Object.values(requestBody?.content ?? {})[0]?.schema ?? true };
  return [
    ajvWith({ coerceTypes: true }).compile({ components, properties: ofParameters }),
    ajvWith({}).compile({ components, properties: ofBody }),
  ];
}

function ajvWith(options: Options): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true, verbose: true, ...options });
  addFormats.default(ajv, { mode: 'full' });
  return ajv.addFormat('date-time', { type: 'string', validate: isRequestTime });
}

/** The parts of a request that the contract describes. */
type Parts = Readonly<Record<string, unknown>>;

/** The errors of Ajv, as problems that clients can act on. */
export function problemsIn(all: readonly ErrorObject[], parts: Parts, envelopes: ReadonlySet<string>): Problem[] {
  const failures = all.slice(0, maxComparedProblems).map(failureOf);
  const problems = relevant(failures)
    .slice(0, maxProblems)
    .map((failure) => problemOf(failure, failures, parts, envelopes));
  return [...new Map(problems.map((problem) => [`${problem.pointer} ${problem.title}`, problem])).values()];
}

interface Failure extends Pick<Problem, 'code' | 'meta'> {
  readonly keyword: string;
  /** The condition that the value must meet. */
  readonly words: string;
  /** The part of the request, and the names of the members that lead to the value. */
  readonly path: readonly string[];
}

function failureOf({ keyword, instancePath, params, parentSchema, message = '' }: ErrorObject): Failure {
  const path = instancePath.split('/').slice(1);
  const { missingProperty, additionalProperty } = params as Readonly<Record<string, string | undefined>>;
  const member = missingProperty ?? additionalProperty;
  const schema = parentSchema as Schema;
  const { words, ...kind } = violationOf(keyword, { ...params, known: Object.keys(schema.properties ?? {}) });
  return {
    keyword,
    // Clients know a time that is no text as an invalid value, without the types that are allowed.
    ...(keyword === 'type' && isTime(schema) ? { code: 'invalid_value' } : kind),
    words: words ?? schema['x-message'] ?? message,
    path: [...path.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')), ...(member ? [member] : [])],
  };
}

const isTime = ({ type, format }: Schema): boolean => type === 'string' && /^date(-time)?$/.test(format ?? '');

const isUnion = ({ keyword }: Failure): boolean => ['oneOf', 'anyOf'].includes(keyword);

/** Where a union failed, the messages of its branches are noise. Where a condition failed, the condition itself is. */
function relevant(failures: readonly Failure[]): Failure[] {
  const unconditional = failures.filter(({ keyword }) => keyword !== 'if');
  const unions = unconditional.filter(isUnion).map(({ path }) => path.join('/'));
  return unconditional.filter((one) => isUnion(one) || !unions.some((union) => one.path.join('/').startsWith(union)));
}

/** The message about a value. For a union of formats it names all of them. */
function kindOf(failure: Failure, all: readonly Failure[]): Omit<Problem, 'pointer'> {
  const path = failure.path.join('/');
  const formats = all.filter((one) => isUnion(failure) && one.keyword === 'format' && one.path.join('/') === path);
  if (formats.length > 0) return { code: 'invalid_format', title: formats.map(({ words }) => words).join(', or ') };
  const { code, words } = failure;
  // A union of lists of values allows the values of all of them.
  const listed = all.filter((one) => isUnion(failure) && one.keyword === 'enum' && one.path.join('/') === path);
  const meta = listed.length > 0 ? { allowed: listed.flatMap((one) => one.meta?.allowed ?? []) } : failure.meta;
  return { code, title: words, ...(meta && { meta }) };
}

const secretNames = /password|token|pin$|^api_key$/i;

function problemOf(failure: Failure, all: readonly Failure[], parts: Parts, envelopes: ReadonlySet<string>): Problem {
  const [part = '', ...names] = failure.path;
  const shown = part === 'headers' ? names.map(asInContract) : names;
  const pointer = part === 'body' ? pointerTo(names, envelopes) : shown.join('/') || 'base';
  const value = valueAt(parts, failure.path);
  const was =
    failure.code === 'unknown_name' || value === undefined || secretNames.test(pointer)
      ? ''
      : `, but was ${shortened(value)}`;
  const { meta, ...kind } = kindOf(failure, all);
  const given = failure.code === 'unknown_name' ? names.at(-1) : value;
  const known = (meta?.allowed ?? []).filter((allowed) => typeof allowed === 'string');
  const meant = typeof given === 'string' ? meaning(given, known) : {};
  return {
    ...kind,
    ...(meta && { meta: { ...meta, ...meant } }),
    pointer,
    title: `${subjectOf(shown)} ${kind.title}${was}.`,
  };
}

/** Node gives headers in lower case. Contracts write them as `If-Match`. */
const asInContract = (header: string): string => header.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());

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
