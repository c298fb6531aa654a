import { createRequire } from 'node:module';

/*
 * The validator makes the regular expression of every route of the contract anew at every request, which took a tenth of the
 * time of one. It asks for them through its copy of path-to-regexp, and here that copy is taught to remember.
 */
type PathToRegexp = (path: unknown, options?: { sensitive?: boolean; strict?: boolean }) => object;

/** Makes the validator's patterns once each. There are as many as the contracts have paths. */
export function rememberPatterns(): void {
  const validator = createRequire(createRequire(import.meta.url).resolve('express-openapi-validator'));
  const library = validator('path-to-regexp') as { pathToRegexp: PathToRegexp & { remembers?: true } };
  const make = library.pathToRegexp;
  if (make.remembers) return;
  const made = new Map<string, object>();
  const remember: PathToRegexp = (path, options) => {
    if (typeof path !== 'string') return make(path, options);
    const key = `${options?.sensitive} ${options?.strict} ${path}`;
    let pattern = made.get(key);
    if (!pattern) made.set(key, (pattern = make(path, options)));
    return pattern;
  };
  library.pathToRegexp = Object.assign(remember, { remembers: true as const });
}
