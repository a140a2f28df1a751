// Writes messages directly into the database file of a stopped server, because sending a million messages takes too
// long. It copies real messages with all rows that a send writes, and spreads the copies evenly over the existing
// chats.
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

const COPY = `
create temp table pattern as
  select row_number() over (order by m.chat_id) - 1 as pair, count(*) over () as pairs, m.*, r.session_id, h.account_id as receiver_id
  from message m
  join operation r on r.account_id = m.sender_id and r.message_id = m.id
  join message_box b on b.chat_id = m.chat_id and b.account_id <> m.sender_id
  join operation_head h on h.account_id = b.account_id
  where m.id = (select max(x.id) from message x where x.chat_id = m.chat_id);
create temp table copy as
  with recursive n(i) as (select 0 union all select i + 1 from n where i + 1 < ?1)
  select p.pair, p.chat_id, p.sender_id, p.receiver_id, p.session_id, p.content_type, p.created_time, p.body,
         i / p.pairs + 1 as nth, (select max(id) from message_location) + 1 + i as id
  from n join pattern p on p.pair = i % p.pairs;
insert into message (chat_id, id, sender_id, content_type, created_time, body)
  select chat_id, id, sender_id, content_type, created_time, body from copy order by chat_id, id;
insert into message_location (id, chat_id) select id, chat_id from copy order by id;
insert into operation (account_id, revision, type, created_time, req_seq, chat_id, message_id, session_id, fingerprint)
  select c.sender_id, h.revision + c.nth, 25, c.created_time, c.nth + 1, c.chat_id, c.id, c.session_id, 'preloaded' || c.nth
  from copy c join operation_head h on h.account_id = c.sender_id order by c.sender_id, c.nth;
insert into operation (account_id, revision, type, created_time, req_seq, chat_id, message_id)
  select c.receiver_id, h.revision + c.nth, 26, c.created_time, 0, c.chat_id, c.id
  from copy c join operation_head h on h.account_id = c.receiver_id order by c.receiver_id, c.nth;
update operation_head set
  revision = (select max(revision) from operation o where o.account_id = operation_head.account_id),
  last_message_id = (select max(message_id) from operation o where o.account_id = operation_head.account_id)
  where account_id in (select sender_id from pattern union select receiver_id from pattern);
`;

/** The copies of one step are in memory, so there are not too many of them. */
const STEP = 1_000_000;

/** Adds messages to a store until it has about `total` messages. */
export function preload(file: string, total: number): void {
  const database = new DatabaseSync(file);
  database.exec('pragma synchronous = off; pragma cache_size = -400000; pragma temp_store = memory');
  const { stored } = database.prepare('select count(*) as stored from message').get() as { stored: number };
  for (let missing = total - stored; missing > 0; missing -= STEP) copy(database, Math.min(missing, STEP));
  database.exec('pragma wal_checkpoint(truncate)');
  database.close();
  // The kernel must not write gigabytes to the disk while sends are measured.
  const descriptor = openSync(file, 'r+');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

function copy(database: DatabaseSync, count: number): void {
  database.exec('begin');
  for (const statement of COPY.split(';\n').filter((text) => text.trim() !== '')) {
    const prepared = database.prepare(statement);
    if (statement.includes('?1')) prepared.run(count);
    else prepared.run();
  }
  database.exec('commit; drop table pattern; drop table copy; pragma wal_checkpoint(truncate)');
}
