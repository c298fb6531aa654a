import fc from 'fast-check';

/*
 * Values that are known to break programs, and that hardly any schema allows.
 */

/** Marks a piece of JSON that JSON.stringify would not write. */
const raw = (json: string): string => `@raw:${json}:raw@`;

/** JSON with the raw pieces in it. */
export const jsonOf = (value: unknown): string =>
  (JSON.stringify(value) ?? 'null').replaceAll(/"@raw:(.*?):raw@"/g, (_match, json: string) =>
    json.replaceAll('\\"', '"').replaceAll('\\\\', '\\'),
  );

export const times = [
  ...[
    '2026-01-05T09:00:00+01:00',
    '2026-03-29T02:30:00+01:00',
    '2024-02-29T23:59:60Z',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
  ],
  ...[
    '2026-02-30T00:00:00Z',
    '2026-01-05T09:00:00',
    '2026-01-05 09:00:00Z',
    '2026-01-05T24:00:00Z',
    '+275760-09-13T00:00:00Z',
    '-000001-01-01T00:00:00Z',
  ],
  ...[
    '2026-01-05T09:00:00.123456789+14:00',
    '2026-01-05T09:00:00-99:99',
    '0000-00-00',
    '2026-W01',
    '20260105T090000Z',
    '1e10',
    'now',
    'infinity',
  ],
];

/** Texts that are known to break programs. */
const oddTexts = [
  ...[
    '',
    ' ',
    '\t\n',
    '\0',
    'a\0b',
    '\ud800',
    '\udfff\ud800',
    'a\u202eb',
    '\ufeff',
    '\u{1f469}\u200d\u{1f469}\u200d\u{1f466}',
    'é',
    'İ',
    'ß',
    '\u0000',
  ],
  ...[
    "'; drop table users; --",
    "' or '1'='1",
    '" or ""="',
    '1; select pg_sleep(10)',
    "\\'; --",
    '$1',
    '$$',
    '%',
    '_',
    '\\',
    "E'\\\\x00'",
    '/*',
    ')',
  ],
  ...[
    '{"$gt":""}',
    '[object Object]',
    '${7*7}',
    '{{7*7}}',
    '<script>alert(1)</script>',
    '../../etc/passwd',
    '%00',
    '%2e%2e%2f',
    'file:///etc/passwd',
  ],
  ...[
    '__proto__',
    'constructor',
    'prototype',
    'hasOwnProperty',
    'toString',
    'valueOf',
    'then',
    'length',
    'null',
    'undefined',
    'NaN',
    'true',
    'Infinity',
  ],
  ...[
    '0',
    '-1',
    '1e3',
    '0x10',
    '1_000',
    '９',
    '१',
    '9223372036854775807',
    '9223372036854775808',
    '99999999999999999999999999',
    '1.5',
    '-0',
    '+1',
    ' 1 ',
  ],
  ...[
    'eq:',
    'eq:1',
    'in:',
    'in:1,,2',
    'gt:abc',
    '!eq:',
    'present:maybe',
    'ct:%',
    'pre:\\',
    'gt:2026-02-30',
    'eq:\ud800',
    'eq:a\0',
    'gte:1e999',
    'in:\ud800,1',
  ],
  ...[
    '00000000-0000-0000-0000-000000000000',
    'data:image/png;base64,AAAA',
    'data:image/svg+xml;base64,AAAA',
    'https://example.com/a.png',
    'javascript:alert(1)',
  ],
  ...[
    'a@b',
    'a@example.com\r\nBcc: b@example.com',
    'Europe/Berlin',
    'Etc/GMT+14',
    'Berlin',
    'de_DE',
    'x'.repeat(256),
    'ü'.repeat(255),
    'y'.repeat(20_000),
    ','.repeat(1000),
  ],
];

export const oddText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...oddTexts) },
  { weight: 2, arbitrary: fc.constantFrom(...times) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 300 }) },
);

const oddNumber: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(
    0,
    -0,
    -1,
    1.5,
    0.1 + 0.2,
    1e-320,
    1e308,
    -1e308,
    2 ** 31,
    -(2 ** 31) - 1,
    2 ** 53,
    2 ** 53 + 2,
    2 ** 63,
    1e21,
    99999999.995,
    100000000,
  ),
  fc
    .constantFrom(
      '9223372036854775807',
      '9223372036854775808',
      '-9223372036854775809',
      '1e400',
      '1E-400',
      '123456789012345678901234567890',
      '0.00000000000000000001',
    )
    .map(raw),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
);

const oddName = fc.constantFrom(
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'then',
  'id',
  'account_id',
  '',
  '0',
  '$gt',
  'a.b',
  '\0',
  'type',
  'data',
);

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

/** Values that fit no attribute. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 8, arbitrary: oddText },
  { weight: 4, arbitrary: oddNumber },
  {
    weight: 3,
    arbitrary: fc.constantFrom(null, true, false, [], {}, [[]], [null], [{}], { data: null }, { id: null }),
  },
  { weight: 2, arbitrary: fc.array(fc.oneof(oddText, oddNumber), { maxLength: 4 }) },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.tuple(oddName, fc.oneof(oddText, oddNumber)), { maxLength: 3 })
      .map((entries) => Object.fromEntries(entries)),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      raw(nested(40)),
      raw(nested(3000)),
      raw('{"a":1,"a":2}'),
      raw('{"__proto__":{"isAdmin":true}}'),
      raw(`[${'1,'.repeat(10_000)}1]`),
    ),
  },
);
