-- Objects of media, by the account that uploaded them. `oid` is the name on the wire. The server draws it, or it is the
-- id of the plain message that has the object; a side object adds an ending. `place` consists of the service and the
-- sid of the object's path. `request_name` is the name that the client chose for its first upload. `object_key` names
-- the bytes in the object store; copies of an object share it. `received` is the number of durable bytes. `size` is
-- null until the client tells the size of the object.
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

-- Messages that contain the oid of an object. Whoever may read the message may read the object.
create table media_carrier (
  chat_id bigint not null,
  message_id bigint not null,
  oid text not null,
  owner_id bigint not null,
  primary key (chat_id, message_id, oid)
) {clustered};

create index media_carrier_object on media_carrier (owner_id, oid);

-- The space that an account's objects use: complete objects, and the reservations of unfinished ones.
create table media_usage (
  account_id {key} primary key,
  objects bigint not null,
  bytes bigint not null
);
