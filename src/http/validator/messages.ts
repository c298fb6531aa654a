/** The library's messages that clients would have to read twice, and the words that replace them. */
const replacements: readonly [RegExp, string | ((message: string, ...parts: string[]) => string)][] = [
  [
    /^must be ((?:(?:string|integer|number|boolean|array|object|null),?)+)$/,
    (_message, types) => `must be ${types.split(',').map(typeInPlainWords).join(' or ')}`,
  ],
  [/^must have required property '.*'$/, 'is required'],
  [
    /^must match format "date-time"$/,
    'must be an ISO 8601 time with an offset, like 2026-01-30T08:00:00+01:00, of a day that exists',
  ],
  [/^must match format "date"$/, 'must be a day that exists, like 2026-01-30'],
  [/^must match format "email"$/, 'must be an e-mail address'],
  [/^must match format "uuid"$/, 'must be a UUID'],
  [/^must NOT have fewer than (\d+) characters$/, 'must have at least $1 characters'],
  [/^must NOT have more than (\d+) characters$/, 'must have at most $1 characters'],
  [/^must NOT have fewer than (\d+) items$/, 'must have at least $1 items'],
  [/^must NOT have more than (\d+) items$/, 'must have at most $1 items'],
  [/^must NOT have duplicate items .*$/, 'must have every item once'],
  [/^must NOT have fewer than (\d+) properties$/, 'must have at least $1 members'],
  [/^must NOT have additional properties$/, 'must be left out, because nothing of that name is known here'],
  [/^must be >= (.+)$/, 'must be at least $1'],
  [/^must be <= (.+)$/, 'must be at most $1'],
  [/^must be > (.+)$/, 'must be more than $1'],
  [/^must be equal to one of the allowed values: ([^,]+)$/, 'must be "$1"'],
  [/^must be equal to one of the allowed values: (.+)$/, 'must be one of $1'],
  [/^must match pattern "\^#\[0-9A-Fa-f\]\{6\}\$"$/, 'must be a colour like #2196F3'],
  [
    /^must match pattern "\^\(https:.*"$/,
    'must be an https address, or a data URL with a PNG, JPEG or WebP image in base64',
  ],
  [/^must match pattern "\^\[A-Za-z\]\{2,3\}.*"$/, 'must be a language tag like de or en-GB'],
  [
    /^must match pattern "\^\[A-Za-z0-9 _\/\+-\]\+\$"$/,
    'must be a city such as Berlin or an IANA name such as Europe/Berlin',
  ],
  [/^must match pattern "\^\[\^\\x00.*"$/, 'must not contain line breaks or other control characters'],
  [/^must match pattern "\^\[A-Z\]\{2\}.*"$/, 'must be a region such as DE-BY, AT-9 or FR'],
  [/^must match pattern "\^\[0-9\]\{4\}-W.*"$/, 'must be a week that exists, like 2026-W24'],
  [/^must match pattern "\^\(19\|20\)\[0-9\]\{2\}-.*"$/, 'must be a month such as 2026-05'],
  [/^must match pattern "\\S"$/, 'must not be blank'],
  [/^must match pattern "\^\(19\|20\)"$/, 'must be a day from 1900 to 2099'],
  [/^must match pattern "\^\\s\*\(\\\*\|.*"$/, 'must be * or quoted tags, separated by commas'],
  // The contract excludes no other values: hours that change a time account.
  [/^must NOT be valid$/, 'must be at least 0.01 or at most -0.01'],
  [/^must match exactly one schema in oneOf$/, 'has none of the shapes that are allowed here'],
  [/^must match a schema in anyOf$/, 'has none of the shapes that are allowed here'],
];

/** A message of the library as a person would say it. */
export function inPlainWords(message: string): string {
  const [pattern, words] = replacements.find(([candidate]) => candidate.test(message)) ?? [];
  return pattern ? message.replace(pattern, words as string) : message;
}

const typeInPlainWords = (type: string): string =>
  ({
    string: 'text',
    integer: 'a whole number',
    number: 'a number',
    boolean: 'true or false',
    array: 'a list',
    object: 'an object',
  })[type] ?? type;
