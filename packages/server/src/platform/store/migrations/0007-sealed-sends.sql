-- The account's current key if messages can be sealed for the account, otherwise 0. The column is in this table,
-- because every send locks this row of each receiver anyway.
alter table operation_head add column sealing_key_id bigint not null default 0;
update operation_head set sealing_key_id = coalesce((
  select max(k.key_id) from e2ee_key k where k.account_id = operation_head.account_id
    and not exists (select 1 from settings s where s.account_id = k.account_id and s.sealing_off = 1)), 0);

-- `group_key_id` is the current group key of a chat; 0 if the members have none. `group_key_covers` is the newest of
-- the members' keys that this group key is wrapped for. A key that a member registers later has a higher id.
alter table group_chat add column group_key_id bigint not null default 0;
alter table group_chat add column group_key_covers bigint not null default 0;

-- A hash of each sealed message, so that no sealed message is accepted twice. Plain messages have no row.
create table sealed_message (
  chat_id bigint not null,
  digest text not null,
  primary key (chat_id, digest)
) {clustered};
