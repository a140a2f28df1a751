-- Number of administrators that can log in. Whoever adds or removes one locks this row first, so that there is one first
-- administrator, and so that two cannot remove each other at the same time.
create table administrator_count (
  id bigint primary key,
  ready bigint not null
);
insert into administrator_count (id, ready) values (1, 0);

-- An administrator is `ready` once a second factor is set up. `is_first` marks one whose setup link was made by a start.
create table administrator (
  id bigint primary key,
  name text not null,
  password_hash text not null,
  ready bigint not null,
  is_first bigint not null,
  created_time bigint not null,
  last_login_time bigint
);
create unique index administrator_name on administrator (name);

-- Setup links that can still be used. `name` is the name that the administrator must take, or null.
create table administrator_setup (
  hash text primary key,
  is_first bigint not null,
  name text,
  expires_time bigint not null
);

-- Sessions, also those of unfinished logins. `challenge` is that of the passkey that is being asked, `totp` the sealed
-- secret of an authenticator app that is being added.
create table administrator_session (
  id bigint primary key,
  hash text not null,
  administrator_id bigint not null,
  state text not null,
  tries bigint not null,
  challenge text,
  totp text,
  remote_address text not null,
  user_agent text not null,
  created_time bigint not null,
  last_seen_time bigint not null,
  expires_time bigint not null
);
create unique index administrator_session_hash on administrator_session (hash);
create index administrator_session_of on administrator_session (administrator_id);

-- Second factors. `credential_id` names a passkey to the browser, `key` is its public key, or the sealed secret of an
-- authenticator app. `counter` is the last counter of the passkey, or the time step of the last code.
create table administrator_factor (
  administrator_id bigint not null,
  id bigint not null,
  kind text not null,
  name text not null,
  credential_id text,
  key text not null,
  transports text not null,
  counter bigint not null,
  created_time bigint not null,
  last_used_time bigint,
  primary key (administrator_id, id)
) {clustered};

create table administrator_recovery_code (
  administrator_id bigint not null,
  hash text not null,
  primary key (administrator_id, hash)
) {clustered};

-- Scoped tokens for machines. `scopes` are separated by spaces.
create table admin_token (
  id bigint primary key,
  hash text not null,
  name text not null,
  scopes text not null,
  created_by text not null,
  created_time bigint not null,
  expires_time bigint,
  last_used_time bigint
);
create unique index admin_token_hash on admin_token (hash);
