/** Credentials, invitations, and the directories that lead from something global to an account. */
export const access = `
-- Directories are small, belong to no account and are read before the account is known. They have no foreign keys, because the rows
-- of an account may be on another server.
create table directory_workspaces (
  workspace_id bigint primary key,
  account_id bigint not null
);
create table directory_emails (
  email text primary key,
  account_id bigint not null,
  user_id bigint not null
);
create table directory_calendar_feeds (
  hash text primary key,
  account_id bigint not null,
  user_id bigint not null
);
create index directory_calendar_feeds_by_user on directory_calendar_feeds (account_id, user_id);
create table directory_invitations (
  hash text primary key,
  account_id bigint not null
);

create table access_tokens (
  hash text primary key,
  id uuid not null,
  account_id bigint not null, user_id bigint not null,
  created_at timestamptz not null
);
create index access_tokens_by_user on access_tokens (account_id, user_id);
create table reset_tokens (
  hash text primary key,
  account_id bigint not null, user_id bigint not null,
  expires_at timestamptz not null
);
create index reset_tokens_by_user on reset_tokens (account_id, user_id);

-- Tokens of the public API.
create table api_tokens (
  id uuid primary key,
  account_id bigint not null,
  name text not null,
  hash text not null unique,
  last_four text not null,
  created_at timestamptz not null,
  last_used_at timestamptz, revoked_at timestamptz,
  read_only boolean not null default false
);
create index api_tokens_by_account on api_tokens (account_id);

-- Keys of the programs that use the resource API. They belong to the installation.
create table api_keys (
  id uuid primary key,
  name text not null,
  hash text not null unique,
  created_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz
);

-- One general invitation for each workspace, and one personal invitation for each user.
create table invitations (
  account_id bigint not null,
  -- Changes when the user is invited again, so that an older mail that still waits is not sent.
  id uuid not null,
  workspace_id bigint not null,
  -- Null for the general invitation.
  user_id bigint,
  -- The hash of the token. Null until the mail with the token is sent.
  hash text,
  checkin boolean not null,
  welcome_message text,
  -- Personal invitations do not expire.
  expires_at timestamptz,
  -- A personal invitation works once. For a general one, the last time.
  used_at timestamptz,
  created_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, hash),
  foreign key (account_id, workspace_id) references workspaces on delete cascade,
  foreign key (account_id, user_id) references users on delete cascade,
  check ((user_id is null) = (expires_at is not null))
);
create unique index invitations_general on invitations (account_id, workspace_id) where user_id is null;
create unique index invitations_personal on invitations (account_id, user_id) where user_id is not null;

-- The workspaces in which admins are treated as employees, because they have switched their role.
create table assumed_roles (
  account_id bigint not null, workspace_id bigint not null, user_id bigint not null,
  primary key (account_id, user_id, workspace_id),
  foreign key (account_id, workspace_id) references workspaces, foreign key (account_id, user_id) references users
);

-- Counted attempts, such as failed sign-ins from an address.
create table attempts (
  key text primary key,
  count integer not null,
  expires_at timestamptz not null
);
`;
