-- Public keys of Letter Sealing. Rows are never changed or deleted, not even with their account, because messages
-- sealed with an old key can only be read with that key. The newest key of an account is its current key.
create table e2ee_key (
  account_id bigint not null,
  key_id bigint not null,
  key_data text not null,
  created_time bigint not null,
  primary key (account_id, key_id)
) {clustered};

-- Clients remember a key by its id alone, so ids are unique over all accounts.
create unique index e2ee_key_id on e2ee_key (key_id);
create unique index e2ee_key_data on e2ee_key (account_id, key_data);

-- One row: the newest key id that was assigned.
create table e2ee_key_counter (
  id {key} primary key,
  last_key_id bigint not null
);

insert into e2ee_key_counter (id, last_key_id) values (1, 0);

-- Keys of groups and rooms, numbered from 1 in each chat. Rows are never changed or deleted.
create table e2ee_group_key (
  chat_id bigint not null,
  group_key_id bigint not null,
  creator_id bigint not null,
  creator_key_id bigint not null,
  created_time bigint not null,
  primary key (chat_id, group_key_id)
) {clustered};

-- A group key, wrapped for the key that a member had when the group key was registered.
create table e2ee_group_key_share (
  chat_id bigint not null,
  group_key_id bigint not null,
  account_id bigint not null,
  key_id bigint not null,
  encrypted_shared_key text not null,
  primary key (chat_id, group_key_id, account_id)
) {clustered};

-- The opposite of the setting `e2eeEnable`. It has a column, because calls of other accounts read it.
alter table settings add column sealing_off bigint not null default 0;
update settings set sealing_off = 1 where changed like '%"e2eeEnable":false%';
