import { demoCredentials } from '../../../src/programs/demo/credentials.ts';

/** The variables of the collections: the address of the service, and credentials. They are empty where there is no demo. */
export const environmentOf = (url: string, showsDemo: boolean): object => {
  const { apiKey, admin, password, apiToken } = demoCredentials;
  const credentials = { api_key: apiKey, email: admin, password, api_token: apiToken };
  return {
    name: 'Punchcard',
    values: [
      { key: 'url', value: url, enabled: true, type: 'default' },
      ...Object.entries(credentials).map(([key, value]) => ({
        key,
        value: showsDemo ? value : '',
        enabled: true,
        type: key === 'email' ? 'default' : 'secret',
      })),
    ],
  };
};
