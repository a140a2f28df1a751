// Live sessions in memory by access token, so that a call finds its session with one lookup in a map.

import type { Clock } from '@sealpost/contract/ports';
import { growingCache } from '../../platform/kernel/growing-cache.ts';
import type { LiveSession } from '../../platform/rpc/live-session.ts';

interface Entry {
  session: LiveSession;
  /** Time on the monotonic clock after which the session must be read from the store again. */
  readonly freshUntil: number;
}

export interface SessionCache {
  get(token: string): LiveSession | undefined;
  put(session: LiveSession): void;
  dropAccount(accountId: number): void;
  dropSession(accountId: number, sessionId: number): void;
}

export function createSessionCache(clock: Clock, max: number, freshMs: number): SessionCache {
  const byAccount = new Map<number, Set<string>>();
  const entries = growingCache<string, Entry>(max, ({ session }, token) => {
    const tokens = byAccount.get(session.caller.accountId);
    if (tokens?.delete(token) && tokens.size === 0) byAccount.delete(session.caller.accountId);
  });

  return {
    get(token) {
      const entry = entries.get(token);
      if (!entry) return undefined;
      if (entry.session.expiresTime > clock.now() && entry.freshUntil > clock.monotonic()) return entry.session;
      entries.delete(token);
      return undefined;
    },
    put(session) {
      const { accountId } = session.caller;
      entries.set(session.token, { session, freshUntil: clock.monotonic() + freshMs });
      const tokens = byAccount.get(accountId);
      if (tokens) tokens.add(session.token);
      else byAccount.set(accountId, new Set([session.token]));
    },
    dropAccount(accountId) {
      for (const token of [...(byAccount.get(accountId) ?? [])]) entries.delete(token);
    },
    dropSession(accountId, sessionId) {
      for (const token of [...(byAccount.get(accountId) ?? [])]) {
        if (entries.peek(token)?.session.caller.sessionId === sessionId) entries.delete(token);
      }
    },
  };
}
