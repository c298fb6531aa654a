import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../../src/platform/config.ts';

describe('readConfig', () => {
  it('has a default for everything', () => {
    expect(readConfig({ GIT_COMMIT: 'abc' })).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      databaseUrl: undefined,
      directDatabaseUrl: undefined,
      poolSize: 10,
      preparedStatements: true,
      dataDir: path.resolve('data'),
      publicUrl: undefined,
      appUrl: 'http://127.0.0.1:3000',
      smtpUrl: undefined,
      mailFrom: 'Punchcard <punchcard@localhost>',
      workers: true,
      signUp: true,
      requireApiKey: true,
      trustProxy: undefined,
      demo: true,
      shutdownDelaySeconds: 2,
      uploadMemoryMebibytes: 512,
      hasMonthCache: true,
      fileQuotaMebibytesPerAccount: 10_240,
      logLevel: 'info',
      gitCommit: 'abc',
      secretKey: undefined,
      limits: {
        requestsPerMinute: 0,
        signInFailuresPerPair: 10,
        signInFailuresPerAddress: 300,
        signInWindowSeconds: 900,
        signInMaxDelaySeconds: 300,
        mailsPerRecipientPerHour: 1,
        mailsPerRecipientPerDay: 10,
        invitationsPerDay: 1_000,
        invitationsPerDayUnconfirmed: 10,
        signUpsPerAddress: 500,
      },
    });
  });

  it('lets webhooks lead to loopback where the demo is tried on this machine alone', () => {
    const allowsPrivate = (env: Record<string, string>) => readConfig(env).webhookAllowPrivate;
    expect(allowsPrivate({})).toBe(true);
    expect(allowsPrivate({ DEMO: 'off' })).toBe(false);
    expect(allowsPrivate({ HOST: '0.0.0.0', DEMO: 'on' })).toBe(false);
    expect(allowsPrivate({ NODE_ENV: 'production', DEMO: 'on' })).toBe(false);
    expect(allowsPrivate({ PUBLIC_URL: 'https://time.example.com' })).toBe(false);
    expect(allowsPrivate({ WEBHOOK_ALLOW_PRIVATE: 'off' })).toBe(false);
  });

  it('treats blank values as not set', () => {
    const blank = readConfig({
      PORT: '',
      DATABASE_URL: '',
      SMTP_URL: '',
      SIGN_UP: '',
      SECRET_KEY: '',
      GIT_COMMIT: 'abc',
    });
    expect(blank).toEqual(readConfig({ GIT_COMMIT: 'abc' }));
  });

  it('refuses a SECRET_KEY that is too short, without repeating it', () => {
    expect(readConfig({ SECRET_KEY: 'k'.repeat(32) }).secretKey).toBe('k'.repeat(32));
    expect(() => readConfig({ SECRET_KEY: 'k'.repeat(31) })).toThrow(
      /^SECRET_KEY must have at least 32 characters, but had 31\. /,
    );
  });

  describe('FILES_URL', () => {
    const keys = { FILES_ACCESS_KEY_ID: 'AK', FILES_SECRET_ACCESS_KEY: 'secret' };
    const addressIn = (FILES_URL: string, others = {}) => readConfig({ FILES_URL, ...others }).objectStore;

    it('names the bucket, the prefix, the region, the endpoint and the style of addresses', () => {
      expect(readConfig({}).objectStore).toBeUndefined();
      expect(addressIn('s3://my-files')).toEqual({
        address: {
          ...{ setting: 'FILES_URL', bucket: 'my-files', prefix: '', region: 'us-east-1' },
          ...{ endpoint: undefined, hasPathStyle: false, credentials: undefined },
        },
        isForNewFiles: true,
      });
      const own = addressIn('s3://my-files/a/b/?region=eu-1&endpoint=https://s3.example.com:9000', keys);
      expect(own?.address).toMatchObject({
        ...{ prefix: 'a/b', region: 'eu-1', endpoint: 'https://s3.example.com:9000', hasPathStyle: true },
        credentials: { accessKeyId: 'AK', secretAccessKey: 'secret' },
      });
      expect(addressIn('s3://my-files?endpoint=https://e.example&path_style=off')?.address.hasPathStyle).toBe(false);
      expect(readConfig({ FILES_URL_PREVIOUS: 's3://my-files' }).objectStore).toMatchObject({ isForNewFiles: false });
    });

    it.each([
      ['https://s3.example.com/files', 'it does not begin with s3://'],
      ['files', 'it does not begin with s3://'],
      ['s3://F', 'the bucket "F" must have 3 to 63'],
      ['s3://files?regoin=eu', '"regoin" is none of region, endpoint, path_style'],
      ['s3://files?endpoint=localhost', 'the endpoint "localhost" must be an http or https address'],
      ['s3://files?path_style=maybe', 'path_style must be on or off, and is "maybe"'],
      ['s3://files/a%20b', 'the prefix "a b" must have'],
    ])('refuses %s with what is allowed', (value, problem) => {
      expect(() => addressIn(value)).toThrow(`FILES_URL must be s3://BUCKET[/PREFIX]`);
      expect(() => addressIn(value)).toThrow(`but was "${value}": ${problem}`);
    });

    it('refuses credentials in the address without repeating them, half of them, and two stores', () => {
      expect(() => addressIn('s3://key:hidden@files')).toThrow(/^FILES_URL must not contain credentials\. Set FILES_/);
      expect(() => addressIn('s3://files', { FILES_ACCESS_KEY_ID: 'AK' })).toThrow('only FILES_ACCESS_KEY_ID is set');
      expect(() => addressIn('s3://files', { FILES_URL_PREVIOUS: 's3://files' })).toThrow('must not both be set');
    });
  });

  it('never has an empty commit', () => {
    expect(readConfig({ GIT_COMMIT: '' }).gitCommit).toMatch(/^([0-9a-f]{12}|unknown)$/);
  });

  it('drops slashes at the end of addresses, and takes the public one for mails where no other is given', () => {
    const config = readConfig({ PUBLIC_URL: 'https://api.example.com//' });
    expect(config).toMatchObject({ publicUrl: 'https://api.example.com', appUrl: 'https://api.example.com' });
    expect(readConfig({ PUBLIC_URL: 'https://api.example.com', APP_URL: 'https://app.example.com/' }).appUrl).toBe(
      'https://app.example.com',
    );
  });

  it.each(['0', 'false', 'off', 'no', 'OFF'])('reads %s as off', (value) => {
    expect(readConfig({ SIGN_UP: value, REQUIRE_API_KEY: value, WORKERS: value })).toMatchObject({
      signUp: false,
      requireApiKey: false,
      workers: false,
    });
  });

  it.each(['1', 'true', 'on', 'yes', 'True'])('reads %s as on', (value) => {
    expect(readConfig({ SIGN_UP: value, DEMO: value, NODE_ENV: 'production' })).toMatchObject({
      signUp: true,
      demo: true,
    });
  });

  it('creates no demo organisation if the server is public', () => {
    expect(readConfig({ NODE_ENV: 'production' }).demo).toBe(false);
    expect(readConfig({ HOST: '0.0.0.0' }).demo).toBe(false);
    expect(readConfig({ HOST: '::' }).demo).toBe(false);
    expect(readConfig({ HOST: '127.example.com' }).demo).toBe(false);
    expect(['localhost', '::1', '127.0.0.1', '127.1.2.3'].every((HOST) => readConfig({ HOST }).demo)).toBe(true);
    expect(readConfig({ HOST: '0.0.0.0', DEMO: '1' }).demo).toBe(true);
  });

  it('refuses invalid values with an error that names the setting', () => {
    expect(() => readConfig({ PORT: 'http' })).toThrow('PORT must be a whole number from 0 to 65535, but was "http".');
    expect(() => readConfig({ SIGN_UPS_PER_HOUR: '-1' })).toThrow(
      'SIGN_UPS_PER_HOUR must be a whole number from 0 to 999999999, but was "-1".',
    );
    expect(() => readConfig({ SIGN_UP: 'maybe' })).toThrow('SIGN_UP must be on or off, but was "maybe".');
  });

  it.each([
    [{ PORT: '70000' }, 'PORT must be a whole number from 0 to 65535, but was "70000".'],
    [{ DATABASE_POOL: '0' }, 'DATABASE_POOL must be a whole number from 1 to 999999999, but was "0".'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of info, trace, debug, warn, error, fatal, silent, but was "loud".'],
    [{ PUBLIC_URL: 'example.com' }, 'PUBLIC_URL must be an address such as https://'],
    [{ APP_URL: 'https://' }, 'APP_URL must be an address such as https://time.example.com, but was "https://".'],
    [{ TRUST_PROXY: '10.0.0.0/99' }, 'TRUST_PROXY must be true, the number of proxies, or a list of IP addresses'],
    [
      { WEBHOOK_DNS: 'dns.test' },
      'WEBHOOK_DNS must be a list such as 10.0.0.2,[2001:db8::1]:5353, but was "dns.test".',
    ],
    [{ TRUST_PROXY: 'nginx' }, 'TRUST_PROXY must be true, the number of proxies, or a list of IP addresses'],
  ])('refuses %j with what is allowed', (settings, message) => {
    expect(() => readConfig(settings)).toThrow(message);
  });

  it('refuses a DATABASE_URL of another kind without repeating the password', () => {
    const read = () => readConfig({ DATABASE_URL: 'mysql://user:hidden@host/db' });
    expect(read).toThrow('DATABASE_URL must be an address such as postgres://');
    expect(read).not.toThrow('hidden');
  });

  it('takes proxies as a number, as networks, as true and as false', () => {
    for (const TRUST_PROXY of ['1', 'true', 'loopback, 10.0.0.0/8', '::1'])
      expect(readConfig({ TRUST_PROXY }).trustProxy).toBe(TRUST_PROXY);
    expect(readConfig({ TRUST_PROXY: 'false' }).trustProxy).toBeUndefined();
  });

  it('takes DNS servers with and without a port', () => {
    expect(readConfig({ WEBHOOK_DNS: '10.0.0.2, [2001:db8::1]:5353' }).webhookDns).toEqual([
      '10.0.0.2',
      '[2001:db8::1]:5353',
    ]);
    expect(readConfig({}).webhookDns).toEqual([]);
  });

  it('lets every limit be turned off', () => {
    const off = {
      SIGN_IN_FAILURES_PER_PAIR: '0',
      SIGN_IN_FAILURES_PER_ADDRESS: '0',
      SIGN_IN_MAX_DELAY_SECONDS: '0',
      MAILS_PER_RECIPIENT_PER_HOUR: '0',
      MAILS_PER_RECIPIENT_PER_DAY: '0',
      INVITATIONS_PER_DAY: '0',
      UNCONFIRMED_MAILS_PER_DAY: '0',
      SIGN_UPS_PER_HOUR: '0',
    };
    expect(readConfig(off).limits).toMatchObject({
      signInFailuresPerPair: 0,
      signInFailuresPerAddress: 0,
      signInMaxDelaySeconds: 0,
      mailsPerRecipientPerHour: 0,
      mailsPerRecipientPerDay: 0,
      invitationsPerDay: 0,
      invitationsPerDayUnconfirmed: 0,
      signUpsPerAddress: 0,
    });
  });
});
