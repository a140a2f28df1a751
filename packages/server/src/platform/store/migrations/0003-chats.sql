-- The data of groups and rooms that other chats do not have. A transaction locks this row while it sends to the chat
-- (shared lock) or changes the chat. `version` rises whenever somebody joins or leaves.
create table group_chat (
  chat_id {key} primary key,
  version bigint not null default 1,
  name text not null,
  picture_path text not null default '',
  creator_id bigint not null,
  prevented_join_by_ticket bigint not null default 1,
  invitation_ticket text not null default ''
);

-- The members of a group or room, and the accounts that are invited. `since_time` is when the membership or invitation
-- began. A member can read the messages after `since_message_id`. The last two columns are the account's settings for
-- the chat.
create table chat_member (
  chat_id bigint not null,
  account_id bigint not null,
  joined bigint not null,
  since_time bigint not null,
  since_message_id bigint not null default 0,
  inviter_id bigint not null,
  favorite_time bigint not null default 0,
  notification_disabled bigint not null default 0,
  primary key (chat_id, account_id)
) {clustered};

create index chat_member_account on chat_member (account_id, joined, chat_id);

-- Memberships that ended. An account that joins again can read the messages between these two ids, both ids excluded.
create table past_membership (
  chat_id bigint not null,
  account_id bigint not null,
  after_message_id bigint not null,
  before_message_id bigint not null,
  primary key (chat_id, account_id, after_message_id)
) {clustered};
