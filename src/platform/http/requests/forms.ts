import type { Request, RequestHandler, Response } from 'express';
import multer, { MulterError } from 'multer';
import { AppError, refuse, type Problem } from '../../core/errors.ts';
import type { Actor } from '../../core/permissions.ts';
import type { ApiDefinition } from '../api_definition.ts';
import { resolveSchema, type Resolve, type Schema } from '../contract_document.ts';
import type { Route } from '../route.ts';
import type { Sender } from '../security/upload_memory.ts';
import { formType, mediaTypeOf, setType } from './media_type.ts';

type FormRequest = Omit<Request, 'files'> & { files?: Express.Multer.File[] };

/** The fields that a form may have beside its files. */
const fieldLimits = { fieldSize: 256 * 1024, fields: 100 };

/**
 * Reads a form into memory, as `req.body` and `req.files`. A form of an unknown sender gets less memory, so that it waits until
 * the sender is known if the header or the query has a token.
 */
export function readForm({ uploadMemory, isLenient }: ApiDefinition, knowledge: 'known' | 'unknown'): RequestHandler {
  const limits = { fileSize: 25 * 1024 * 1024, files: isLenient ? 1 : 20, ...fieldLimits };
  const read = multer({ limits }).any();
  return (req, res, next) => {
    const canWait = knowledge === 'unknown' && namesSender(req);
    if (mediaTypeOf(req) !== formType || req.body !== undefined || canWait) return next();
    let isDone = false;
    const done = (error?: unknown): void => {
      if (!isDone) next(error);
      isDone = true;
    };
    uploadMemory(req, res, knowledge === 'known' ? accountOf(res) : 'unknown', done);
    read(req, res, (error?: unknown) => {
      setType(req, formType);
      done(error && refusalOf(error));
    });
  };
}

/** Whether there is a token to be found before the form is read. */
const namesSender = (req: Request): boolean =>
  /^bearer\s/i.test(req.get('Authorization') ?? '') || Boolean(req.query['api_token']);

/** Operations that need no credential share one account. */
const accountOf = (res: Response): Sender => ({
  accountId: (res.locals['actor'] as Actor | null | undefined)?.accountId ?? 0,
});

/** A form is read into memory only, so that a failure to read it lies in the bytes that the client sent. */
function refusalOf(error: unknown): unknown {
  if (error instanceof MulterError && /^LIMIT_(FILE|PART)_(SIZE|COUNT)$/.test(error.code))
    return Object.assign(error, { status: 413 });
  const message = (error as Error).message.replace('Multipart: Boundary not found', 'multipart file(s) required');
  const title = `The form could not be read: ${message}. It may have ${fieldLimits.fields} fields of ${fieldLimits.fieldSize / 1024} KiB each.`;
  return new AppError(400, [{ code: 'malformed_request', pointer: 'base', title }]);
}

/** Compares the files of a form with the contract, and writes their names into the body so that it can be validated. */
export function checkFiles({ bodySchema, resolve }: Route): RequestHandler {
  const fields = Object.entries(resolveSchema(bodySchema!, resolve).properties ?? {}).map(
    ([name, property]): Field => ({ name, kind: kindOf(resolveSchema(property, resolve), resolve) }),
  );
  return (req, _res, next) => {
    if (mediaTypeOf(req) !== formType) return next();
    const { files = [] } = req as FormRequest;
    const body = req.body as Record<string, unknown>;
    const found = fields.map((field) => ({
      ...field,
      files: files.filter(({ fieldname }) => fieldname === field.name),
    }));
    refuse(found.flatMap((field) => problemsOf(field, field.files.length, body)));
    for (const { name, kind, files: own } of found) {
      const names = own.map(({ originalname }) => originalname || 'file');
      if (names.length > 0) body[name] = kind === 'files' ? names : names[0];
    }
    // Files that the contract does not name are ignored, like attributes that it does not name.
    (req as FormRequest).files = files.filter(({ fieldname }) => fields.some(({ name }) => name === fieldname));
    next();
  };
}

interface Field {
  readonly name: string;
  readonly kind: 'text' | 'file' | 'files';
}

function kindOf(schema: Schema, resolve: Resolve): Field['kind'] {
  if (schema.format === 'binary') return 'file';
  return schema.items && resolveSchema(schema.items, resolve).format === 'binary' ? 'files' : 'text';
}

function problemsOf({ name, kind }: Field, fileCount: number, body: Readonly<Record<string, unknown>>): Problem[] {
  const refused = (code: Problem['code'], what: string): Problem[] => [
    { code, pointer: name, title: `${name} must be ${what}.` },
  ];
  if (kind === 'text') return fileCount > 0 ? refused('invalid_type', 'text, but was a file') : [];
  if (fileCount === 0) return body[name] === undefined ? [] : refused('invalid_type', 'a file, but was text');
  return kind === 'file' && fileCount > 1 ? refused('too_many', `one file, but there were ${fileCount}`) : [];
}
