// tokenRefresh is no RPC method: its body is an object and its answer has the token fields twice, under `data` and at
// the top, because clients of both kinds exist.
import { ApiError } from '@sealpost/contract';
import { TokenRefreshRequest, type TokenV3IssueResult } from '@sealpost/contract/schemas';
import { bodyCheck } from '../../platform/rpc/validate.ts';
import { StoreUnavailable } from '../../platform/store/store.ts';
import type { Sessions } from '../sessions/index.ts';

export type RefreshAnswer = TokenV3IssueResult & {
  readonly code: 0;
  readonly message: 'OK';
  readonly data: TokenV3IssueResult;
};

/** A text that can be no refresh token is one that is not known. */
const requireRefresh = bodyCheck(TokenRefreshRequest, 'AUTH_INVALID_REQUEST');

/** Answers the successor of the refresh token in the body. */
export async function refreshRoute(sessions: Sessions, body: unknown): Promise<RefreshAnswer> {
  const { refreshToken } = requireRefresh(body);
  const data = await sessions.refresh(refreshToken).catch((error: unknown) => {
    if (error instanceof StoreUnavailable) throw new ApiError('AUTH_RETRY_REQUIRED');
    throw error;
  });
  return { code: 0, message: 'OK', data, ...data };
}
