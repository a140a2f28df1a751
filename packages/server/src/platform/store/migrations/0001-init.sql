-- Numbers: ids and times are below 2^53 (kernel/ids.ts). Times are epoch milliseconds. Booleans are 0 and 1. The
-- primary key of every table that grows begins with the account or chat that owns the row.

create table account (
  id {key} primary key,
  mid text not null unique,
  kind text not null,
  userid text unique,
  email text unique,
  phone text unique,
  region_code text not null,
  password_hash text not null,
  disabled bigint not null default 0,
  deleted bigint not null default 0,
  created_time bigint not null
);

-- The public data of an account. `extra` is JSON with the rarer fields of the profile.
create table profile (
  account_id {key} primary key,
  display_name text not null,
  status_message text not null default '',
  picture_path text not null default '',
  extra text not null default '{}'
);

-- The head of each account's operation log. It is separate from the table `account`, so that the row that changes often
-- is small. `last_message_id` is the largest message id in the log. New ids are larger, whichever server creates them.
create table operation_head (
  account_id {key} primary key,
  revision bigint not null,
  first_revision bigint not null,
  last_message_id bigint not null
);

create table operation (
  account_id bigint not null,
  revision bigint not null,
  type bigint not null,
  created_time bigint not null,
  req_seq bigint not null,
  chat_id bigint,
  message_id bigint,
  param1 text,
  param2 text,
  param3 text,
  primary key (account_id, revision)
) {clustered};

-- A chat of any kind. `mid` is `c…` or `r…`; for a one-to-one chat, it is `a:b` with the two account ids.
create table chat (
  id {key} primary key,
  mid text not null unique,
  kind bigint not null,
  created_time bigint not null
);

-- One account's view of one chat. `chat_mid` is the id of the chat as this account sees it. `peer_id` is the other
-- account of a one-to-one chat, and null for groups.
create table message_box (
  account_id bigint not null,
  chat_mid text not null,
  chat_id bigint not null,
  peer_id bigint,
  seen_message_id bigint not null default 0,
  removed_message_id bigint not null default 0,
  removed_time bigint not null default 0,
  hidden_message_id bigint not null default 0,
  primary key (account_id, chat_mid)
) {clustered};

create index message_box_chat on message_box (chat_id, account_id);

-- `body` is JSON of the message as delivered, without reactions. `only_for` is the sender's account id if only the
-- sender got the message, otherwise null. The table is not clustered, because bodies are large. New rows are written at
-- the end of the file and touch few pages.
create table message (
  chat_id bigint not null,
  id bigint not null,
  sender_id bigint not null,
  content_type bigint not null,
  created_time bigint not null,
  unsent bigint not null default 0,
  only_for bigint,
  body text not null,
  primary key (chat_id, id)
);

-- Finds the chat of a message by the message's id. Ids rise, so new rows always come at the end.
create table message_location (
  id {key} primary key,
  chat_id bigint not null
);

create table reaction (
  chat_id bigint not null,
  message_id bigint not null,
  account_id bigint not null,
  created_time bigint not null,
  reaction text not null,
  primary key (chat_id, message_id, account_id)
);

-- First results of changing calls, so that a repeated call gets the same answer. The row of a send refers to its
-- message.
create table request (
  account_id bigint not null,
  session_id bigint not null,
  req_seq bigint not null,
  fingerprint text not null,
  created_time bigint not null,
  chat_id bigint,
  message_id bigint,
  result text,
  primary key (account_id, session_id, req_seq, fingerprint)
) {clustered};

-- A login and its device.
create table login_session (
  id {key} primary key,
  account_id bigint not null,
  system_name text not null,
  model_name text not null,
  name text not null default '',
  client_type text not null,
  remote_address text not null,
  created_time bigint not null,
  last_seen_time bigint not null,
  revoked_time bigint,
  revoked_reason text
);

create index login_session_account on login_session (account_id);

create table access_token (
  hash text primary key,
  session_id bigint not null,
  account_id bigint not null,
  generation bigint not null,
  issued_time bigint not null,
  expires_time bigint not null,
  used bigint not null default 0
);

create index access_token_session on access_token (session_id, generation);

-- Refresh tokens of a session form a family. Each token is derived from the server's secret, the session and a
-- generation, so no token is stored. `generation` is the generation of the newest token, and `rotated_time` is when
-- that token was made.
create table refresh_family (
  session_id {key} primary key,
  account_id bigint not null,
  generation bigint not null,
  rotated_time bigint not null,
  expires_time bigint not null
);

-- Proof that an account logged in before from this class of device. Only hashes are kept.
create table certificate (
  hash text primary key,
  account_id bigint not null,
  client_type text not null,
  created_time bigint not null,
  revoked_time bigint
);

create index certificate_account on certificate (account_id);

create table audit (
  id {key} primary key,
  time bigint not null,
  actor text not null,
  action text not null,
  subject text not null,
  detail text not null
);

-- Secrets that the server draws at its first start. Keys for signing tokens are derived from them.
create table server_secret (
  name text primary key,
  value text not null,
  created_time bigint not null
);
