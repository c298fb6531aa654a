import { bounds } from './bounds.js';
import { collections } from './collections.js';
import { deprecations } from './deprecations.js';
import { described } from './described.js';
import { examples } from './examples.js';
import { namedSchemas } from './named_schemas.js';
import { refusals } from './refusals.js';
import { roles } from './roles.js';

/** The rules of the contracts that Redocly cannot express by configuration. */
export default () => ({
  id: 'punchcard',
  rules: {
    oas3: { roles, deprecations, refusals, collections, described, examples, bounds, 'named-schemas': namedSchemas },
  },
});
