-- A send is remembered by its row in the sender's operation log, which is where the server finds it when the send is
-- repeated. A separate row would cost one more page for each send. `request` keeps the results of the other methods.
alter table operation add column session_id bigint;
alter table operation add column fingerprint text;

create index request_message on request (account_id, message_id);
update operation set
  session_id = (select r.session_id from request r
    where r.account_id = operation.account_id and r.message_id = operation.message_id),
  fingerprint = (select r.fingerprint from request r
    where r.account_id = operation.account_id and r.message_id = operation.message_id)
where type = 25;
drop index request_message;

delete from request where message_id is not null;
alter table request drop column chat_id;
alter table request drop column message_id;
