// What all sessions of an account learn about its devices: who waits to be let in, who came in, who was sent away
// (operation SEND_ENCRYPTED_E2EE_KEY_REQUESTED).
import type { PendingLogin, Session } from '@sealpost/contract/schemas';
import type { Tx } from '../../platform/store/store.ts';
import type { OperationLog } from '../../platform/stream/operation-log.ts';
import type { SessionRow } from './queries.ts';

export type NewsKind =
  | 'pending'
  | 'approved'
  | 'denied'
  | 'failed'
  | 'revoked'
  | 'backup-stored'
  | 'backup-read'
  | 'backup-deleted';

/** Tells the account in the transaction of the change itself. `id` names the login or the session; how many, of failures. */
export type TellDevices = (
  tx: Tx,
  accountId: number,
  kind: NewsKind,
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

/** A session as its account sees it; `current` on the session that asks. */
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
