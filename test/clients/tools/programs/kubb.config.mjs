import path from 'node:path';
import { pluginClient } from '@kubb/plugin-client';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';

const folder = import.meta.dirname;

/** A client of both contracts, which are in the parent of the folder. */
export default ['v3', 'public'].map((api) => ({
  name: api,
  root: folder,
  input: { path: path.join(folder, '..', `${api}.json`) },
  output: { path: path.join(folder, api), format: false, lint: false, extension: { '.ts': '' } },
  plugins: [
    pluginOas({ generators: [] }),
    pluginTs({ enumType: 'literal' }),
    pluginClient({ client: 'fetch', bundle: true }),
  ],
}));
