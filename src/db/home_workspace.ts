import { sql, type RawBuilder } from 'kysely';

/**
 * The workspace whose zone, region and language apply to a user who has none: that of their membership with the lowest
 * workspace id. A user without a workspace, such as one who has left, belongs to the first one of the account. Expects the
 * table `users` in the query.
 */
export const homeWorkspaceId = (accountId: number): RawBuilder<number> => sql<number>`coalesce(
  (select min(home.workspace_id) from memberships home
   where home.account_id = ${accountId} and home.user_id = users.id),
  (select min(first.id) from workspaces first where first.account_id = ${accountId}))`;

/** The zone of a user's days: their own, otherwise that of their home workspace. */
export const userZone = (accountId: number): RawBuilder<string> => sql<string>`coalesce(users.time_zone, (
  select workspace.time_zone from workspaces workspace
  where workspace.account_id = ${accountId} and workspace.id = ${homeWorkspaceId(accountId)}))`;
