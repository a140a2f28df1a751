// Notifies all sessions of an account of security events, such as a login that waits for confirmation, or a revoked
// session. The operation is SEND_ENCRYPTED_E2EE_KEY_REQUESTED.
import type { DeviceNewsKind } from '@sealpost/contract';
import type { PendingLogin, Session } from '@sealpost/contract/schemas';
import type { Tx } from '../../platform/store/store.ts';
import type { OperationLog } from '../../platform/stream/operation-log.ts';
import type { SessionRow } from './queries.ts';

/**
 * Notifies the account's sessions, in the transaction that caused the news. `id` is the id of the login or session. For
 * a failed login, `id` is the count of failures so far.
 */
export type TellDevices = (
  tx: Tx,
  accountId: number,
  kind: DeviceNewsKind,
  id: string,
  about: PendingLogin | Session,
) => Promise<void>;

export const createTellDevices =
  (log: OperationLog): TellDevices =>
  (tx, accountId, kind, id, about) =>
    log.lockAndAppend(tx, [
      {
        accountId,
        to: 'self',
        type: 'SEND_ENCRYPTED_E2EE_KEY_REQUESTED',
        params: { news: kind, id, about },
      },
    ]);

/** Returns a session as its account sees it; `current` is true for the session that asks. */
export const sessionView = (row: SessionRow, currentSessionId?: number): Session => ({
  loginSessionId: String(row.id),
  systemName: row.system_name,
  modelName: row.model_name,
  name: row.name,
  remoteAddress: row.remote_address,
  createdTime: String(row.created_time),
  lastSeenTime: String(row.last_seen_time),
  current: row.id === currentSessionId,
});
