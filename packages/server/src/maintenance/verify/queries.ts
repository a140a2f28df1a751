// The queries of `verify`. Each returns rows that break a rule, so it returns nothing if the data is intact.
import { operationTypes } from '@sealpost/contract';
import { type Reference, references } from '../../platform/store/references.ts';
import { type Query, type Row, sql, sqlSet } from '../../platform/store/sql.ts';

interface CheckedReference {
  readonly table: string;
  readonly reference: Reference;
  readonly query: Query;
}

/** The queries for all declared references. Each query finds the rows that refer to a missing row. */
export const dangling: readonly CheckedReference[] = Object.entries(references).flatMap(([table, { refers }]) =>
  refers.map((reference) => ({ table, reference, query: sql<Row>(danglingText(table, reference)) })),
);

function danglingText(table: string, { columns, table: other, to, zeroIsNone }: Reference): string {
  const set = columns.map((column) => `t.${column} is not null`);
  const same = to.map((column, i) => `r.${column} = t.${columns[i]}`);
  const zero = zeroIsNone ? [`t.${columns.at(-1)} <> 0`] : [];
  return `select ${columns.map((column) => `t.${column}`).join(', ')} from ${table} t
   where ${[...set, ...zero].join(' and ')}
     and not exists (select 1 from ${other} r where ${same.join(' and ')}) limit ?`;
}

// Queries about operation logs.

export interface LogRow {
  readonly account_id: number;
  readonly revision: number;
  readonly first_revision: number;
  readonly found: number;
}

export const wrongHeads = sql<Row>(
  'select account_id, revision, first_revision from operation_head where first_revision < 1 or first_revision > revision + 1 limit ?',
);
export const logsWithGaps = sql<LogRow>(
  `select h.account_id, h.revision, h.first_revision, count(o.revision) as found
   from operation_head h
   left join operation o on o.account_id = h.account_id and o.revision between h.first_revision and h.revision
   group by h.account_id, h.revision, h.first_revision
   having count(o.revision) <> h.revision - h.first_revision + 1 limit ?`,
);
export const firstGap = sql<{ revision: number | null }>(
  `select min(n.revision) as revision from
   (select cast(? as bigint) as revision
    union all select o.revision + 1 from operation o where o.account_id = ? and o.revision >= ?) as n
   where not exists (select 1 from operation x where x.account_id = ? and x.revision = n.revision)`,
);
export const beyondHead = sql<Row>(
  `select o.account_id, o.revision, h.revision as head from operation o
   join operation_head h on h.account_id = o.account_id where o.revision > h.revision limit ?`,
);
export const keptBelow = sql<Row>(
  `select o.account_id, o.revision, h.first_revision from operation o
   join operation_head h on h.account_id = o.account_id
   where o.revision < h.first_revision and o.session_id is null limit ?`,
);
export const fallingIds = sql<Row>(
  `select account_id, revision, message_id, earlier from
   (select account_id, revision, message_id,
      lag(message_id) over (partition by account_id order by revision) as earlier
    from operation where message_id is not null
      and type in (${operationTypes.SEND_MESSAGE}, ${operationTypes.RECEIVE_MESSAGE})) as messages
   where message_id <= earlier limit ?`,
);
export const headsBehind = sql<Row>(
  `select h.account_id, h.last_message_id, max(o.message_id) as message_id
   from operation_head h join operation o on o.account_id = h.account_id
   group by h.account_id, h.last_message_id having max(o.message_id) > h.last_message_id limit ?`,
);
export const brokenRequests = sql<Row>(
  `select account_id, revision from operation
   where session_id is not null and (message_id is null or fingerprint is null) limit ?`,
);

// Queries about messages and chats.

export const otherBodies = sql<Row>(
  `select chat_id, id from message where body not like '%"id":"' || cast(id as text) || '"%' limit ?`,
);
export const membersWithoutBox = sql<Row>(
  `select m.chat_id, m.account_id from chat_member m where m.joined = 1
   and not exists (select 1 from message_box b where b.chat_id = m.chat_id and b.account_id = m.account_id) limit ?`,
);

// Queries about accounts, sessions and tokens.

export const withoutProfile = sql<Row>(
  'select a.id as account_id from account a where not exists (select 1 from profile p where p.account_id = a.id) limit ?',
);
export const withoutLog = sql<Row>(
  `select a.id as account_id from account a where a.deleted = 0
   and not exists (select 1 from operation_head h where h.account_id = a.id) limit ?`,
);
/** The tables in which a deleted account has no row, each with the column of the account. */
const emptied = {
  chat_member: 'account_id',
  contact: 'owner_id',
  key_backup: 'account_id',
  media_object: 'account_id',
  message_box: 'account_id',
  operation_head: 'account_id',
  owned_product: 'account_id',
  push_subscription: 'account_id',
  settings: 'account_id',
};
export const keptOfDeleted = Object.entries(emptied).map(([table, owner]) => ({
  table,
  query: sql<Row>(
    `select a.id as account_id from ${table} o join account a on a.id = o.${owner} where a.deleted = 1 limit ?`,
  ),
}));
export const namesOfDeleted = sql<Row>(
  `select id as account_id from account
   where deleted = 1 and (userid is not null or email is not null or phone is not null) limit ?`,
);
export const sessionsOfDeleted = sql<Row>(
  `select s.id as session_id, s.account_id from login_session s join account a on a.id = s.account_id
   where a.deleted = 1 limit ?`,
);
export const foreignTokens = sql<Row>(
  `select t.session_id, t.account_id, s.account_id as owner_id from access_token t
   join login_session s on s.id = t.session_id where s.account_id <> t.account_id limit ?`,
);
export const foreignFamilies = sql<Row>(
  `select f.session_id, f.account_id, s.account_id as owner_id from refresh_family f
   join login_session s on s.id = f.session_id where s.account_id <> f.account_id limit ?`,
);
export const tokensAhead = sql<Row>(
  `select t.session_id, t.generation, f.generation as newest from access_token t
   join refresh_family f on f.session_id = t.session_id where t.generation > f.generation limit ?`,
);
export const tokensWithoutFamily = sql<Row>(
  `select t.session_id, t.account_id from access_token t
   where not exists (select 1 from refresh_family f where f.session_id = t.session_id) limit ?`,
);
export const secrets = sql<{ name: string }>("select name from server_secret where name in ('tokens', 'key log')");

// Queries about the key log.

export const keyCounter = sql<{ last_key_id: number }>('select last_key_id from e2ee_key_counter where id = 1');
export const keysAfter = sql<{ mid: string; key_id: number; key_data: string; created_time: number }>(
  `select a.mid as mid, k.key_id as key_id, k.key_data as key_data, k.created_time as created_time
   from e2ee_key k join account a on a.id = k.account_id where k.key_id > ? order by k.key_id limit ?`,
);
export const nodesAt = sqlSet<{ level: number; position: number; hash: string }>(
  { level: 'bigint', position: 'bigint' },
  `select n.level as level, n.position as position, n.hash as hash
   from {given} join key_log_node n on n.level = given.level and n.position = given.position`,
);
export const nodeCount = sql<{ count: number }>('select count(*) as count from key_log_node');

// Queries about media.

export const wrongUsage = sql<Row>(
  `select u.account_id, u.objects, u.bytes, count(o.oid) as found, coalesce(sum(o.reserved), 0) as reserved
   from media_usage u left join media_object o on o.account_id = u.account_id
   group by u.account_id, u.objects, u.bytes
   having count(o.oid) <> u.objects or coalesce(sum(o.reserved), 0) <> u.bytes limit ?`,
);
export const withoutUsage = sql<Row>(
  `select distinct o.account_id from media_object o
   where not exists (select 1 from media_usage u where u.account_id = o.account_id) limit ?`,
);
export const incompleteObjects = sql<Row>(
  `select account_id, oid from media_object
   where whole = 1 and (size is null or hash is null or received <> size) limit ?`,
);
