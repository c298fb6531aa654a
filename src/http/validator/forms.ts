import type { Request, RequestHandler } from 'express';
import { AppError, refuse, type Problem } from '../../core/errors.ts';
import type { Schema } from '../requests/blank_values.ts';
import type { MatchedRequest } from '../definition.ts';
import { requestBodySchema, resolver, type Contract } from '../spec.ts';
import type { UploadMemory } from '../security/upload_memory.ts';

/*
 * Forms (multipart/form-data). The validator reads them, but believes a text where a file belongs, takes one file for no
 * list, and calls a form that breaks off a fault of the server. These wrap two of its steps and hold files against the contract.
 */

type Resolve = (reference: string) => object;
type Uploads = Omit<Request, 'files'> & { files?: Express.Multer.File[] };

const isForm = (req: Request): boolean => /^multipart\/form-data\b/i.test(req.headers['content-type'] ?? '');

/** The validator's steps, with the two that read and check forms replaced by stricter ones of the same names. */
export function withForms(
  steps: readonly RequestHandler[],
  contract: Contract,
  memory: UploadMemory,
): RequestHandler[] {
  const resolve = resolver(contract);
  return steps.map((step) => {
    if (step.name === 'multipartMiddleware') {
      const multipartMiddleware: RequestHandler = (req, res, next) => {
        if (!isForm(req)) return next();
        let isRead = false;
        const done = (error?: unknown): void => {
          if (!isRead) next(error);
          isRead = true;
        };
        memory(req, res, done);
        return step(req, res, (error?: unknown) => done(error && asCallersFault(error)));
      };
      return multipartMiddleware;
    }
    if (step.name === 'requestMiddleware') {
      const requestMiddleware: RequestHandler = (req, res, next) => {
        if (isForm(req)) checkFiles(req as Uploads, resolve);
        return step(req, res, next);
      };
      return requestMiddleware;
    }
    return step;
  });
}

/** What a form may hold beside its files. */
export const formLimits = { fieldSize: 256 * 1024, fields: 100 };

/** A form is read into memory only, so that whatever goes wrong lies in its bytes; the validator names the address instead. */
function asCallersFault(error: unknown): unknown {
  const { status, message } = error as { status?: number; message?: string };
  if (status !== 500 && status !== 400) return error;
  const title = `The form could not be read: ${message ?? 'it is malformed'}. It may have ${formLimits.fields} fields of ${formLimits.fieldSize / 1024} KiB each.`;
  return new AppError(400, [{ pointer: 'base', title }]);
}

/** Refuses texts in place of files and the reverse, and lets the body say which files came, so that the contract can judge it. */
function checkFiles(req: Uploads, resolve: Resolve): void {
  const operation = (req as unknown as MatchedRequest).openapi?.schema;
  const schema =
    operation &&
    (resolved(requestBodySchema(operation, 'multipart/form-data', resolve), resolve) as Schema | undefined);
  const properties = Object.entries(schema?.properties ?? {}).map(
    ([name, own]) => [name, resolved(own, resolve) as Schema] as const,
  );
  const body = (req.body ??= {}) as Record<string, unknown>;
  const problems: Problem[] = [];
  for (const [name, own] of properties) {
    const names = (req.files ?? [])
      .filter((file) => file.fieldname === name)
      .map((file) => file.originalname || 'file');
    const kind = kindOf(own, resolve);
    if (kind === 'text') {
      if (names.length > 0) problems.push({ pointer: name, title: `${name} must be text, but was a file.` });
    } else if (names.length === 0) {
      if (body[name] !== undefined) problems.push({ pointer: name, title: `${name} must be a file, but was text.` });
    } else if (kind === 'file' && names.length > 1) {
      problems.push({ pointer: name, title: `${name} must be one file, but there were ${names.length}.` });
    } else {
      body[name] = kind === 'files' ? names : names[0];
    }
  }
  refuse(problems);
  // Like any attribute that the contract does not know, a file it does not know is ignored.
  const known = new Set(properties.map(([name]) => name));
  if (req.files) req.files = req.files.filter((file) => known.has(file.fieldname));
}

function kindOf(schema: Schema, resolve: Resolve): 'text' | 'file' | 'files' {
  if (schema.format === 'binary') return 'file';
  return schema.items && (resolved(schema.items, resolve) as Schema).format === 'binary' ? 'files' : 'text';
}

function resolved(schema: object | undefined, resolve: Resolve): object | undefined {
  let current = schema as { $ref?: string } | undefined;
  while (current?.$ref) current = resolve(current.$ref);
  return current;
}
