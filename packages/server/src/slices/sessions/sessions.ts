// Sessions: the logged-in devices of accounts, and their tokens.
import { limits } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import type { TokenV3IssueResult } from '@sealpost/contract/schemas';
import type { Ids } from '../../platform/kernel/ids.ts';
import type { Caller } from '../../platform/rpc/call.ts';
import type { Reader, Store, Tx } from '../../platform/store/store.ts';
import type { TellDevices } from './device-news.ts';
import { createLiveSessions, type LiveSessions } from './live-sessions.ts';
import {
  deleteCertificatesOf,
  deleteFamilies,
  deleteFamiliesOf,
  deleteSessions,
  deleteSessionsOf,
  deleteTokens,
  deleteTokensOf,
  endedSessions,
  expiredBefore,
  insertFamily,
  insertSession,
  isDeleted,
  liveSessions,
  renameSession,
  revokedBefore,
  type SessionRow,
} from './queries.ts';
import { createRevocations, type Revocations } from './revocations.ts';
import { createRotation } from './rotation.ts';
import type { ServerSecret } from './server-secret.ts';
import { createSessionCache } from './session-cache.ts';
import type { SessionOptions } from './session-options.ts';
import { createSessionTokens, type SessionTokens } from './session-tokens.ts';
import { createTokens } from './tokens.ts';

export interface NewSession {
  readonly accountId: number;
  readonly mid: string;
  readonly systemName: string;
  readonly modelName: string;
  readonly clientType: string;
  readonly remoteAddress: string;
}

export interface Sessions extends Omit<LiveSessions, 'forgetSession'>, Revocations {
  open(tx: Tx, session: NewSession): Promise<{ sessionId: number; tokens: TokenV3IssueResult }>;
  /** Returns new tokens for a refresh token. Throws AUTH_INVALID_REQUEST if the refresh token is no longer valid. */
  refresh(refreshToken: string): Promise<TokenV3IssueResult>;
  /** Returns the sessions of an account that have not ended, oldest first. */
  list(reader: Reader, accountId: number): Promise<SessionRow[]>;
  /** Returns those of the given sessions that have ended. */
  ended(reader: Reader, sessionIds: readonly number[]): Promise<number[]>;
  /** Returns whether an account was deleted, and its sessions with it. */
  areDeleted(reader: Reader, accountId: number): Promise<boolean>;
  /** Gives a live session a name; returns false if the account has no such session. */
  rename(tx: Tx, accountId: number, sessionId: number, name: string): Promise<boolean>;
  /** Life of an access token in seconds, for cookies. */
  readonly accessTokenSec: number;
  /** Returns a short-lived token for object storage, and its life in seconds. */
  objectToken(caller: Caller): { token: string; lifeSec: number };
  /**
   * Returns the caller that an object-storage token belongs to; undefined if the token has expired or its session has
   * ended.
   */
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

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
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

export function createSessions(deps: SessionsDeps): Sessions {
  const { store, ids, clock } = deps;
  const options = { ...defaults, ...deps.options };
  const tokens = createTokens(deps.secret);
  // A SQLite database has one server. This server knows of every change, so cached sessions need never be read again.
  const cache = createSessionCache(clock, options.maxCached, store.kind === 'sqlite' ? Infinity : options.believeMs);
  const { cached, load, forget, forgetSession } = createLiveSessions({ store, clock, tokens, cache });
  const revocations = createRevocations({ ...deps, forgetSession });
  const { revokeIn } = revocations;
  const rotation = createRotation({ store, clock, tokens, options, revokeIn, rotated: forgetSession });
  const tokensFor = (purpose: string, lifeMs: number) =>
    createSessionTokens({ store, clock, ids, tokens }, purpose, lifeMs);
  const objectTokens = tokensFor('object token', options.objectTokenMs);

  return {
    cached,
    load,
    forget,
    ...revocations,
    async open(tx, { accountId, mid, systemName, modelName, clientType, remoteAddress }) {
      const sessionId = ids.next();
      const now = clock.now();
      await tx.run(insertSession, sessionId, accountId, systemName, modelName, clientType, remoteAddress, now, now);
      await tx.run(insertFamily, sessionId, accountId, 1, now, now + options.idleMs);
      return { sessionId, tokens: await rotation.issue(tx, { id: sessionId, accountId, mid }, 1, now) };
    },
    refresh: rotation.refresh,
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
    areDeleted: async (reader, accountId) => (await reader.one(isDeleted, accountId)) !== undefined,
    accessTokenSec: Math.floor(options.accessTokenMs / 1000),
    objectToken: (caller) => ({
      token: objectTokens.issue(caller).token,
      lifeSec: Math.floor(options.objectTokenMs / 1000),
    }),
    readObjectToken: objectTokens.callerOf,
    tokensFor,
    forgetDevices: (tx, accountId) => tx.run(deleteCertificatesOf, accountId),
    sweep: (before) => store.transact((tx) => sweep(tx, before)),
    purge,
  };
}

/** Removes sessions that were revoked or that expired before a time. Returns their number. */
async function sweep(tx: Tx, before: number): Promise<number> {
  let count = 0;
  for (const ended of [revokedBefore, expiredBefore]) {
    const over = (await tx.all(ended, before, SWEPT_AT_ONCE)).map(({ id }) => [id]);
    await tx.each(deleteTokens, over);
    await tx.each(deleteFamilies, over);
    await tx.each(deleteSessions, over);
    count += over.length;
  }
  return count;
}

async function purge(tx: Tx, accountId: number): Promise<void> {
  await tx.run(deleteTokensOf, accountId);
  await tx.run(deleteFamiliesOf, accountId);
  await tx.run(deleteSessionsOf, accountId);
  await tx.run(deleteCertificatesOf, accountId);
}
