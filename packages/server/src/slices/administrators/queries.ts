import type { LoginState } from '@sealpost/contract/admin';
import { sql } from '../../platform/store/sql.ts';

/** The states of a session. */
export type SessionState = Exclude<LoginState['state'], 'none'>;

export interface AdministratorRow {
  readonly id: number;
  readonly name: string;
  readonly password_hash: string;
  readonly ready: number;
  readonly is_first: number;
  readonly created_time: number;
  readonly last_login_time: number | null;
}

const ADMINISTRATOR = 'id, name, password_hash, ready, is_first, created_time, last_login_time';

export const countReady = sql<{ ready: number }>('select ready from administrator_count where id = 1');
export const lockReady = sql<{ ready: number }>('select ready from administrator_count where id = 1 {for update}');
export const addReady = sql('update administrator_count set ready = ready + ? where id = 1');

export const administratorByName = sql<AdministratorRow>(`select ${ADMINISTRATOR} from administrator where name = ?`);
export const administratorById = sql<AdministratorRow>(`select ${ADMINISTRATOR} from administrator where id = ?`);
export const readyAdministrators = sql<AdministratorRow>(
  `select ${ADMINISTRATOR} from administrator where ready = 1 order by name`,
);
export const insertAdministrator = sql(
  `insert into administrator (id, name, password_hash, ready, is_first, created_time) values (?, ?, ?, ?, ?, ?)`,
);
export const makeReady = sql('update administrator set ready = 1 where id = ?');
export const notePassword = sql('update administrator set password_hash = ? where id = ?');
export const noteLogin = sql('update administrator set last_login_time = ? where id = ?');
export const deleteAdministrator = sql('delete from administrator where id = ?');

export const insertSetup = sql(
  'insert into administrator_setup (hash, is_first, name, expires_time) values (?, ?, ?, ?)',
);
export const findSetup = sql<{ hash: string }>(
  'select hash from administrator_setup where hash = ? and expires_time > ?',
);
export const takeSetup = sql<{ is_first: number; name: string | null }>(
  'delete from administrator_setup where hash = ? and expires_time > ? returning is_first, name',
);
export const deleteExpiredSetups = sql('delete from administrator_setup where expires_time <= ?');
export const deleteFirstSetups = sql('delete from administrator_setup where is_first = 1');

export interface SessionRow {
  readonly id: number;
  readonly administrator_id: number;
  readonly administrator_name: string;
  readonly state: SessionState;
  readonly remote_address: string;
  readonly user_agent: string;
  readonly created_time: number;
  readonly last_seen_time: number;
  readonly expires_time: number;
}

const SESSION = `select s.id, s.administrator_id, a.name as administrator_name, s.state, s.remote_address, s.user_agent,
  s.created_time, s.last_seen_time, s.expires_time
  from administrator_session s join administrator a on a.id = s.administrator_id`;

export const sessionByHash = sql<SessionRow>(`${SESSION} where s.hash = ?`);
export const fullSessions = sql<SessionRow>(
  `${SESSION} where s.state = 'full' and s.expires_time > ? and s.last_seen_time > ? order by s.id desc`,
);
export const insertSession = sql(
  `insert into administrator_session (id, hash, administrator_id, state, tries, remote_address, user_agent, created_time,
   last_seen_time, expires_time) values (?, ?, ?, ?, 0, ?, ?, ?, ?, ?)`,
);
export const touchSession = sql('update administrator_session set last_seen_time = ? where id = ?');
/** Replaces the token of a session and sets the state `full`. Does nothing if the session was already promoted. */
export const promoteSession = sql<{ id: number }>(
  `update administrator_session set hash = ?, state = 'full', challenge = null, totp = null, created_time = ?,
   last_seen_time = ?, expires_time = ? where id = ? and state = ? and expires_time > ? returning id`,
);
export const addTry = sql<{ tries: number }>(
  'update administrator_session set tries = tries + 1 where id = ? returning tries',
);
export const noteChallenge = sql('update administrator_session set challenge = ? where id = ?');
export const lockChallenge = sql<{ challenge: string | null }>(
  'select challenge from administrator_session where id = ? {for update}',
);
export const noteTotp = sql('update administrator_session set totp = ? where id = ?');
export const findTotp = sql<{ totp: string | null }>('select totp from administrator_session where id = ?');
export const deleteSession = sql<{ administrator_id: number }>(
  'delete from administrator_session where id = ? returning administrator_id',
);
export const deleteSessionsOf = sql('delete from administrator_session where administrator_id = ? and id <> ?');
export const deleteExpiredSessions = sql('delete from administrator_session where expires_time <= ?');

export interface FactorRow {
  readonly id: number;
  readonly administrator_id: number;
  readonly kind: 'passkey' | 'totp';
  readonly name: string;
  readonly credential_id: string | null;
  readonly key: string;
  readonly transports: string;
  readonly counter: number;
  readonly created_time: number;
  readonly last_used_time: number | null;
}

export const factorsOf = sql<FactorRow>(
  `select id, administrator_id, kind, name, credential_id, key, transports, counter, created_time, last_used_time
   from administrator_factor where administrator_id = ? order by id`,
);
export const insertFactor = sql(
  `insert into administrator_factor (administrator_id, id, kind, name, credential_id, key, transports, counter,
   created_time) values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
);
/** Raises the counter of a factor. Returns no row if the new counter is not above the stored one. */
export const raiseCounter = sql<{ id: number }>(
  `update administrator_factor set counter = ?, last_used_time = ?
   where administrator_id = ? and id = ? and counter < ? returning id`,
);
/**
 * Stores the time at which a passkey without a counter was used. Returns no row if the passkey had a counter before.
 */
export const noteUse = sql<{ id: number }>(
  `update administrator_factor set last_used_time = ? where administrator_id = ? and id = ? and counter = 0 returning id`,
);
export const deleteFactor = sql('delete from administrator_factor where administrator_id = ? and id = ?');
export const deleteFactorsOf = sql('delete from administrator_factor where administrator_id = ?');

export const insertRecoveryCode = sql('insert into administrator_recovery_code (administrator_id, hash) values (?, ?)');
export const takeRecoveryCode = sql<{ hash: string }>(
  'delete from administrator_recovery_code where administrator_id = ? and hash = ? returning hash',
);
export const recoveryCodesOf = sql<{ codes: number }>(
  'select count(*) as codes from administrator_recovery_code where administrator_id = ?',
);
export const deleteRecoveryCodesOf = sql('delete from administrator_recovery_code where administrator_id = ?');

export interface TokenRow {
  readonly id: number;
  readonly name: string;
  readonly scopes: string;
  readonly created_by: string;
  readonly created_time: number;
  readonly expires_time: number | null;
  readonly last_used_time: number | null;
}

const TOKEN = 'select id, name, scopes, created_by, created_time, expires_time, last_used_time from admin_token';

export const tokenByHash = sql<TokenRow>(`${TOKEN} where hash = ?`);
export const allTokens = sql<TokenRow>(`${TOKEN} order by id desc`);
export const insertToken = sql(
  `insert into admin_token (id, hash, name, scopes, created_by, created_time, expires_time) values (?, ?, ?, ?, ?, ?, ?)`,
);
export const touchToken = sql('update admin_token set last_used_time = ? where id = ?');
export const deleteToken = sql<{ name: string }>('delete from admin_token where id = ? returning name');
