import { sql } from '../../platform/store/sql.ts';
import type { AccountKind } from './account-input.ts';

export interface AccountRow {
  id: number;
  mid: string;
  kind: AccountKind;
  userid: string | null;
  email: string | null;
  phone: string | null;
  region_code: string;
  disabled: number;
  deleted: number;
  created_time: number;
  display_name: string;
}

export interface CredentialRow {
  id: number;
  mid: string;
  password_hash: string;
  disabled: number;
  created_time: number;
}

/** An account that a transaction has locked. Nobody else can change it until the transaction ends. */
export interface HeldRow {
  id: number;
  mid: string;
  kind: AccountKind;
  userid: string | null;
  email: string | null;
  phone: string | null;
  password_hash: string;
  disabled: number;
  deleted: number;
}

const ACCOUNT = `select a.id as id, a.mid as mid, a.kind as kind, a.userid as userid, a.email as email, a.phone as phone,
  a.region_code as region_code, a.disabled as disabled, a.deleted as deleted, a.created_time as created_time,
  p.display_name as display_name from account a join profile p on p.account_id = a.id`;
const CREDENTIAL = 'select id, mid, password_hash, disabled, created_time from account';

export const accountById = sql<AccountRow>(`${ACCOUNT} where a.id = ?`);
export const accountByMid = sql<AccountRow>(`${ACCOUNT} where a.mid = ?`);
export const accountByUserid = sql<AccountRow>(`${ACCOUNT} where a.userid = ?`);
export const accountsAfter = sql<AccountRow>(`${ACCOUNT} where a.id > ? and a.deleted = 0 order by a.id limit ?`);
export const accountsOfKindAfter = sql<AccountRow>(
  `${ACCOUNT} where a.kind = ? and a.id > ? and a.deleted = 0 order by a.id limit ?`,
);

export const credentialByUserid = sql<CredentialRow>(`${CREDENTIAL} where userid = ? and deleted = 0`);
export const credentialByEmail = sql<CredentialRow>(`${CREDENTIAL} where email = ? and deleted = 0`);
export const credentialByPhone = sql<CredentialRow>(`${CREDENTIAL} where phone = ? and deleted = 0`);

export const credentialById = sql<CredentialRow>(`${CREDENTIAL} where id = ? and deleted = 0`);

export const factsByMid = sql<{ id: number; mid: string; kind: AccountKind }>(
  'select id, mid, kind from account where mid = ?',
);
export const factsById = sql<{ id: number; mid: string; kind: AccountKind }>(
  'select id, mid, kind from account where id = ?',
);

export const insertAccount = sql(
  `insert into account (id, mid, kind, userid, email, phone, region_code, password_hash, created_time)
   values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
);
export const insertProfile = sql('insert into profile (account_id, display_name) values (?, ?)');

/** Locks an account, so that a change and a concurrent login run one after the other. */
export const lockAccount = sql<HeldRow>(
  `select id, mid, kind, userid, email, phone, password_hash, disabled, deleted from account
   where id = ? {for update}`,
);
export const holdLivingAccount = sql<{ id: number }>('select id from account where id = ? and deleted = 0 {for share}');
export const setDisabled = sql('update account set disabled = ? where id = ?');
export const setPasswordHash = sql('update account set password_hash = ? where id = ?');
export const setIdentifiers = sql('update account set userid = ?, email = ?, phone = ? where id = ?');
export const buryAccount = sql(
  `update account set deleted = 1, disabled = 1, userid = null, email = null, phone = null, region_code = '',
   password_hash = '' where id = ?`,
);
export const clearProfile = sql(
  `update profile set display_name = '', status_message = '', picture_path = '', extra = '{}' where account_id = ?`,
);

/** Account ids in ascending order. */
export const accountIdsAfter = sql<{ id: number }>('select id from account where id > ? order by id limit ?');
