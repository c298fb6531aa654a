import { createHash } from 'node:crypto';
import type { Example } from '../../src/docs/examples.ts';
import type { Take } from './show.ts';

/*
 * Ids of some records, tokens, pins and signatures are made at random. In the examples each has a stand-in that looks like it and
 * is the same in every run: it depends on the operation that showed the value first, and so not on what comes before it.
 */

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const accessToken = /\bpat_[\w-]{43}/g;
const signature = /\bsignature=[\w-]+/g;

const requestId = '5f0c3f0e-6f1c-4a55-9d6a-0a3f3a8d9b11';

/** Secrets that have nothing by which they could be told but the name of their member. */
const secrets: Readonly<Record<string, (digest: Buffer) => string>> = {
  identifier_pin: (digest) => spelt(digest, 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789', 4),
  reset_password_token: () => 'b25seSBhbiBleGFtcGxlIG9mIGEgcmVzZXQgdG9rZW4',
  token: () => 'OnlyAnExampleOfAnApiToken000000000000042',
  last_four: () => '0042',
};

const spelt = (digest: Buffer, alphabet: string, length: number): string =>
  Array.from({ length }, (_, index) => alphabet[digest[index]! % alphabet.length]).join('');

/** The examples that a run gives: what was asked and answered, with stand-ins for what is random. */
export function examplesOf(takes: readonly Take[]): Map<string, Example & Pick<Take, 'api'>> {
  const known = new Map<string, string>();
  return new Map(
    takes.map(({ api, operationId, request, answer, one, errors }) => {
      const replaced = replacer(operationId, known);
      const response = replaced(answer.body);
      const responses = one && {
        list: { summary: 'A list', value: response },
        one: { summary: 'One record, named by id or external_id', value: replaced(one.body) },
      };
      const refusals = Object.fromEntries(Object.entries(errors).map(([status, { body }]) => [status, replaced(body)]));
      const answers = responses ? { responses } : response === undefined ? {} : { response };
      return [operationId, { api, request: replaced(request) as Example['request'], ...answers, errors: refusals }];
    }),
  );
}

function replacer(operationId: string, known: Map<string, string>): (value: unknown) => unknown {
  let count = 0;
  const standIn = (value: string, make: (digest: Buffer) => string): string => {
    const chosen = known.get(value) ?? make(createHash('sha256').update(`${operationId} ${count++}`).digest());
    known.set(value, chosen);
    return chosen;
  };
  const inText = (text: string): string =>
    text
      .replaceAll(accessToken, 'pat_b25seSBhbiBleGFtcGxlIG9mIGFuIGFjY2VzcyB0b2tlbg')
      .replaceAll(signature, 'signature=b25seSBhbiBleGFtcGxlIG9mIGEgc2lnbmF0dXJl')
      .replaceAll(uuid, (value) => standIn(value, asUuid));
  const replaced = (value: unknown, name = ''): unknown => {
    if (typeof value === 'string') {
      if (name === 'request_id') return requestId;
      return secrets[name] && value !== '' ? standIn(value, secrets[name]) : inText(value);
    }
    // A user's colour is drawn by lot.
    if (name === 'recognition_color_variant') return 4;
    if (Array.isArray(value)) return value.map((item) => replaced(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, replaced(member, key)]));
  };
  return (value) => replaced(value);
}

function asUuid(digest: Buffer): string {
  const hex = digest.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
