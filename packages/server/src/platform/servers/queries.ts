import { sql, sqlSet } from '../store/sql.ts';

export interface ServerRow {
  readonly id: string;
  readonly beat: number;
}

export const raiseBeat = sql<{ beat: number }>('update running_server set beat = beat + 1 where id = ? returning beat');
export const joinServers = sql('insert into running_server (id, beat) values (?, 1) on conflict (id) do nothing');
export const runningServers = sql<ServerRow>('select id, beat from running_server order by id');
/** Removes a server, but only if its beat has not risen since it was read. */
export const removeServer = sql<{ id: string }>('delete from running_server where id = ? and beat = ? returning id');
export const leaveServers = sql('delete from running_server where id = ?');

export const noteOpen = sqlSet(
  { account_id: 'bigint', server: 'text' },
  `insert into open_account (account_id, server) select given.account_id, given.server from {given} where true
   on conflict (account_id, server) do nothing`,
);
export const noteClosed = sqlSet(
  { account_id: 'bigint', server: 'text' },
  `delete from open_account where (account_id, server) in (select given.account_id, given.server from {given})`,
);
export const forgetOpen = sql('delete from open_account where server = ?');
export const openElsewhere = sql<ServerRow>(
  `select s.id, s.beat from open_account o join running_server s on s.id = o.server
   where o.account_id = ? and o.server <> ?`,
);
