import type { RequestHandler } from 'express';
import { OpenApiSpecLoader, type Spec } from 'express-openapi-validator/dist/framework/openapi.spec.loader.js';
import type {
  OpenAPIFrameworkInit,
  OpenAPIFrameworkVisitor,
  OpenApiValidatorOpts,
  OpenAPIV3,
} from 'express-openapi-validator/dist/framework/types.js';
import { SchemaPreprocessor } from 'express-openapi-validator/dist/middlewares/parsers/schema.preprocessor.js';
import errorConversion from 'express-openapi-validator/dist/middlewares/util.js';
import { OpenApiValidator } from 'express-openapi-validator/dist/openapi.validator.js';
import { resolver, type Contract } from '../contract_document.ts';
import type { KeywordDetails } from './codes.ts';

/*
 * The library loads any description of an API, in many files and with mistakes. At every start it would compile the schema of
 * OpenAPI itself, search the contract for references to other files, and compile each schema just to look it up. That takes a
 * second. The contract is a single document, and "npm run check" has validated it, so this file skips all three.
 */

type Document = OpenAPIV3.DocumentV3_1;

/** The library's middlewares for a bundled contract. The library modifies `apiSpec`: pass it a copy. */
export function libraryMiddlewares(options: OpenApiValidatorOpts & { apiSpec: object }): RequestHandler[] {
  replaceSchemaLookup();
  return new OpenApiValidator(options).installMiddleware(
    loadRoutes(options.apiSpec as Document),
  ) as unknown as RequestHandler[];
}

function loadRoutes(apiDoc: Document): Promise<Spec> {
  const basePaths = apiDoc.servers!.map(({ url }) => url);
  const framework = {
    async initialize(visitor: OpenAPIFrameworkVisitor): Promise<OpenAPIFrameworkInit> {
      visitor.visitApi!({ basePaths, getApiDoc: () => apiDoc });
      return { apiDoc, basePaths };
    },
  };
  const loader = requireMember(new OpenApiSpecLoader({ apiDoc }), 'framework');
  Object.assign(loader, { framework });
  return loader.load();
}

function replaceSchemaLookup(): void {
  Object.assign(requireMember(SchemaPreprocessor.prototype, 'resolveSchema'), {
    resolveSchema(this: { apiDoc: Contract }, schema: { $ref?: string } | undefined): object | null {
      return schema?.$ref === undefined ? (schema ?? null) : resolver(this.apiDoc)(schema.$ref);
    },
  });
}

interface AjvError {
  readonly params: KeywordDetails;
}

/** The library drops what Ajv says about a failed keyword, such as its limit. Each of its errors gets that as `details`. */
function keepDetails(): void {
  const { ajvErrorsToValidatorError: convert } = requireMember(errorConversion, 'ajvErrorsToValidatorError');
  Object.assign(errorConversion, {
    ajvErrorsToValidatorError(status: number, errors: readonly AjvError[]) {
      const converted = convert(status, errors as never) as { errors: object[] };
      return { ...converted, errors: converted.errors.map((error, i) => ({ ...error, details: errors[i]!.params })) };
    },
  });
}

keepDetails();

/** Fails at the start, rather than in a request, where a new version of the library no longer has the member. */
function requireMember<T extends object>(part: T, name: string): T {
  if (!(name in part))
    throw new Error(`express-openapi-validator has no ${name} any more. Adapt src/http/validator/library.ts.`);
  return part;
}
