// Sessions: the logged-in devices of accounts, and their tokens.
import { ApiError, limits } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import type { TokenV3IssueResult } from '@sealpost/contract/schemas';
import { tokenHash } from '../../platform/kernel/digest.ts';
import type { Ids } from '../../platform/kernel/ids.ts';
import type { Caller } from '../../platform/rpc/call.ts';
import type { LiveSession, SessionLookup } from '../../platform/rpc/live-session.ts';
import type { Reader, Store, Tx } from '../../platform/store/store.ts';
import { sessionView, type TellDevices } from './device-news.ts';
import {
  deleteCertificatesOf,
  deleteFamilies,
  deleteFamiliesOf,
  deleteSessions,
  deleteSessionsOf,
  deleteTokens,
  deleteTokensOf,
  endedSessions,
  findToken,
  insertFamily,
  insertSession,
  liveSessions,
  markUsed,
  renameSession,
  revokeSession,
  revokeSessionsOf,
  type SessionRow,
  seen,
  sessionById,
  sessionRowById,
  sessionsOver,
} from './queries.ts';
import { createRotation } from './rotation.ts';
import type { ServerSecret } from './server-secret.ts';
import { createSessionCache } from './session-cache.ts';
import type { SessionOptions } from './session-options.ts';
import { createTokens } from './tokens.ts';

export interface NewSession {
  readonly accountId: number;
  readonly mid: string;
  readonly systemName: string;
  readonly modelName: string;
  readonly clientType: string;
  readonly remoteAddress: string;
}

export interface SessionTokens {
  issue(caller: Caller): { readonly token: string; readonly expiresTime: number };
  /**
   * Returns the caller that a token belongs to. Undefined if the token is invalid or expired, or if the session has
   * ended.
   */
  callerOf(token: string): Promise<Caller | undefined>;
}

export type RevokeListener = (accountId: number, sessionId: number, reason: string) => void;

export interface Sessions extends SessionLookup {
  open(tx: Tx, session: NewSession): Promise<{ sessionId: number; tokens: TokenV3IssueResult }>;
  /** Returns new tokens for a refresh token. Throws AUTH_INVALID_REQUEST if the refresh token is no longer valid. */
  refresh(refreshToken: string): Promise<TokenV3IssueResult>;
  revoke(sessionIds: readonly number[], reason: string): Promise<void>;
  revokeIn(tx: Tx, sessionIds: readonly number[], reason: string): Promise<void>;
  /** Ends all sessions of an account except the given one. */
  revokeAll(accountId: number, reason: string, exceptSessionId?: number): Promise<void>;
  endAll(tx: Tx, accountId: number, reason: string, exceptSessionId?: number): Promise<void>;
  /** Returns the sessions of an account that have not ended, oldest first. */
  list(reader: Reader, accountId: number): Promise<SessionRow[]>;
  /** Returns those of the given sessions that have ended. */
  ended(reader: Reader, sessionIds: readonly number[]): Promise<number[]>;
  /** Gives a live session a name; returns false if the account has no such session. */
  rename(tx: Tx, accountId: number, sessionId: number, name: string): Promise<boolean>;
  /** Removes an account's sessions from memory. Called if another server may have changed them. */
  forget(accountId: number): void;
  /** Registers a listener that is called after every revocation by this server has been committed. */
  onRevoked(listener: RevokeListener): void;
  /** Life of an access token in seconds, for cookies. */
  readonly accessTokenSec: number;
  /** Returns a short-lived token for object storage, and its life in seconds. */
  objectToken(caller: Caller): { token: string; lifeSec: number };
  /** Returns the caller that an object-storage token belongs to; undefined if the token or its session has ended. */
  readObjectToken(token: string): Promise<Caller | undefined>;
  /** Returns functions for the tokens of one purpose. Such a token becomes invalid when its session ends. */
  tokensFor(purpose: string, lifeMs: number): SessionTokens;
  forgetDevices(tx: Tx, accountId: number): Promise<void>;
  /**
   * Deletes a batch of sessions that ended before a time in milliseconds, and returns how many it deleted. The upkeep
   * calls this method regularly.
   */
  sweep(before: number): Promise<number>;
  /** Deletes all data of an account's sessions. */
  purge(tx: Tx, accountId: number): Promise<void>;
}

export interface SessionsDeps {
  readonly store: Store;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly secret: ServerSecret;
  /** Options that replace the defaults. */
  readonly options: Partial<SessionOptions>;
  /** Notifies an account's remaining sessions of those that ended. */
  readonly tellDevices: TellDevices;
}

/** The reason of a logout by the session's own device. The other sessions are not notified of a logout. */
export const LOGGED_OUT = 'logged out';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SEEN_EVERY = HOUR;
const RELOADS = 5;
const SWEPT_AT_ONCE = 500;

const defaults: SessionOptions = {
  accessTokenMs: limits.accessTokenMs.value,
  refreshDueMs: limits.renewalDueMs.value,
  graceMs: 5 * MINUTE,
  replayMs: MINUTE,
  idleMs: 365 * DAY,
  believeMs: 5_000,
  maxCached: 100_000,
  objectTokenMs: HOUR,
};

export function createSessions({ store, ids, clock, secret, options: given, tellDevices }: SessionsDeps): Sessions {
  const options = { ...defaults, ...given };
  const tokens = createTokens(secret);
  // A SQLite database has one server. This server knows of every change, so cached sessions need never be read again.
  const cache = createSessionCache(clock, options.maxCached, store.kind === 'sqlite' ? Infinity : options.believeMs);
  const flights = new Map<string, { promise: Promise<LiveSession>; forgotten: boolean }>();
  const listeners: RevokeListener[] = [];
  const rotation = createRotation({ store, clock, tokens, options, revokeIn, rotated: dropSession });

  function forget(accountId: number): void {
    cache.dropAccount(accountId);
    for (const flight of flights.values()) flight.forgotten = true;
  }

  function dropSession(accountId: number, sessionId: number): void {
    cache.dropSession(accountId, sessionId);
    for (const flight of flights.values()) flight.forgotten = true;
  }

  function announce(accountId: number, sessionId: number, reason: string): void {
    dropSession(accountId, sessionId);
    for (const listener of listeners) listener(accountId, sessionId, reason);
  }

  async function revokeIn(tx: Tx, sessionIds: readonly number[], reason: string): Promise<void> {
    for (const sessionId of sessionIds) {
      const row = await tx.one(revokeSession, clock.now(), reason, sessionId);
      if (!row) continue;
      tx.onCommit(() => announce(row.account_id, sessionId, reason));
      await tell(tx, row.account_id, [sessionId], reason);
    }
  }

  async function tell(tx: Tx, accountId: number, sessionIds: readonly number[], reason: string): Promise<void> {
    if (reason === LOGGED_OUT) return;
    if ((await tx.all(liveSessions, accountId, clock.now())).length === 0) return;
    for (const sessionId of sessionIds) {
      const row = await tx.one(sessionRowById, sessionId);
      if (row) await tellDevices(tx, accountId, 'revoked', String(sessionId), sessionView(row));
    }
  }

  async function endAll(tx: Tx, accountId: number, reason: string, exceptSessionId = 0): Promise<void> {
    const rows = await tx.all(revokeSessionsOf, clock.now(), reason, accountId, exceptSessionId);
    tx.onCommit(() => {
      for (const { id } of rows) announce(accountId, id, reason);
    });
    const ended = rows.map(({ id }) => id);
    await tell(tx, accountId, ended, reason);
  }

  async function readSession(token: string): Promise<LiveSession> {
    const claims = tokens.readAccess(token);
    if (!claims) throw new ApiError('REQUEST_NEED_LOGIN');
    const hash = tokenHash(token);
    const [row, session] = await store.read(async (reader) => {
      const found = await reader.one(findToken, hash);
      return [found, found ?? (await reader.one(sessionById, Number(claims.lsid)))] as const;
    });
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

  /**
   * Reads a session. If a revocation happened during the read, the result may be outdated, so the session is read
   * again.
   */
  async function fly(token: string, flight: { forgotten: boolean }): Promise<LiveSession> {
    for (let attempt = 1; ; attempt++) {
      flight.forgotten = false;
      const session = await readSession(token);
      if (!flight.forgotten) {
        cache.put(session);
        return session;
      }
      if (attempt === RELOADS) return session;
    }
  }

  function tokensFor(purpose: string, lifeMs: number): SessionTokens {
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
  const objectTokens = tokensFor('object token', options.objectTokenMs);

  return {
    cached: cache.get,
    load(token) {
      const under = flights.get(token);
      if (under) return under.promise;
      const flight = { forgotten: false };
      const promise = fly(token, flight).finally(() => flights.delete(token));
      flights.set(token, Object.assign(flight, { promise }));
      return promise;
    },
    async open(tx, { accountId, mid, systemName, modelName, clientType, remoteAddress }) {
      const sessionId = ids.next();
      const now = clock.now();
      await tx.run(insertSession, sessionId, accountId, systemName, modelName, clientType, remoteAddress, now, now);
      await tx.run(insertFamily, sessionId, accountId, 1, now, now + options.idleMs);
      return { sessionId, tokens: await rotation.issue(tx, { id: sessionId, accountId, mid }, 1, now) };
    },
    refresh: rotation.refresh,
    revoke: (sessionIds, reason) => store.transact((tx) => revokeIn(tx, sessionIds, reason)),
    revokeIn,
    revokeAll: (accountId, reason, except) => store.transact((tx) => endAll(tx, accountId, reason, except)),
    endAll,
    async rename(tx, accountId, sessionId, name) {
      return (await tx.one(renameSession, name, sessionId, accountId)) !== undefined;
    },
    list: (reader, accountId) => reader.all(liveSessions, accountId, clock.now()),
    async ended(reader, sessionIds) {
      const rows = await reader.each(
        endedSessions,
        sessionIds.map((id) => [id]),
      );
      return rows.map(({ id }) => id);
    },
    forget,
    accessTokenSec: Math.floor(options.accessTokenMs / 1000),
    onRevoked: (listener) => {
      listeners.push(listener);
    },
    objectToken: (caller) => ({
      token: objectTokens.issue(caller).token,
      lifeSec: Math.floor(options.objectTokenMs / 1000),
    }),
    readObjectToken: objectTokens.callerOf,
    tokensFor,
    forgetDevices: (tx, accountId) => tx.run(deleteCertificatesOf, accountId),
    sweep: (before) =>
      store.transact(async (tx) => {
        const over = (await tx.all(sessionsOver, before, before, SWEPT_AT_ONCE)).map(({ id }) => [id]);
        await tx.each(deleteTokens, over);
        await tx.each(deleteFamilies, over);
        await tx.each(deleteSessions, over);
        return over.length;
      }),
    async purge(tx, accountId) {
      await tx.run(deleteTokensOf, accountId);
      await tx.run(deleteFamiliesOf, accountId);
      await tx.run(deleteSessionsOf, accountId);
      await tx.run(deleteCertificatesOf, accountId);
    },
  };
}
