// tokenRefresh is not an RPC method: its body is an object. Its answer has the token fields under `data` and at the top
// level, because clients of both kinds exist.
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

/** Returns the body as a token request. Invalid bodies get the error of unknown tokens. */
const requireRefresh = bodyCheck(TokenRefreshRequest, 'AUTH_INVALID_REQUEST');

/** Returns the tokens that replace the refresh token in the body. */
export async function refreshRoute(sessions: Sessions, body: unknown): Promise<RefreshAnswer> {
  const { refreshToken } = requireRefresh(body);
  const data = await sessions.refresh(refreshToken).catch((error: unknown) => {
    if (error instanceof StoreUnavailable) throw new ApiError('AUTH_RETRY_REQUIRED');
    throw error;
  });
  return { code: 0, message: 'OK', data, ...data };
}
