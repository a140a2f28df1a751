// Rotation of refresh tokens. Each refresh token has one successor. A client that lost the answer may send the old
// token again and gets the same successor. That works until the new access token is used or the replay window ends.
// After that, a use of the old token means that somebody stole it, so the session ends.
import { ApiError } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import type { TokenV3IssueResult } from '@sealpost/contract/schemas';
import { tokenHash } from '../../platform/kernel/digest.ts';
import { NotedError } from '../../platform/kernel/security-events.ts';
import type { Store, Tx } from '../../platform/store/store.ts';
import {
  dropExpiredTokens,
  type FamilyRow,
  insertToken,
  lockFamily,
  rotate,
  sessionById,
  shortenTokens,
  tokenOfGeneration,
} from './queries.ts';
import type { SessionOptions } from './session-options.ts';
import type { Tokens } from './tokens.ts';

interface SessionIdentity {
  readonly id: number;
  readonly accountId: number;
  readonly mid: string;
}

interface RotationDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly tokens: Tokens;
  readonly options: SessionOptions;
  revokeIn(tx: Tx, sessionIds: readonly number[], reason: string): Promise<void>;
  /** Called after each rotation, because a rotation shortens the life of the session's older access tokens. */
  rotated(accountId: number, sessionId: number): void;
}

const RETRY_POLICY = {
  initialDelayInMillis: '1000',
  maxDelayInMillis: '60000',
  multiplier: 2,
  jitterRate: 0.3,
};

export interface Rotation {
  issue(tx: Tx, session: SessionIdentity, generation: number, now: number): Promise<TokenV3IssueResult>;
  refresh(refreshToken: string): Promise<TokenV3IssueResult>;
}

export function createRotation({ store, clock, tokens, options, revokeIn, rotated }: RotationDeps): Rotation {
  const issue: Rotation['issue'] = (tx, session, generation, now) =>
    issueTokens(tx, { tokens, options }, session, generation, now);

  async function succeed(
    tx: Tx,
    session: SessionIdentity,
    family: FamilyRow,
    now: number,
  ): Promise<TokenV3IssueResult | undefined> {
    const next = await tx.one(rotate, now, now + options.idleMs, session.id, family.generation);
    if (!next) return undefined;
    const graceEnd = now + options.graceMs;
    await tx.run(dropExpiredTokens, session.id, now);
    await tx.run(shortenTokens, graceEnd, session.id, next.generation, graceEnd);
    tx.onCommit(() => rotated(session.accountId, session.id));
    return issue(tx, session, next.generation, now);
  }

  /**
   * Returns the successor of a used refresh token again. Returns undefined if the new access token has been used, or if
   * the replay window has ended.
   */
  async function repeat(
    tx: Tx,
    session: SessionIdentity,
    family: FamilyRow,
    now: number,
  ): Promise<TokenV3IssueResult | undefined> {
    if (now >= family.rotated_time + options.replayMs) return undefined;
    const token = await tx.one(tokenOfGeneration, session.id, family.generation);
    if (!token || token.used) return undefined;
    return resultOf({ tokens, options }, session, family.generation, token.issued_time, token.expires_time);
  }

  async function refreshIn(
    tx: Tx,
    sessionId: number,
    generation: number,
  ): Promise<TokenV3IssueResult | 'revoked' | undefined> {
    const now = clock.now();
    const family = await tx.one(lockFamily, sessionId);
    const row = await tx.one(sessionById, sessionId);
    if (!family || !row || row.revoked_time !== null || row.disabled || family.expires_time <= now) return undefined;
    const session = { id: sessionId, accountId: row.account_id, mid: row.mid };
    const result =
      generation === family.generation
        ? await succeed(tx, session, family, now)
        : generation === family.generation - 1
          ? await repeat(tx, session, family, now)
          : undefined;
    if (result) return result;
    await revokeIn(tx, [sessionId], 'refresh token used again');
    return 'revoked';
  }

  return {
    issue,
    async refresh(refreshToken) {
      const claims = tokens.readRefresh(refreshToken);
      // The transaction may have ended the session and must commit, so it returns a refusal instead of throwing one.
      const result = claims && (await store.transact((tx) => refreshIn(tx, claims.sessionId, claims.generation)));
      if (result === 'revoked') throw new NotedError('revoked-family', 'AUTH_INVALID_REQUEST');
      if (!result) throw new ApiError('AUTH_INVALID_REQUEST');
      return result;
    },
  };
}

type TokenMaking = Pick<RotationDeps, 'tokens' | 'options'>;

async function issueTokens(
  tx: Tx,
  making: TokenMaking,
  session: SessionIdentity,
  generation: number,
  now: number,
): Promise<TokenV3IssueResult> {
  // Times are rounded to whole seconds, because the token's claims contain seconds.
  const issued = Math.floor(now / 1000) * 1000;
  const expires = issued + making.options.accessTokenMs;
  const result = resultOf(making, session, generation, issued, expires);
  await tx.run(insertToken, tokenHash(result.accessToken), session.id, session.accountId, generation, issued, expires);
  return result;
}

function resultOf(
  { tokens, options }: TokenMaking,
  session: SessionIdentity,
  generation: number,
  issued: number,
  expires: number,
): TokenV3IssueResult {
  return {
    accessToken: tokens.access(session, generation, issued, expires),
    refreshToken: tokens.refresh(session.id, generation),
    durationUntilRefreshInSec: String(Math.floor(options.refreshDueMs / 1000)),
    refreshApiRetryPolicy: RETRY_POLICY,
    loginSessionId: String(session.id),
    tokenIssueTimeEpochSec: String(issued / 1000),
  };
}
