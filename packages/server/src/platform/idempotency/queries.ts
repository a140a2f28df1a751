import { sql } from '../store/sql.ts';

export const findRequest = sql<{ result: string | null }>(
  'select result from request where account_id = ? and session_id = ? and req_seq = ? and fingerprint = ?',
);
export const insertRequest = sql(
  'insert into request (account_id, session_id, req_seq, fingerprint, created_time, result) values (?, ?, ?, ?, ?, ?)',
);

export const forgetAllRequests = sql('delete from request where account_id = ?');
export const forgetRequests = sql('delete from request where account_id = ? and created_time < ?');
