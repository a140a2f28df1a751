// The sealed backup of an account's private keys. The server cannot open the backup. All sessions of the account are
// notified when a session stores, reads or deletes the backup, because that session may be an intruder.
import { ApiError, type DeviceNewsKind, type KeyBackupInfo, limits } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import type { keyBackup } from '@sealpost/contract/schemas';
import type { Caller, Handlers } from '../../platform/rpc/call.ts';
import type { Store, Tx } from '../../platform/store/store.ts';
import type { OperationLog } from '../../platform/stream/operation-log.ts';
import { type Sessions, sessionView, type TellDevices } from '../sessions/index.ts';
import * as q from './queries.ts';

export interface KeyBackupDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: OperationLog;
  readonly sessions: Pick<Sessions, 'list'>;
  readonly tellDevices: TellDevices;
}

const NEVER: q.BackupRow = { version: 0, blob: '', updated_time: 0 };
const MAX_BYTES = limits.keyBackupBytes.value;

export function keyBackupHandlers({
  store,
  clock,
  log,
  sessions,
  tellDevices,
}: KeyBackupDeps): Handlers<keyof typeof keyBackup> {
  async function tell(tx: Tx, { accountId, sessionId }: Caller, kind: DeviceNewsKind): Promise<void> {
    const session = (await sessions.list(tx, accountId)).find((row) => row.id === sessionId);
    if (!session) throw new ApiError('SESSION_LOGGED_OUT');
    await tellDevices(tx, accountId, kind, String(sessionId), sessionView(session));
  }

  /**
   * Replaces the backup if the stored version is `expected`; an empty blob deletes the backup. A repeated call changes
   * nothing.
   */
  const replace = (caller: Caller, expected: number, blob: string, kind: DeviceNewsKind): Promise<KeyBackupInfo> =>
    store.transact(async (tx) => {
      // While the account's log is locked, no other change can come between reading and writing the backup.
      await log.lock(tx, [caller.accountId]);
      const stored = (await tx.one(q.backupOf, caller.accountId)) ?? NEVER;
      if (stored.version === expected + 1 && stored.blob === blob) return infoOf(stored);
      if (stored.version !== expected) {
        throw new ApiError('INVALID_STATE', `request.expectedVersion is ${expected}, the backup has ${stored.version}`);
      }
      if (stored.blob === '' && blob === '') return infoOf(stored);
      const changed = { version: expected + 1, blob, updated_time: clock.now() };
      await tx.run(q.putBackup, caller.accountId, changed.version, changed.blob, changed.updated_time);
      await tell(tx, caller, kind);
      return infoOf(changed);
    });

  return {
    'KeyBackupService.getBackupInfo': async ({ caller }) =>
      infoOf((await store.read((reader) => reader.one(q.backupOf, caller.accountId))) ?? NEVER),
    'KeyBackupService.getBackup': ({ caller }) =>
      store.transact(async (tx) => {
        const stored = await tx.one(q.backupOf, caller.accountId);
        if (!stored?.blob) throw new ApiError('NOT_FOUND', 'not found: the account has no backup');
        await tell(tx, caller, 'backup-read');
        return { version: stored.version, blob: stored.blob, updatedTime: String(stored.updated_time) };
      }),
    'KeyBackupService.putBackup': async ({ caller }, { expectedVersion, blob }) => {
      requireBlob(blob);
      return replace(caller, expectedVersion, blob, 'backup-stored');
    },
    'KeyBackupService.deleteBackup': ({ caller }, { expectedVersion }) =>
      replace(caller, expectedVersion, '', 'backup-deleted'),
  };
}

const infoOf = ({ version, blob, updated_time }: q.BackupRow): KeyBackupInfo => ({
  version,
  size: Buffer.byteLength(blob, 'base64'),
  updatedTime: String(updated_time),
});

function requireBlob(blob: string): void {
  const bytes = Buffer.from(blob, 'base64');
  if (bytes.length === 0 || bytes.toString('base64') !== blob) {
    throw new ApiError('E2EE_INVALID_ARGUMENT', 'request.blob must be base64, and not empty');
  }
  if (bytes.length > MAX_BYTES) {
    throw new ApiError('INVALID_LENGTH', `request.blob has ${bytes.length} bytes, the most are ${MAX_BYTES}`);
  }
}
