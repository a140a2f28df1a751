// Tokens that a session gets for one purpose, such as object storage. They are not the access and refresh tokens of the
// protocol.
import type { Clock } from '@sealpost/contract/ports';
import type { Ids } from '../../platform/kernel/ids.ts';
import type { Caller } from '../../platform/rpc/call.ts';
import type { Store } from '../../platform/store/store.ts';
import { sessionById } from './queries.ts';
import type { Tokens } from './tokens.ts';

export interface SessionTokens {
  issue(caller: Caller): { readonly token: string; readonly expiresTime: number };
  /**
   * Returns the caller that a token belongs to. Undefined if the token is invalid or expired, or if the session has
   * ended.
   */
  callerOf(token: string): Promise<Caller | undefined>;
}

interface SessionTokensDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly tokens: Tokens;
}

export function createSessionTokens(
  { store, clock, ids, tokens }: SessionTokensDeps,
  purpose: string,
  lifeMs: number,
): SessionTokens {
  const scoped = tokens.scoped(purpose);
  return {
    issue({ sessionId }) {
      const expiresTime = clock.now() + lifeMs;
      return { token: scoped.make(sessionId, expiresTime, ids.next()), expiresTime };
    },
    async callerOf(token) {
      const claims = scoped.read(token);
      if (!claims || claims.expiresTime <= clock.now()) return undefined;
      const row = await store.read((reader) => reader.one(sessionById, claims.sessionId));
      if (!row || row.revoked_time !== null || row.disabled) return undefined;
      return { accountId: row.account_id, mid: row.mid, sessionId: claims.sessionId };
    },
  };
}
