import { createHash } from 'node:crypto';
import { fixedIds } from '../../src/programs/demo/fixed_ids.ts';
import { mailedSecrets, type Example } from '../docs/examples.ts';
import type { RecordedCall } from './recorder.ts';

/*
 * Some ids, tokens, pins and signatures are random. In the examples a placeholder of the same form replaces each of them. It is
 * derived from the operation that first showed the value, so it is the same in every run.
 */

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const accessToken = /\bpat_[\w-]{43}/g;
const calendarSecret = /\bpcf_[\w-]{43}/g;
const signature = /\bsignature=[\w-]+/g;
/** A cursor may hold a random id. */
const cursor = /\bafter=[\w-]+/g;

/** The token of an invitation, alone or in the address of its page. A reset token looks alike and has a name of its own. */
const inviteToken = /(?<=^|\/join-workspace\/)[\w-]{43}(?=$|\?lang=)/g;

const isFixed = (value: string): boolean => (Object.values(fixedIds) as string[]).includes(value);

const requestId = '5f0c3f0e-6f1c-4a55-9d6a-0a3f3a8d9b11';

/** Random values that only the name of their member identifies. */
const secrets: Readonly<Record<string, (digest: Buffer) => string>> = {
  identifier_pin: (digest) => spelt(digest, 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789', 4),
  reset_password_token: () => mailedSecrets.reset,
  secret: () => 'whsec_T25seSBhbiBleGFtcGxlIG9mIGEgd2ViaG9vayBzZWNyZXQ=',
  token: () => 'OnlyAnExampleOfAnApiToken000000000000042',
  last_four: () => '0042',
  next_cursor: () => 'MS43MzUuMTI.Nj2bDO8bYw0vGGFzqAMhK8iCl0tNj2bDO8bYw0vGGFz',
};

const spelt = (digest: Buffer, alphabet: string, length: number): string =>
  Array.from({ length }, (_, index) => alphabet[digest[index]! % alphabet.length]).join('');

/** Turns recorded calls into examples, with placeholders for random values. */
export function examplesOf(takes: readonly RecordedCall[]): Map<string, Example & Pick<RecordedCall, 'api'>> {
  const known = new Map<string, string>();
  return new Map(
    takes.map(({ api, operationId, request, answer, one, errors, events }) => {
      const replaced = replacer(operationId, known);
      const response = replaced(answer.body);
      const responses = one && {
        list: { summary: 'A list', value: response },
        one: { summary: 'One record, named by id or external_id', value: replaced(one.body) },
      };
      const refusals = Object.fromEntries(Object.entries(errors).map(([status, { body }]) => [status, replaced(body)]));
      const answers = responses ? { responses } : response === undefined ? {} : { response };
      return [
        operationId,
        {
          api,
          request: replaced(request) as Example['request'],
          ...answers,
          ...(events.length > 0 ? { events } : {}),
          errors: refusals,
        },
      ];
    }),
  );
}

/** Replaces the random values in a body that belongs to no recorded call. */
export const withPlaceholders = (body: unknown): unknown => replacer('', new Map())(body);

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
      .replaceAll(calendarSecret, 'pcf_b25seSBhbiBleGFtcGxlIG9mIGEgY2FsZW5kYXIgZmV')
      .replaceAll(inviteToken, mailedSecrets.invitation)
      .replaceAll(signature, 'signature=b25seSBhbiBleGFtcGxlIG9mIGEgc2lnbmF0dXJl')
      .replaceAll(cursor, 'after=cursor-from-links-next')
      .replaceAll(uuid, (value) => (isFixed(value) ? value : standIn(value, asUuid)));
  const replaced = (value: unknown, name = ''): unknown => {
    if (typeof value === 'string') {
      if (name === 'request_id') return requestId;
      // The token of an invitation has the name of that of an API, and another form.
      if (name === 'token' && value.length === 43) return inText(value);
      return secrets[name] && value !== '' ? standIn(value, secrets[name]) : inText(value);
    }
    // A user's colour is random, and a number.
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
