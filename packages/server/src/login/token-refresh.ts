// tokenRefresh is no RPC method: its body is an object and its answer has the token fields twice, under `data` and at
// the top, because clients of both kinds exist.
import { ApiError } from '@sealpost/contract';
import type { TokenV3IssueResult } from '@sealpost/contract/schemas';
import type { Sessions } from '../sessions/index.ts';
import { StoreUnavailable } from '../store/store.ts';

export type RefreshAnswer = TokenV3IssueResult & {
  readonly code: 0;
  readonly message: 'OK';
  readonly data: TokenV3IssueResult;
};

const MAX_LENGTH = 4096;

/** Answers the successor of the refresh token in the body. */
export async function refreshRoute(sessions: Sessions, body: unknown): Promise<RefreshAnswer> {
  const data = await sessions.refresh(refreshTokenOf(body)).catch((error: unknown) => {
    if (error instanceof StoreUnavailable) throw new ApiError('AUTH_RETRY_REQUIRED');
    throw error;
  });
  return { code: 0, message: 'OK', data, ...data };
}

function refreshTokenOf(body: unknown): string {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ApiError('REQUEST_SCHEMA', 'the body must be an object with refreshToken');
  }
  const { refreshToken } = body as { refreshToken?: unknown };
  if (typeof refreshToken !== 'string') {
    throw new ApiError(
      refreshToken === undefined ? 'REQUEST_SCHEMA' : 'REQUEST_ARGUMENT_TYPE',
      'refreshToken must be a string',
    );
  }
  if (refreshToken.length > MAX_LENGTH) throw new ApiError('AUTH_INVALID_REQUEST');
  return refreshToken;
}
