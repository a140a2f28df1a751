-- Objects of media, by the account that uploaded them. `oid` is the name on the wire: drawn by the server, or the id of
-- the plain message that has the object, with the ending of a side object. `place` is service and sid of its path. `request_name` is the name that the client
-- chose for its first upload. `object_key` names the bytes in the object store; copies share it.
-- `received` bytes are durable; `size` is null while nobody said how large the object will be.
create table media_object (
  account_id bigint not null,
  oid text not null,
  place text not null,
  request_name text,
  object_key text not null,
  whole bigint not null default 0,
  size bigint,
  received bigint not null default 0,
  reserved bigint not null default 0,
  hash text,
  name text not null default '',
  type text not null default '',
  category text not null default '',
  mime text not null default '',
  details text not null default '{}',
  writer text,
  lease_time bigint not null default 0,
  created_time bigint not null,
  changed_time bigint not null,
  primary key (account_id, oid)
) {clustered};

create unique index media_object_oid on media_object (oid);
create unique index media_object_request on media_object (account_id, request_name);
create index media_object_age on media_object (account_id, created_time);
create index media_object_key on media_object (object_key);

-- Messages that carry an object by its oid: their readers may read it.
create table media_carrier (
  chat_id bigint not null,
  message_id bigint not null,
  oid text not null,
  owner_id bigint not null,
  primary key (chat_id, message_id, oid)
) {clustered};

create index media_carrier_object on media_carrier (owner_id, oid);

-- What an account's objects take: those that are whole, and what growing ones have reserved.
create table media_usage (
  account_id {key} primary key,
  objects bigint not null,
  bytes bigint not null
);
