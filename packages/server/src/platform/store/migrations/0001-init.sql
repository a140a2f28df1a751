-- Numbers: ids and times are below 2^53 (kernel/ids.ts). Times are epoch milliseconds. Booleans are 0 and 1.
-- Every table that grows is keyed first by the account or chat that owns the row.

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

-- What others see of an account; `extra` is JSON of the rarer profile fields.
create table profile (
  account_id {key} primary key,
  display_name text not null,
  status_message text not null default '',
  picture_path text not null default '',
  extra text not null default '{}'
);

-- The head of each account's operation log, apart from the account so that the hot row is small.
-- `last_message_id` is the largest message id in the log: new ids go above it, whichever server makes them.
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

-- A chat of any kind. `mid` is `c…` or `r…`, or `a:b` of the two account ids for a one-to-one chat.
create table chat (
  id {key} primary key,
  mid text not null unique,
  kind bigint not null,
  created_time bigint not null
);

-- One account's view of one chat. `chat_mid` is the chat's id from this side; `peer_id` the other party, null in groups.
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

-- Not clustered: bodies are large, and ids rise, so that rows are written at the end and only the index is spread.
-- `body` is the message as delivered, JSON without reactions. `only_for` is set when nobody but the sender got it.
-- Not clustered: bodies are large, and written at one end of the file they touch far fewer pages.
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

-- Message id to chat. Ids rise, so this grows at its end only.
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

-- First results of mutating calls, so that a retry gets the same answer. A send refers to its message.
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

-- A login and the device that it was made on.
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

-- Refresh tokens of a session form a family: each is made from the server's secret, the session and a generation, so
-- none is stored. `generation` is that of the newest one; `rotated_time` is when it was made.
create table refresh_family (
  session_id {key} primary key,
  account_id bigint not null,
  generation bigint not null,
  rotated_time bigint not null,
  expires_time bigint not null
);

-- Proof that an account logged in on this class of device before. Only hashes are kept.
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

-- Made at the first start. Tokens are signed with keys derived from it.
create table server_secret (
  name text primary key,
  value text not null,
  created_time bigint not null
);
