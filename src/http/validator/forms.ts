import type { Request, RequestHandler, Response } from 'express';
import { AppError, refuse, type Problem } from '../../core/errors.ts';
import {
  requestBodySchema,
  resolver,
  resolveSchema,
  type Contract,
  type Resolve,
  type Schema,
} from '../contract_document.ts';
import type { Actor } from '../../core/permissions.ts';
import type { ApiDefinition } from '../api_definition.ts';
import type { Sender } from '../security/upload_memory.ts';
import { matchedOperation } from './matched_operation.ts';

/*
 * Forms (multipart/form-data). The library reads them, but it accepts text in place of a file, does not take a single file for
 * a list of files, and answers 500 to a form that breaks off. The two steps here correct that.
 */

type FormRequest = Omit<Request, 'files'> & { files?: Express.Multer.File[] };

const isForm = (req: Request): boolean => /^multipart\/form-data\b/i.test(req.headers['content-type'] ?? '');

/** What a form may contain beside its files. */
export const formLimits = { fieldSize: 256 * 1024, fields: 100 };

/** The library's reader, which stops where forms take up too much memory and answers 400 to a malformed form. */
export const formReader =
  (
    read: RequestHandler,
    { uploadMemory: memory }: Pick<ApiDefinition, 'uploadMemory'>,
    knowledge: 'known' | 'unknown',
  ): RequestHandler =>
  (req, res, next) => {
    if (!isForm(req)) return next();
    const sender = knowledge === 'known' ? accountOf(res) : 'unknown';
    let isDone = false;
    const done = (error?: unknown): void => {
      if (!isDone) next(error);
      isDone = true;
    };
    memory(req, res, sender, done);
    return read(req, res, (error?: unknown) => done(error && asBadRequest(error)));
  };

/** Operations that need no credential share one account. */
const accountOf = (res: Response): Sender => ({
  accountId: (res.locals['actor'] as Actor | null | undefined)?.accountId ?? 0,
});

/** A form is read into memory only, so that a failure to read it lies in the bytes that the client sent. */
function asBadRequest(error: unknown): unknown {
  const { status, message } = error as { status?: number; message?: string };
  if (status !== 500 && status !== 400) return error;
  const title = `The form could not be read: ${message ?? 'it is malformed'}. It may have ${formLimits.fields} fields of ${formLimits.fieldSize / 1024} KiB each.`;
  return new AppError(400, [{ code: 'malformed_request', pointer: 'base', title }]);
}

/** Compares the files of a form with the contract, and writes their names into the body so that it can be validated. */
export function formChecker(contract: Contract): RequestHandler {
  const resolve = resolver(contract);
  return (req, _res, next) => {
    if (isForm(req)) checkFiles(req as FormRequest, resolve);
    next();
  };
}

function checkFiles(req: FormRequest, resolve: Resolve): void {
  const operation = matchedOperation(req as Request)?.operation;
  const schema = operation && requestBodySchema(operation, 'multipart/form-data', resolve);
  const properties = Object.entries((schema && resolveSchema(schema, resolve).properties) ?? {}).map(
    ([name, property]) => [name, resolveSchema(property, resolve)] as const,
  );
  const body = (req.body ??= {}) as Record<string, unknown>;
  const problems: Problem[] = [];
  for (const [name, property] of properties) {
    const fileNames = (req.files ?? [])
      .filter((file) => file.fieldname === name)
      .map((file) => file.originalname || 'file');
    const kind = kindOf(property, resolve);
    if (kind === 'text') {
      if (fileNames.length > 0)
        problems.push({ code: 'invalid_type', pointer: name, title: `${name} must be text, but was a file.` });
    } else if (fileNames.length === 0) {
      if (body[name] !== undefined)
        problems.push({ code: 'invalid_type', pointer: name, title: `${name} must be a file, but was text.` });
    } else if (kind === 'file' && fileNames.length > 1) {
      problems.push({
        code: 'too_many',
        pointer: name,
        title: `${name} must be one file, but there were ${fileNames.length}.`,
      });
    } else {
      body[name] = kind === 'files' ? fileNames : fileNames[0];
    }
  }
  refuse(problems);
  // Files that the contract does not name are ignored, like attributes that it does not name.
  const names = new Set(properties.map(([name]) => name));
  if (req.files) req.files = req.files.filter((file) => names.has(file.fieldname));
}

function kindOf(schema: Schema, resolve: Resolve): 'text' | 'file' | 'files' {
  if (schema.format === 'binary') return 'file';
  return schema.items && resolveSchema(schema.items, resolve).format === 'binary' ? 'files' : 'text';
}
