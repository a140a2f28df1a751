// Writes the chats of one account directly into the database file of a stopped server. Half of the chats are one-to-one
// chats with contacts, and half are groups. Each chat has a few messages.
import { DatabaseSync } from 'node:sqlite';

const MEMBERS = 10;
const MESSAGES = 5;

// New ids are higher than all ids in the store. In a group, `peer` is the member who writes the messages.
const FILL = `
create temp table pattern as
  select o.id as owner_id, o.mid as owner_mid, m.body as body, m.created_time as created_time, m.content_type as content_type,
         (select max(id) from message_location) as last_message
  from account o, message m where o.mid = :owner order by m.id limit 1;
create temp table made as
  with recursive n(i) as (select 0 union all select i + 1 from n where i + 1 < :chats)
  select i, i % 2 as grouped, (select max(id) from account) + 1 + i as peer_id, 'u' || lower(hex(randomblob(16))) as peer_mid,
         (select max(id) from chat) + 1 + i as chat_id, 'c' || lower(hex(randomblob(16))) as group_mid
  from n;
insert into account (id, mid, kind, userid, region_code, password_hash, created_time)
  select peer_id, peer_mid, 'user', 'peer' || i, region_code, '', created_time
  from made join account on id = (select owner_id from pattern);
insert into profile (account_id, display_name, status_message) select peer_id, 'Peer ' || i, 'status of ' || i from made;
insert into operation_head (account_id, revision, first_revision, last_message_id) select peer_id, 0, 1, 0 from made;
insert into contact (owner_id, contact_id, added, added_time, added_by_time)
  select owner_id, peer_id, 1, created_time, created_time from made, pattern where grouped = 0;
insert into contact (owner_id, contact_id, added, added_time, added_by_time)
  select peer_id, owner_id, 1, created_time, created_time from made, pattern where grouped = 0;
insert into chat (id, mid, kind, created_time)
  select chat_id, case grouped when 1 then group_mid else min(owner_id, peer_id) || ':' || max(owner_id, peer_id) end,
         case grouped when 1 then 0 else 2 end, created_time
  from made, pattern;
insert into group_chat (chat_id, name, creator_id)
  select chat_id, 'Group ' || i, owner_id from made, pattern where grouped = 1;
create temp table party as
  select chat_id, owner_id as account_id, 0 as nth from made, pattern where grouped = 1
  union all
  select m.chat_id, p.peer_id, step.value from made m, json_each('[1,2,3,4,5,6,7,8,9]') step
  join made p on p.i = (m.i + (step.value - 1) * 7) % :chats
  where m.grouped = 1 and step.value < :members;
insert into chat_member (chat_id, account_id, joined, since_time, inviter_id)
  select chat_id, account_id, 1, created_time + nth, owner_id from party, pattern;
insert into message_box (account_id, chat_mid, chat_id)
  select account_id, group_mid, p.chat_id from party p join made m on m.chat_id = p.chat_id;
insert into message_box (account_id, chat_mid, chat_id, peer_id)
  select owner_id, peer_mid, chat_id, peer_id from made, pattern where grouped = 0;
insert into message_box (account_id, chat_mid, chat_id, peer_id)
  select peer_id, owner_mid, chat_id, owner_id from made, pattern where grouped = 0;
create temp table written as
  with recursive n(k) as (select 1 union all select k + 1 from n where k < :messages)
  select m.chat_id, m.grouped, m.group_mid, m.peer_mid, cast(last_message + (k - 1) * :chats + m.i + 1 as integer) as id,
         case when k = 1 then owner_id else m.peer_id end as sender_id,
         case when k = 1 then owner_mid else m.peer_mid end as sender_mid, owner_mid, created_time, content_type, body
  from n, made m, pattern;
insert into message (chat_id, id, sender_id, content_type, created_time, body)
  select chat_id, id, sender_id, content_type, created_time,
         json_set(body, '$.id', cast(id as text), '$.from', sender_mid,
           '$.to', case when grouped = 1 then group_mid when sender_mid = owner_mid then peer_mid else owner_mid end,
           '$.toType', case when grouped = 1 then 2 else 0 end)
  from written order by chat_id, id;
insert into message_location (id, chat_id) select id, chat_id from written order by id;
update operation_head set last_message_id = (select max(id) from message_location);
`;

/** Adds `chats` chats to the account. Each of them has `messages` messages. */
export function fillAccount(file: string, ownerMid: string, chats: number, messages = MESSAGES): void {
  const database = new DatabaseSync(file);
  database.exec('pragma synchronous = off; pragma temp_store = memory; begin');
  const values = { chats, owner: ownerMid, members: MEMBERS, messages };
  for (const statement of FILL.split(';\n').filter((text) => text.trim() !== '')) {
    const used = Object.entries(values).filter(([name]) => statement.includes(`:${name}`));
    database.prepare(statement).run(Object.fromEntries(used));
  }
  database.exec('commit; pragma wal_checkpoint(truncate)');
  database.close();
}
