import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { call } from '../support/client.ts';
import { operations } from '../support/contract/operations.ts';
import { attackedOperations, attacksOn, harmless, type Attack } from './privilege_escalation/attacks.ts';
import { newCompany, positions, type Company, type PositionName } from './privilege_escalation/company.ts';
import { missingKinds, reachOf, recordIn } from './privilege_escalation/privilege_escalation.ts';
import { service } from '../support/service.ts';
import { isLong, tally, walkTimeoutMs } from '../support/verification.ts';
import { bodyOf } from '../support/world.ts';
import { join } from '../api/v3/access/invitations/support.ts';

/*
 * An attacker in one position calls every operation that changes members, roles, addresses, areas or tokens, on users in every
 * position. They also reset the password of every user whose mails they receive. Afterwards they must have access to no more
 * records and no more rights than before.
 */

const names = Object.keys(positions) as PositionName[];

/** The tags of operations that change rights, and of those that do not. */
const authorityTags = [
  'Authentication',
  'Accounts',
  'API tokens',
  'Areas',
  'Current user',
  'Invitations',
  'Sessions',
  'User lists',
  'Users',
  'Workspaces',
];
const recordTags =
  /^(Absence|Accounting period|Action|Assignment|Batch action|Break|Calendar feed|Data export|Data profile|Deleted record|Export|Filter|Notification|Preference|Public holiday|Shift|Tag|Target hour|Time account|Time tracking|Upload|Vacation entitlement|Wage type|Webhook|Working session|Working-time violation)/;
const authorityTagsOfPublic = ['Locations', 'Users', 'Working areas'];

const changing = operations.filter(({ method }) => method !== 'get');
const tagsOf = ({ tags }: object & { tags?: readonly string[] }): readonly string[] => tags ?? [];

describe('every operation that changes something', () => {
  it('is listed as one that changes rights, or as one that does not', () => {
    const unknown = changing.filter((operation) => {
      const known = operation.api === 'v3' ? authorityTags : authorityTagsOfPublic;
      return !tagsOf(operation).every((tag) => known.includes(tag) || recordTags.test(tag));
    });
    expect(unknown.map(({ id }) => id)).toEqual([]);
  });

  it('is attacked, if it changes rights', () => {
    const authoritative = changing.filter(
      (operation) => operation.api === 'v3' && tagsOf(operation).some((tag) => authorityTags.includes(tag)),
    );
    const ids = authoritative.map(({ id }) => id).filter((id) => !Object.hasOwn(harmless, id));
    expect([...attackedOperations].sort()).toEqual(ids.sort());
  });

  it('of the public API is closed to everybody without the token of the account', async () => {
    const { actor } = await newCompany('account admin', []);
    for (const { api, id } of changing.filter((operation) => operation.api === 'public'))
      expect([id, (await call(api, id, { query: { api_token: actor.token } })).status]).toEqual([id, 401]);
  });
});

/** Carries out attacks, and returns those that succeeded. */
async function carryOut(company: Company, attacks: readonly Attack[]): Promise<Attack[]> {
  const succeeded: Attack[] = [];
  for (const attack of attacks)
    if ((await company.actor.call(attack.operation, attack.options)).status < 300) succeeded.push(attack);
  return succeeded;
}

/** Access tokens of all users whose password the attacker can reset or choose, because they receive the mail. */
async function tokensByMail(inboxes: readonly string[]): Promise<string[]> {
  const { jobs, mails } = await service();
  for (const email of inboxes) await call('v3', 'requestPasswordReset', { body: bodyOf('user', { email }) });
  await jobs.drain();
  const tokens: string[] = [];
  for (const { text } of mails.filter(({ to }) => inboxes.includes(to))) {
    const invitation = /join-workspace\/([\w-]+)/.exec(text)?.[1];
    const reset_password_token = /reset_password_token=([\w-]+)/.exec(text)?.[1];
    const password = 'a new password';
    const { status, body } = invitation
      ? await join({ token: invitation, email: `joined-${randomUUID()}@example.com` })
      : await call('v3', 'updatePassword', { body: bodyOf('user', { reset_password_token, password }) });
    if (status === 200) tokens.push(body.data.attributes.access_token);
  }
  return tokens;
}

/** An actor who may update a user may lower their role, and then delete them as a user of that role. */
const isDeletionOfDemoted = (line: string, before: ReadonlySet<string>): boolean =>
  /^user \d+ destroy$/.test(line) && before.has(line.replace('destroy', 'update'));

/** What the actor has gained access to, among the records that existed before, and the operations that succeeded. */
async function gainOf(company: Company): Promise<{ gain: Set<string>; succeeded: Set<string> }> {
  const { actor, admin, targets } = company;
  const everything = new Set([...(await reachOf(company, admin.token))].map(recordIn));
  const before = await reachOf(company, actor.token);
  const gain = new Set<string>();
  const look = async (token: string): Promise<void> => {
    for (const line of await reachOf(company, token)) {
      const isNew = recordIn(line) !== undefined && !everything.has(recordIn(line));
      if (!before.has(line) && !isNew && !isDeletionOfDemoted(line, before)) gain.add(line);
    }
  };
  const succeeded = new Set<string>();
  for (const phase of ['changes', 'removals'] as const) {
    const attacks = targets.flatMap((target) => attacksOn(company, target, phase));
    const done = await carryOut(company, attacks);
    for (const { operation } of done) succeeded.add(operation);
    await look(actor.token);
    const inboxes = done.flatMap(({ inbox }) => (inbox === undefined ? [] : [inbox]));
    for (const token of await tokensByMail(inboxes)) await look(token);
  }
  return { gain, succeeded };
}

/** How many users are attacked in one company: all in the short form, one in the long form. */
const castSize = isLong ? 1 : names.length;

/** In the short form one attacker for each rank. An account admin has every right already. */
const actors: readonly PositionName[] = isLong
  ? names
  : ['employee who administers elsewhere', 'area admin', 'workspace admin'];

describe.each(actors)('an attacker who is %s', (actorAs) => {
  it(
    'reaches nothing more, whomever they attack',
    async () => {
      const line = tally(`people attacked by ${actorAs}`);
      for (let first = 0; first < names.length; first += castSize) {
        const targetsAs = names.slice(first, first + castSize);
        const { gain, succeeded } = await gainOf(await newCompany(actorAs, targetsAs));
        line.count(targetsAs.length);
        if (gain.size > 0)
          line.fail(
            `${actorAs} attacks ${targetsAs.join(', ')} by ${[...succeeded].join(', ')}, and reaches ${[...gain].slice(0, 10).join('; ')}`,
          );
      }
      line.close();
    },
    walkTimeoutMs,
  );
});

describe('the company that is attacked', () => {
  it('has a record of every kind that a read operation names', async () => {
    expect(missingKinds(await newCompany('employee', ['employee']))).toEqual([]);
  });
});
