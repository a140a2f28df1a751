// The sealed backup of an account's keys: the exports of the slice.
export { forgetBackup } from './forget-backup.ts';
export { type KeyBackupDeps, keyBackupHandlers } from './handlers.ts';
