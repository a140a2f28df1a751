-- Invites. The code is kept as a hash only, so that a stolen backup has no code that could be used. `sender` is who
-- invites, `name` for whom it is. Empty texts stand for values that were not given. An invite without `expires_time`
-- never expires.
create table invite (
  id bigint primary key,
  code_digest text not null unique,
  sender text not null,
  name text not null,
  note text not null,
  userid text not null,
  email text not null,
  phone text not null,
  uses bigint not null,
  used bigint not null default 0,
  created_time bigint not null,
  expires_time bigint,
  revoked_time bigint
);

-- The accounts that were opened with an invite.
create table invite_use (
  account_id bigint not null,
  invite_id bigint not null,
  primary key (account_id, invite_id)
) {clustered};

create index invite_use_invite on invite_use (invite_id, account_id);

-- Challenges that were used for a registration, until they expire. So each can be used only once.
create table used_challenge (
  id text primary key,
  expires_time bigint not null
);

create index used_challenge_expiry on used_challenge (expires_time);
