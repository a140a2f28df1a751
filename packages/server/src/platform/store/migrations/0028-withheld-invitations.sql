-- 1 if the account is told nothing of the chat, because it had blocked the account that invited it. Others see it in the
-- chat. An invitation by somebody else sets 0.
alter table chat_member add column withheld bigint not null default 0;
