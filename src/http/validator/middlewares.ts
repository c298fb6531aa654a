import type { RequestHandler } from 'express';
import { OpenApiSpecLoader, type Spec } from 'express-openapi-validator/dist/framework/openapi.spec.loader.js';
import type {
  OpenAPIFrameworkInit,
  OpenAPIFrameworkVisitor,
  OpenApiValidatorOpts,
  OpenAPIV3,
} from 'express-openapi-validator/dist/framework/types.js';
import { SchemaPreprocessor } from 'express-openapi-validator/dist/middlewares/parsers/schema.preprocessor.js';
import { OpenApiValidator } from 'express-openapi-validator/dist/openapi.validator.js';
import { resolver, type Contract } from '../spec.ts';

/*
 * The validator takes any description of an API, in many files and with mistakes. At every start it would compile the schema of
 * such descriptions, even where it is told not to hold ours against it, search ours for references to other files, and compile
 * each of its schemas merely to look it up: a second in all. Ours is one document, which "npm run check" has held against more
 * than that.
 */

type Document = OpenAPIV3.DocumentV3_1;

/** The validator's middlewares for a bundled contract. The contract becomes the validator's own. */
export function validatorMiddlewares(options: OpenApiValidatorOpts & { apiSpec: object }): RequestHandler[] {
  lookUpPlainly();
  return new OpenApiValidator(options).installMiddleware(
    routesOf(options.apiSpec as Document),
  ) as unknown as RequestHandler[];
}

function routesOf(apiDoc: Document): Promise<Spec> {
  const basePaths = apiDoc.servers!.map(({ url }) => url);
  const framework = {
    async initialize(visitor: OpenAPIFrameworkVisitor): Promise<OpenAPIFrameworkInit> {
      visitor.visitApi!({ basePaths, getApiDoc: () => apiDoc });
      return { apiDoc, basePaths };
    },
  };
  const loader = replaceable(new OpenApiSpecLoader({ apiDoc }), 'framework');
  Object.assign(loader, { framework });
  return loader.load();
}

function lookUpPlainly(): void {
  Object.assign(replaceable(SchemaPreprocessor.prototype, 'resolveSchema'), {
    resolveSchema(this: { apiDoc: Contract }, schema: { $ref?: string } | undefined): object | null {
      return schema?.$ref === undefined ? (schema ?? null) : resolver(this.apiDoc)(schema.$ref);
    },
  });
}

function replaceable<T extends object>(part: T, name: string): T {
  if (!(name in part))
    throw new Error(
      `express-openapi-validator has no ${name} any more; see how it reads a contract now and adapt src/http/validator.ts.`,
    );
  return part;
}
