import { sql } from '../../platform/store/sql.ts';

/**
 * States of a login. `created` is a QR login whose code does not exist yet; the contract describes the other states.
 */
export type LoginState = 'created' | 'waiting' | 'scanned' | 'approved' | 'verified' | 'denied';

export interface LoginRow {
  readonly id: string;
  readonly kind: 'QR' | 'CREDENTIAL';
  readonly login_type: number;
  state: LoginState;
  account_id: number | null;
  credential_digest: string | null;
  /**
   * The session that took the last step for the new device: the scan, the approval or the PIN. Null before that, and
   * after an approval by the operator.
   */
  scanner_session_id: number | null;
  readonly system_name: string;
  readonly model_name: string;
  readonly remote_address: string;
  readonly secret: string | null;
  qr_checked: number;
  certificate_shown: number;
  certificate_class: string | null;
  pin_mac: string | null;
  pin_checked: number;
  tries: number;
  handover: string | null;
  confirmed_with: string | null;
  readonly created_time: number;
  expires_time: number;
}

const COLUMNS = `id, kind, login_type, state, account_id, credential_digest, scanner_session_id, system_name, model_name,
  remote_address, secret, qr_checked, certificate_shown, certificate_class, pin_mac, pin_checked, tries, handover,
  confirmed_with, created_time, expires_time`;

export const loginById = sql<LoginRow>(`select ${COLUMNS} from pending_login where id = ?`);
export const lockLogin = sql<LoginRow>(`select ${COLUMNS} from pending_login where id = ? {for update}`);
/** A login of an account. A query that also found the logins of others would reveal them by its duration. */
export const ownLogin = sql<LoginRow>(`select ${COLUMNS} from pending_login where id = ? and account_id = ?`);
export const lockOwnLogin = sql<LoginRow>(
  `select ${COLUMNS} from pending_login where id = ? and account_id = ? {for update}`,
);
export const loginsOfAccount = sql<LoginRow>(
  `select ${COLUMNS} from pending_login where account_id = ? and expires_time > ? and state <> 'denied'
   order by created_time, id`,
);
export const insertLogin = sql(
  `insert into pending_login (id, kind, login_type, state, account_id, credential_digest, system_name, model_name,
   remote_address, secret, pin_mac, created_time, expires_time) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
);
export const saveLogin = sql(
  `update pending_login set state = ?, account_id = ?, credential_digest = ?, scanner_session_id = ?, qr_checked = ?,
   certificate_shown = ?, certificate_class = ?, pin_mac = ?, pin_checked = ?, tries = ?, handover = ?,
   confirmed_with = ?, expires_time = ? where id = ?`,
);
export const deleteLogin = sql('delete from pending_login where id = ?');
export const deleteLoginsOf = sql('delete from pending_login where account_id = ?');
export const deleteExpiredLogins = sql('delete from pending_login where expires_time <= ?');

/**
 * Locks the account while its session is created, so that the account cannot be disabled or get another password at the
 * same time.
 */
export const holdAccount = sql<{ mid: string; disabled: number; password_hash: string; created_time: number }>(
  'select mid, disabled, password_hash, created_time from account where id = ? and deleted = 0 {for share}',
);

export interface AttemptRow {
  readonly points: number;
  readonly expires_time: number;
}

export const findAttempts = sql<AttemptRow>(
  'select points, expires_time from attempt where key = ? and expires_time > ?',
);
/** Adds to a count; an expired count starts again at 0. */
export const addAttempts = sql<AttemptRow>(
  `insert into attempt (key, points, expires_time) values (?, ?, ?)
   on conflict (key) do update set
     points = case when attempt.expires_time > ? then attempt.points else 0 end + excluded.points,
     expires_time = case when attempt.expires_time > ? then attempt.expires_time else excluded.expires_time end
   returning points, expires_time`,
);
export const deleteAttempts = sql<{ key: string }>('delete from attempt where key = ? returning key');
export const deleteExpiredAttempts = sql('delete from attempt where expires_time <= ?');

export const insertLoginKey = sql('insert into login_key (name, sealed, expires_time) values (?, ?, ?)');
export const takeLoginKey = sql<{ sealed: string }>(
  'delete from login_key where name = ? and expires_time > ? returning sealed',
);
export const noteShownLoginKey = sql(
  "insert into login_key (name, sealed, expires_time) values (?, '', 0) on conflict (name) do nothing",
);
export const deleteExpiredLoginKeys = sql('delete from login_key where expires_time <= ?');
