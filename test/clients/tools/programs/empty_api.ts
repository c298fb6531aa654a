import { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query';
import { stringify } from 'qs';

/** What the address and the credential of a client are. A store of one page would read the latter from its state. */
export const connection = { v3: {}, public: {} } as Record<'v3' | 'public', Record<string, string>>;

const url = process.argv[2]!;
const emptyApi = <Api extends 'v3' | 'public'>(api: Api, base: string) =>
  createApi({
    reducerPath: api,
    baseQuery: fetchBaseQuery({
      baseUrl: url + base,
      // It groups filters by their brackets, and expects the page to write them out.
      paramsSerializer: (params) => stringify(params, { arrayFormat: 'repeat' }),
      prepareHeaders: (headers) => {
        for (const [name, value] of Object.entries(connection[api])) headers.set(name, value);
      },
    }),
    endpoints: () => ({}),
  });

export const v3 = emptyApi('v3', '/api/v3');
export const enterprise = emptyApi('public', '/public_api/v1');
