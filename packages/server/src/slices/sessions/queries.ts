import { sql, sqlSet } from '../../platform/store/sql.ts';

export interface SessionRow {
  id: number;
  account_id: number;
  system_name: string;
  model_name: string;
  name: string;
  client_type: string;
  remote_address: string;
  created_time: number;
  last_seen_time: number;
}

export interface TokenRow {
  session_id: number;
  account_id: number;
  generation: number;
  expires_time: number;
  used: number;
  mid: string;
  disabled: number;
  revoked_time: number | null;
  last_seen_time: number;
}

export interface FamilyRow {
  session_id: number;
  account_id: number;
  generation: number;
  rotated_time: number;
  expires_time: number;
}

export const insertSession = sql(
  `insert into login_session
   (id, account_id, system_name, model_name, client_type, remote_address, created_time, last_seen_time)
   values (?, ?, ?, ?, ?, ?, ?, ?)`,
);
export const sessionById = sql<{ account_id: number; mid: string; disabled: number; revoked_time: number | null }>(
  `select s.account_id as account_id, a.mid as mid, a.disabled as disabled, s.revoked_time as revoked_time
   from login_session s join account a on a.id = s.account_id where s.id = ?`,
);
/** Finds an account that was deleted. A deleted account has no sessions any more. */
export const isDeletedByMid = sql<{ id: number }>('select id from account where mid = ? and deleted = 1');
export const isDeleted = sql<{ id: number }>('select id from account where id = ? and deleted = 1');
export const liveSessions = sql<SessionRow>(
  `select s.id as id, s.account_id as account_id, s.system_name as system_name, s.model_name as model_name,
   s.name as name, s.client_type as client_type, s.remote_address as remote_address, s.created_time as created_time,
   s.last_seen_time as last_seen_time
   from login_session s join refresh_family f on f.session_id = s.id
   where s.account_id = ? and s.revoked_time is null and f.expires_time > ? order by s.id`,
);
/** Finds those of the given sessions that have ended or do not exist. */
export const endedSessions = sqlSet<{ id: number }>(
  { id: 'bigint' },
  `select given.id as id from {given} left join login_session s on s.id = given.id
   where s.id is null or s.revoked_time is not null`,
);
export const sessionRowById = sql<SessionRow>(
  `select id, account_id, system_name, model_name, name, client_type, remote_address, created_time, last_seen_time
   from login_session where id = ?`,
);
export const renameSession = sql<{ id: number }>(
  'update login_session set name = ? where id = ? and account_id = ? and revoked_time is null returning id',
);
export const seen = sql('update login_session set last_seen_time = ? where id = ?');
/** Finds a session that has not ended, and keeps it from ending until the transaction is over. */
export const holdLiveSession = sql<{ id: number }>(
  'select id from login_session where id = ? and revoked_time is null {for share}',
);
/** Locks an account, so that no login of it opens a session before the transaction is over. */
export const holdLoginsOf = sql<{ id: number }>('select id from account where id = ? {for update}');
export const revokeSession = sql<{ account_id: number }>(
  `update login_session set revoked_time = ?, revoked_reason = ? where id = ? and revoked_time is null
   returning account_id`,
);
export const revokeSessionsOf = sql<{ id: number }>(
  `update login_session set revoked_time = ?, revoked_reason = ? where account_id = ? and id <> ?
   and revoked_time is null returning id`,
);

export const insertToken = sql(
  `insert into access_token (hash, session_id, account_id, generation, issued_time, expires_time)
   values (?, ?, ?, ?, ?, ?)`,
);
export const findToken = sql<TokenRow>(
  `select t.session_id as session_id, t.account_id as account_id, t.generation as generation,
   t.expires_time as expires_time, t.used as used, a.mid as mid, a.disabled as disabled,
   s.revoked_time as revoked_time, s.last_seen_time as last_seen_time
   from access_token t join login_session s on s.id = t.session_id join account a on a.id = t.account_id
   where t.hash = ?`,
);
export const tokenOfGeneration = sql<{ issued_time: number; expires_time: number; used: number }>(
  'select issued_time, expires_time, used from access_token where session_id = ? and generation = ?',
);
export const markUsed = sql('update access_token set used = 1 where hash = ?');
export const shortenTokens = sql(
  'update access_token set expires_time = ? where session_id = ? and generation < ? and expires_time > ?',
);
export const dropExpiredTokens = sql('delete from access_token where session_id = ? and expires_time < ?');

export const insertFamily = sql(
  'insert into refresh_family (session_id, account_id, generation, rotated_time, expires_time) values (?, ?, ?, ?, ?)',
);
/** Locks the refresh family, so that refreshes of one session run one after the other. */
export const lockFamily = sql<FamilyRow>(
  `select session_id, account_id, generation, rotated_time, expires_time from refresh_family
   where session_id = ? {for update}`,
);
export const rotate = sql<{ generation: number }>(
  `update refresh_family set generation = generation + 1, rotated_time = ?, expires_time = ?
   where session_id = ? and generation = ? returning generation`,
);

export const deleteTokensOf = sql(
  'delete from access_token where session_id in (select id from login_session where account_id = ?)',
);
export const deleteFamiliesOf = sql(
  'delete from refresh_family where session_id in (select id from login_session where account_id = ?)',
);
export const deleteSessionsOf = sql('delete from login_session where account_id = ?');

export const findCertificate = sql<{ account_id: number }>(
  `select account_id from certificate
   where hash = ? and account_id = ? and client_type in (?, '') and revoked_time is null`,
);
export interface CertificateRow {
  id: string;
  client_type: string;
  session_id: number | null;
  created_time: number;
}

export const insertCertificate = sql(
  'insert into certificate (hash, account_id, client_type, session_id, created_time) values (?, ?, ?, ?, ?)',
);
export const moveCertificate = sql('update certificate set session_id = ?, client_type = ? where hash = ?');
export const certificatesOf = sql<CertificateRow>(
  `select hash as id, client_type, session_id, created_time from certificate
   where account_id = ? and revoked_time is null order by created_time desc, hash`,
);
export const revokeCertificate = sql<{ hash: string }>(
  `update certificate set revoked_time = ? where account_id = ? and hash = ? and revoked_time is null
   returning hash`,
);
export const revokeCertificatesOfSession = sql(
  'update certificate set revoked_time = ? where account_id = ? and session_id = ? and revoked_time is null',
);
export const revokeCertificatesOfOthers = sql(
  `update certificate set revoked_time = ? where account_id = ? and revoked_time is null
   and (session_id is null or session_id <> ?)`,
);
export const dropOldCertificates = sql(
  `delete from certificate where account_id = ? and hash not in
   (select hash from certificate where account_id = ? order by created_time desc, hash limit ?)`,
);
export const deleteCertificatesOf = sql('delete from certificate where account_id = ?');

export const revokedBefore = sql<{ id: number }>(
  'select id from login_session where revoked_time < ? order by revoked_time limit ?',
);
export const expiredBefore = sql<{ id: number }>(
  'select session_id as id from refresh_family where expires_time < ? order by expires_time limit ?',
);
export const deleteTokens = sqlSet(
  { id: 'bigint' },
  'delete from access_token where session_id in (select id from {given})',
);
export const deleteFamilies = sqlSet(
  { id: 'bigint' },
  'delete from refresh_family where session_id in (select id from {given})',
);
export const deleteSessions = sqlSet(
  { id: 'bigint' },
  'delete from login_session where id in (select id from {given})',
);

export const findSecret = sql<{ value: string }>('select value from server_secret where name = ?');
export const insertSecret = sql(
  'insert into server_secret (name, value, created_time) values (?, ?, ?) on conflict (name) do nothing',
);
