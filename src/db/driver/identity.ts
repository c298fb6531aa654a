/*
 * Who a credential stands for, and what he may do, is asked at every request and changes seldom. So that the answer can be
 * kept for a moment, and yet be forgotten the instant it changes, the clients of this process tell here what they write.
 */
const identityTables = 'accounts|users|memberships|workspaces|areas|area_members|access_tokens|api_tokens|api_keys';
const touching = new RegExp(`\\b(?:update|delete from|insert into)\\s+(?:only\\s+)?"?(?:${identityTables})"?\\b`, 'i');
// A token that is new was unknown until now, and nothing is kept about what is unknown.
const newToken = /^\s*insert into "?access_tokens"?\b/i;

let changes = 0;

/** Grows whenever this process has changed who somebody is or what he may do. */
export const identityChanges = (): number => changes;

/** What was found out about statements that come again and again. */
const known = new Map<string, boolean>();
const mostKnown = 1_000;

export function touchesIdentity(statement: string): boolean {
  const before = known.get(statement);
  if (before !== undefined) return before;
  const answer = touching.test(statement) && !newToken.test(statement);
  if (known.size >= mostKnown) known.clear();
  known.set(statement, answer);
  return answer;
}

export const noteIdentityChange = (): void => void (changes += 1);
