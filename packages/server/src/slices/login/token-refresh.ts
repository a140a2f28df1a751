// The tokenRefresh endpoint. It is not an RPC method, because its body is an object and not a list of arguments. Some
// clients read the token fields under `data`, others at the top level, so the answer has them in both places.
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

/** Returns the body as a token request. An invalid body gets the same error as an unknown token. */
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
