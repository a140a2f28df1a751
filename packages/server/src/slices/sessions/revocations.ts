// Revocations, which end sessions before their time. The account's remaining sessions are notified. After the commit,
// the listeners of this server are called.
import type { Clock } from '@sealpost/contract/ports';
import type { Store, Tx } from '../../platform/store/store.ts';
import { sessionView, type TellDevices } from './device-news.ts';
import {
  holdLiveSession,
  holdLoginsOf,
  liveSessions,
  revokeSession,
  revokeSessionsOf,
  sessionRowById,
} from './queries.ts';

/** The reason if the session's own device logged out. The other sessions are not notified of a logout. */
export const LOGGED_OUT = 'logged out';

/** The reason if the account of the session was deleted. */
export const ACCOUNT_DELETED = 'account deleted';

export type RevokeListener = (accountId: number, sessionId: number, reason: string) => void;

export interface Revocations {
  revoke(sessionIds: readonly number[], reason: string): Promise<void>;
  revokeIn(tx: Tx, sessionIds: readonly number[], reason: string): Promise<void>;
  /** Ends all sessions of an account except the given one. */
  revokeAll(accountId: number, reason: string, exceptSessionId?: number): Promise<void>;
  endAll(tx: Tx, accountId: number, reason: string, exceptSessionId?: number): Promise<void>;
  /** Returns whether a session has not ended. A live session cannot end before the transaction is over. */
  holdLive(tx: Tx, sessionId: number): Promise<boolean>;
  /** Registers a listener. It is called for each session that this server revokes, after the commit. */
  onRevoked(listener: RevokeListener): void;
}

interface RevocationDeps {
  readonly store: Store;
  readonly clock: Clock;
  /** Notifies an account's remaining sessions of those that ended. */
  readonly tellDevices: TellDevices;
  /** Removes a session from memory. */
  forgetSession(accountId: number, sessionId: number): void;
}

export function createRevocations({ store, clock, tellDevices, forgetSession }: RevocationDeps): Revocations {
  const listeners: RevokeListener[] = [];

  function announce(accountId: number, sessionId: number, reason: string): void {
    forgetSession(accountId, sessionId);
    for (const listener of listeners) listener(accountId, sessionId, reason);
  }

  async function tell(tx: Tx, accountId: number, sessionIds: readonly number[], reason: string): Promise<void> {
    if (reason === LOGGED_OUT) return;
    if ((await tx.all(liveSessions, accountId, clock.now())).length === 0) return;
    for (const sessionId of sessionIds) {
      const row = await tx.one(sessionRowById, sessionId);
      if (row) await tellDevices(tx, accountId, 'revoked', String(sessionId), sessionView(row));
    }
  }

  async function revokeIn(tx: Tx, sessionIds: readonly number[], reason: string): Promise<void> {
    for (const sessionId of sessionIds) {
      const row = await tx.one(revokeSession, clock.now(), reason, sessionId);
      if (!row) continue;
      tx.onCommit(() => announce(row.account_id, sessionId, reason));
      await tell(tx, row.account_id, [sessionId], reason);
    }
  }

  async function endAll(tx: Tx, accountId: number, reason: string, exceptSessionId = 0): Promise<void> {
    // A login that opens its session at this moment has either opened it, and ends here, or sees its approver ended.
    await tx.one(holdLoginsOf, accountId);
    const rows = await tx.all(revokeSessionsOf, clock.now(), reason, accountId, exceptSessionId);
    tx.onCommit(() => {
      for (const { id } of rows) announce(accountId, id, reason);
    });
    const ended = rows.map(({ id }) => id);
    await tell(tx, accountId, ended, reason);
  }

  return {
    revoke: (sessionIds, reason) => store.transact((tx) => revokeIn(tx, sessionIds, reason)),
    revokeIn,
    revokeAll: (accountId, reason, except) => store.transact((tx) => endAll(tx, accountId, reason, except)),
    endAll,
    holdLive: async (tx, sessionId) => (await tx.one(holdLiveSession, sessionId)) !== undefined,
    onRevoked(listener) {
      listeners.push(listener);
    },
  };
}
