import { sql } from '../../platform/store/sql.ts';

export interface BackupRow {
  readonly version: number;
  /** The backup in base64; empty if there is none. */
  readonly blob: string;
  readonly updated_time: number;
}

export const backupOf = sql<BackupRow>('select version, blob, updated_time from key_backup where account_id = ?');
export const putBackup = sql(
  `insert into key_backup (account_id, version, blob, updated_time) values (?, ?, ?, ?)
   on conflict (account_id) do update set version = excluded.version, blob = excluded.blob, updated_time = excluded.updated_time`,
);
export const forgetBackup = sql('delete from key_backup where account_id = ?');
