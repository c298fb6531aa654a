/*
 * Tells every process when who somebody is or what they may do has changed: see src/db/driver/identity_listener.ts. Inserts into
 * access_tokens, and other columns of api_keys and api_tokens, do not change what is already known about a credential.
 */
const noticed = {
  access_tokens: 'update or delete',
  accounts: 'insert or update or delete',
  api_keys: 'update of revoked_at, hash or delete',
  api_tokens: 'update of revoked_at, hash or delete',
  area_members: 'insert or update or delete',
  areas: 'insert or update or delete',
  assumed_roles: 'insert or delete',
  memberships: 'insert or update or delete',
  users: 'insert or update or delete',
  workspaces: 'insert or update or delete',
};

export const identityNotices = `
create function notify_identity_change() returns trigger language plpgsql as $$
begin
  notify punchcard_identity;
  return null;
end
$$;
${Object.entries(noticed)
  .map(
    ([table, events]) => `create trigger notify_identity_change after ${events} on ${table}
  for each statement execute function notify_identity_change();`,
  )
  .join('\n')}
`;
