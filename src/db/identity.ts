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

export const touchesIdentity = (statement: string): boolean => touching.test(statement) && !newToken.test(statement);

export const noteIdentityChange = (): void => void (changes += 1);
