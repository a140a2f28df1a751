// The sealed backup of an account's keys.
export { forgetBackup } from './forget-backup.ts';
export { type KeyBackupDeps, keyBackupHandlers } from './handlers.ts';
