import type { Mutation } from '../mutation.ts';

/** The codes of errors, which clients compare. */
export const errorMutations: readonly Mutation[] = [
  {
    file: 'src/platform/http/validator/explanation.ts',
    find: 'violationOf(keyword, { ...params, known: Object.keys(schema.properties ?? {}) })',
    replace: 'violationOf(keyword, {})',
    breaks: 'Errors of the validator do not say what is allowed.',
    tests: ['test/api/shared/platform/errors/validator_codes.test.ts'],
  },
  {
    file: 'src/platform/http/validator/codes.ts',
    find: "maxLength: bound('too_long'",
    replace: "maxLength: bound('too_short'",
    breaks: 'A text that is too long is called too short.',
    tests: ['test/api/shared/platform/errors/validator_codes.test.ts'],
  },
  {
    file: 'src/platform/core/errors.ts',
    find: "base('read_only_token'",
    replace: "base('forbidden'",
    breaks: 'A token that may only read cannot be told from a role that may not.',
    tests: ['test/api/shared/platform/errors/operation_codes.test.ts'],
  },
  {
    file: 'src/platform/http/answers/errors.ts',
    find: "404: { code: 'unknown_path'",
    replace: "404: { code: 'not_found'",
    breaks: 'An address that does not exist looks like a record that does not exist.',
    tests: ['test/api/shared/platform/errors/frame_codes.test.ts'],
  },
];
