import { sql, sqlSet } from '../../platform/store/sql.ts';

export interface ObjectRow {
  readonly account_id: number;
  readonly oid: string;
  readonly place: string;
  readonly request_name: string | null;
  readonly object_key: string;
  readonly whole: number;
  readonly size: number | null;
  readonly received: number;
  readonly reserved: number;
  readonly hash: string | null;
  readonly name: string;
  readonly type: string;
  readonly category: string;
  readonly mime: string;
  readonly details: string;
  readonly writer: string | null;
  readonly lease_time: number;
  readonly created_time: number;
  readonly changed_time: number;
}

const OBJECT = `account_id, oid, place, request_name, object_key, whole, size, received, reserved, hash, name, type, category,
  mime, details, writer, lease_time, created_time, changed_time`;

export const objectOf = sql<ObjectRow>(`select ${OBJECT} from media_object where account_id = ? and oid = ?`);
export const lockObject = sql<ObjectRow>(
  `select ${OBJECT} from media_object where account_id = ? and oid = ? {for update}`,
);
export const objectByOid = sql<ObjectRow>(`select ${OBJECT} from media_object where oid = ?`);
export const ownersNamed = sqlSet<{ account_id: number; oid: string }>(
  { oid: 'text' },
  'select account_id, oid from media_object where oid in {given}',
);
/** Locks the rows in the order of their oids, so that two transactions cannot deadlock. */
export const lockNamed = sqlSet<ObjectRow>(
  { oid: 'text' },
  `select ${OBJECT} from media_object where oid in {given} order by oid {for update}`,
);
export const objectsAt = sql<{ oid: string }>('select oid from media_object where account_id = ? and place = ?');
export const objectByRequest = sql<ObjectRow>(
  `select ${OBJECT} from media_object where account_id = ? and request_name = ?`,
);
export const insertObject = sql(
  `insert into media_object (account_id, oid, place, request_name, object_key, size, reserved, name, type, category, writer,
     lease_time, created_time, changed_time) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
);
export const insertWhole = sql(
  `insert into media_object (account_id, oid, place, request_name, object_key, whole, size, received, reserved, hash, name,
     type, category, mime, details, created_time, changed_time)
   values (?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
);
/** Begins a write. The writer owns the object until the writer's lease expires. */
export const beginWrite = sql(
  `update media_object set object_key = ?, size = ?, received = ?, reserved = ?, writer = ?, lease_time = ?,
     changed_time = ? where account_id = ? and oid = ?`,
);
export const renewLease = sql(
  'update media_object set lease_time = ? where account_id = ? and oid = ? and writer = ? and whole = 0',
);
/** Records how many bytes of an object are durable while its writer continues. */
export const noteReceived = sql<{ reserved: number }>(
  `update media_object set received = ?, lease_time = ?, changed_time = ?
   where account_id = ? and oid = ? and writer = ? and whole = 0 returning reserved`,
);
export const setReserved = sql('update media_object set reserved = ? where account_id = ? and oid = ?');
// Expired objects of an account: abandoned uploads, and media of messages that are older than the retention time. Each
// query that finds them has an index, so that the objects that stay are not read.
const isAbandoned = (time: string): string => `whole = 0 and changed_time < ${time}`;
const isOldMedia = (time: string): string => `created_time < ${time} and place not in ('talk/p', 'myhome/c')`;
export const abandoned = sql<{ oid: string }>(
  `select oid from media_object where account_id = ? and ${isAbandoned('?')} limit ?`,
);
export const mediaOlderThan = sql<{ oid: string }>(
  `select oid from media_object where account_id = ? and ${isOldMedia('?')} limit ?`,
);
/**
 * Locks those of the given objects that are still expired, in the order of their oids. An upload may have gone on, or
 * ended, since the objects were found.
 */
export const lockExpired = sqlSet<{ oid: string }>(
  { account_id: 'bigint', oid: 'text', untouched_since: 'bigint', made_before: 'bigint' },
  `select o.oid from {given} join media_object o on o.account_id = given.account_id and o.oid = given.oid
   where (${isAbandoned('given.untouched_since')}) or (${isOldMedia('given.made_before')})
   order by o.oid {for update of o}`,
);
/** Returns the objects that follow one, in pages. `old_bytes` is null for an object that is younger than the time. */
export const mediaAfter = sql<{ account_id: number; oid: string; old_bytes: number | null }>(
  `select account_id, oid, case when whole = 1 and ${isOldMedia('?')} then size end as old_bytes
   from media_object where (account_id, oid) > (?, ?) order by account_id, oid limit ?`,
);
export const setDetails = sql('update media_object set details = ? where account_id = ? and oid = ?');
/** Removes an object whose first write is refused. */
export const endNew = sql<{ reserved: number }>(
  'delete from media_object where account_id = ? and oid = ? and writer = ? and whole = 0 returning reserved',
);
/** Ends a write that left the object incomplete. */
export const endWrite = sql<{ reserved: number }>(
  `update media_object set received = ?, writer = null, lease_time = 0, changed_time = ?
   where account_id = ? and oid = ? and writer = ? and whole = 0 returning reserved`,
);
export const makeWhole = sql<{ reserved: number }>(
  `update media_object set whole = 1, size = ?, received = ?, hash = ?, mime = ?, details = ?,
     writer = null, lease_time = 0, changed_time = ?
   where account_id = ? and oid = ? and writer = ? and whole = 0 returning reserved`,
);
export const deleteObject = sql<{ object_key: string; reserved: number }>(
  'delete from media_object where account_id = ? and oid = ? returning object_key, reserved',
);
export const deleteObjectsOf = sql<{ object_key: string; oid: string }>(
  'delete from media_object where account_id = ? returning object_key, oid',
);
export const midOf = sql<{ mid: string }>('select mid from account where id = ?');
export const someWhole = sql<{ oid: string }>('select oid from media_object where whole = 1 limit 1');
export const keysInUse = sqlSet<{ object_key: string }>(
  { object_key: 'text' },
  `select distinct o.object_key from {given} join media_object o on o.object_key = given.object_key`,
);
export const keyInUse = sql<{ oid: string }>('select oid from media_object where object_key = ? limit 1');

// Queries of the messages that carry an object.

export const carryObjects = sqlSet(
  { chat_id: 'bigint', message_id: 'bigint', oid: 'text', owner_id: 'bigint' },
  'insert into media_carrier (chat_id, message_id, oid, owner_id) select chat_id, message_id, oid, owner_id from {given}',
);
export const carriedBy = sql<{ oid: string; owner_id: number }>(
  'select oid, owner_id from media_carrier where chat_id = ? and message_id = ?',
);
/** Messages that carry an object, in the chats of one account, newest first. */
export const carriersFor = sql<{ message_id: number }>(
  `select c.message_id from media_carrier c join message_box b on b.chat_id = c.chat_id and b.account_id = ?
   where c.owner_id = ? and c.oid = ? order by c.message_id desc limit ?`,
);
export const carriersOf = sqlSet<{ message_id: number }>(
  { owner_id: 'bigint', oid: 'text' },
  `select c.message_id from {given} join media_carrier c on c.owner_id = given.owner_id and c.oid = given.oid`,
);
export const someCarrier = sql<{ message_id: number }>(
  'select message_id from media_carrier where owner_id = ? and oid = ? limit 1',
);
export const dropCarriers = sql<{ oid: string; owner_id: number }>(
  'delete from media_carrier where chat_id = ? and message_id = ? returning oid, owner_id',
);
export const dropCarriersOf = sql<{ message_id: number }>(
  'delete from media_carrier where owner_id = ? returning message_id',
);

// Queries of quotas.

export const openUsage = sql(
  'insert into media_usage (account_id, objects, bytes) values (?, 0, 0) on conflict (account_id) do nothing',
);
export const usageOf = sql<{ objects: number; bytes: number }>(
  'select objects, bytes from media_usage where account_id = ? {for update}',
);
export const usageNow = sql<{ objects: number; bytes: number }>(
  'select objects, bytes from media_usage where account_id = ?',
);
export const addUsage = sql('update media_usage set objects = objects + ?, bytes = bytes + ? where account_id = ?');
export const dropUsage = sql('delete from media_usage where account_id = ?');
