-- The servers that share this database. Each server raises its beat every few seconds. A server whose beat no longer
-- rises is dead.
create table running_server (
  id text primary key,
  beat bigint not null
);

-- The accounts that have a stream or a poll open, by server. Each server writes its own rows when it raises its beat.
create table open_account (
  account_id bigint not null,
  server text not null,
  primary key (account_id, server)
) {clustered};

create index open_account_server on open_account (server);

-- The server that runs the log subscribers for a share of the accounts; an empty text if there is none.
create table log_share (
  share {key} primary key,
  server text not null
);

insert into log_share (share, server) values
  (0, ''), (1, ''), (2, ''), (3, ''), (4, ''), (5, ''), (6, ''), (7, ''), (8, ''), (9, ''), (10, ''),
  (11, ''), (12, ''), (13, ''), (14, ''), (15, ''), (16, ''), (17, ''), (18, ''), (19, ''), (20, ''),
  (21, ''), (22, ''), (23, ''), (24, ''), (25, ''), (26, ''), (27, ''), (28, ''), (29, ''), (30, '');

-- The log subscribers that have begun. `subscriber_cursor` says how far each has handled the log of an account. An
-- account without a row was created after the subscriber began.
create table log_subscriber (
  name text primary key,
  created_time bigint not null
);

create table subscriber_cursor (
  account_id bigint not null,
  subscriber text not null,
  revision bigint not null,
  primary key (account_id, subscriber)
) {clustered};

-- Operations that a subscriber skipped, because every attempt to handle them failed.
create table parked_operation (
  account_id bigint not null,
  subscriber text not null,
  revision bigint not null,
  error text not null,
  parked_time bigint not null,
  primary key (account_id, subscriber, revision)
) {clustered};
