-- A run is a row of messages in a one-to-one chat that are all withheld from the same account, with none in between that
-- the account sees. Each message of the run has the id of the message before the run, or 0. So whoever reads the chat for
-- that account passes over a run at once. The value is null in messages that nobody is kept from, and in those of servers
-- that do not know it.
alter table message add column withheld_after bigint;

update message set withheld_after = run.after_id from (
  select chat_id, id, max(case when begins then coalesce(previous, 0) end)
    over (partition by chat_id order by id) as after_id
  from (
    select chat_id, id, lag(id) over (partition by chat_id order by id) as previous,
      only_for is distinct from lag(only_for) over (partition by chat_id order by id)
        or lag(id) over (partition by chat_id order by id) is null as begins
    from message where chat_id in (select chat_id from message where only_for is not null)
  ) beside
) run
where message.only_for is not null and message.chat_id = run.chat_id and message.id = run.id;

-- Has rows only for withheld messages. Its beginning serves the same queries as the index that it replaces.
create index message_withheld on message (only_for, chat_id, withheld_after, id) where only_for is not null;
drop index message_only_for;
