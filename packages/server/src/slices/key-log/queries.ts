import { sql, sqlSet } from '../../platform/store/sql.ts';

export interface LoggedKeyRow {
  readonly mid: string;
  readonly key_id: number;
  readonly key_data: string;
  readonly created_time: number;
}

/** Locks the key counter until the transaction ends, so that all servers together register one key at a time. */
export const holdLog = sql<{ last_key_id: number }>(
  'select last_key_id from e2ee_key_counter where id = 1 {for update}',
);
export const newestLeaf = sql<{ position: number | null }>(
  'select max(position) as position from key_log_node where level = 0',
);
/** Registered keys in the order of their ids; keys of deleted accounts are included. */
export const keysAfter = sql<LoggedKeyRow>(
  `select a.mid as mid, k.key_id as key_id, k.key_data as key_data, k.created_time as created_time
   from e2ee_key k join account a on a.id = k.account_id where k.key_id > ? order by k.key_id limit ?`,
);
export const nodesAt = sqlSet<{ level: number; position: number; hash: string }>(
  { level: 'bigint', position: 'bigint' },
  `select n.level as level, n.position as position, n.hash as hash
   from {given} join key_log_node n on n.level = given.level and n.position = given.position`,
);
export const insertNodes = sqlSet(
  { level: 'bigint', position: 'bigint', hash: 'text' },
  'insert into key_log_node (level, position, hash) select level, position, hash from {given}',
);
