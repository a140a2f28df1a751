// The exports for the commands that work with the data of a server: backup, restore, verify, move.

export { ConfigError } from '../platform/kernel/config-error.ts';
export { type BackupResult, backup } from './backup/backup.ts';
export { cancelMove, type MoveResult, move } from './move/move.ts';
export type { OnProgress } from './progress.ts';
export { type ListedBackup, listBackups, type RestoreResult, restore } from './restore/restore.ts';
export { type ResyncResult, resync } from './restore/resync.ts';
export type { Finding } from './verify/finding.ts';
export { type VerifyResult, verify } from './verify/verify.ts';
