// Finds the session that an access token belongs to: in memory if possible, otherwise in the store. Concurrent calls
// with one token share one read.
import { ApiError, accountDeleted } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import { tokenHash } from '../../platform/kernel/digest.ts';
import type { LiveSession, SessionLookup } from '../../platform/rpc/live-session.ts';
import type { Store } from '../../platform/store/store.ts';
import { findToken, isDeletedByMid, markUsed, seen, sessionById } from './queries.ts';
import type { SessionCache } from './session-cache.ts';
import type { Tokens } from './tokens.ts';

export interface LiveSessions extends SessionLookup {
  /** Removes an account's sessions from memory. Called if another server may have changed them. */
  forget(accountId: number): void;
  /** Removes one session from memory. */
  forgetSession(accountId: number, sessionId: number): void;
}

interface LiveSessionsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly tokens: Tokens;
  readonly cache: SessionCache;
}

/** A running read of a session. All concurrent calls with the token wait for its result. */
interface Flight {
  readonly promise: Promise<LiveSession>;
  /** True if sessions were removed from memory since the read began. The result may then be outdated. */
  outdated: boolean;
}

const SEEN_EVERY = 60 * 60_000;
const RELOADS = 5;

export function createLiveSessions(deps: LiveSessionsDeps): LiveSessions {
  const { cache } = deps;
  const flights = new Map<string, Flight>();

  function outdateFlights(): void {
    for (const flight of flights.values()) flight.outdated = true;
  }

  /**
   * Reads a session. If a revocation happened during the read, the result may be outdated, so the session is read
   * again.
   */
  async function fly(token: string, flight: Pick<Flight, 'outdated'>): Promise<LiveSession> {
    for (let attempt = 1; ; attempt++) {
      flight.outdated = false;
      const session = await readSession(deps, token);
      if (!flight.outdated) {
        cache.put(session);
        return session;
      }
      if (attempt === RELOADS) return session;
    }
  }

  return {
    cached: cache.get,
    load(token) {
      const under = flights.get(token);
      if (under) return under.promise;
      const flight = { outdated: false };
      const promise = fly(token, flight).finally(() => flights.delete(token));
      flights.set(token, Object.assign(flight, { promise }));
      return promise;
    },
    forget(accountId) {
      cache.dropAccount(accountId);
      outdateFlights();
    },
    forgetSession(accountId, sessionId) {
      cache.dropSession(accountId, sessionId);
      outdateFlights();
    },
  };
}

/** Returns the error for any token that this server did not issue. It tells nothing of what is wrong with the token. */
const unknownToken = (): ApiError =>
  new ApiError('REQUEST_NEED_LOGIN', 'the access token is not known here: renew it or log in');

async function readSession({ store, clock, tokens }: LiveSessionsDeps, token: string): Promise<LiveSession> {
  const claims = tokens.readAccess(token);
  if (!claims) throw unknownToken();
  const hash = tokenHash(token);
  const [row, session, deleted] = await store.read(async (reader) => {
    const found = await reader.one(findToken, hash);
    const under = found ?? (await reader.one(sessionById, Number(claims.lsid)));
    return [found, under, under ? undefined : await reader.one(isDeletedByMid, claims.aid)] as const;
  });
  if (deleted) throw new ApiError('SESSION_LOGGED_OUT', undefined, accountDeleted);
  if (!session || session.revoked_time !== null || session.disabled) throw new ApiError('SESSION_LOGGED_OUT');
  const now = clock.now();
  if (!row || row.expires_time <= now) throw new ApiError('MUST_REFRESH_V3_TOKEN');
  if (!row.used || row.last_seen_time < now - SEEN_EVERY) {
    await store.transact(async (tx) => {
      await tx.run(markUsed, hash);
      await tx.run(seen, now, row.session_id);
    });
  }
  const caller = { accountId: row.account_id, mid: row.mid, sessionId: row.session_id };
  return { token, caller, expiresTime: row.expires_time, keys: new Map() };
}
