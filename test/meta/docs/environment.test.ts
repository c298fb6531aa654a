import { describe, expect, it } from 'vitest';
import { builderEnvironment } from '../../../scripts/docs/build.ts';

describe('the environment of the program that builds the reference', () => {
  it('contains no settings of the service', () => {
    const secrets = {
      DATABASE_URL: 'postgres://user:secret@host/db',
      SMTP_URL: 'smtps://secret',
      SECRET_KEY: 'secret',
    };
    const environment = builderEnvironment({ PATH: '/bin', HOME: '/home/a', NODE_OPTIONS: '--inspect', ...secrets });
    expect(environment).toEqual({
      PATH: '/bin',
      HOME: '/home/a',
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_NOTIFICATIONS: 'true',
    });
  });
});
