-- What every send has to know of the accounts that it reaches, in the row that it holds anyway: the current key of an
-- account that can be sealed for, 0 for any other account.
alter table operation_head add column sealing_key_id bigint not null default 0;
update operation_head set sealing_key_id = coalesce((
  select max(k.key_id) from e2ee_key k where k.account_id = operation_head.account_id
    and not exists (select 1 from settings s where s.account_id = k.account_id and s.sealing_off = 1)), 0);

-- The group key that a chat is sealed with now, 0 while there is none for its members, and the newest of the members'
-- keys that it is wrapped for: a key that a member registered since has a higher id.
alter table group_chat add column group_key_id bigint not null default 0;
alter table group_chat add column group_key_covers bigint not null default 0;

-- A hash of each sealed message, so that none is taken a second time. Plain messages have no row.
create table sealed_message (
  chat_id bigint not null,
  digest text not null,
  primary key (chat_id, digest)
) {clustered};
