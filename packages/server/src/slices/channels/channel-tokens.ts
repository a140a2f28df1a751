// Issues and checks channel tokens, with which a session may use a channel. The only channel is the timeline.
import { ApiError, type ChannelToken, limits, timelineChannel } from '@sealpost/contract';
import type { Caller } from '../../platform/rpc/call.ts';
import type { Sessions } from '../sessions/index.ts';

export interface ChannelTokens {
  /**
   * Returns a new token for the caller's session.
   * @throws CHANNEL_ILLEGAL_ARGUMENT for an unknown channel
   */
  issue(caller: Caller, channelId: string): ChannelToken;
  /**
   * Returns a new token for the caller's session, if the refresh token belongs to that session.
   * @throws CHANNEL_ILLEGAL_ARGUMENT for an unknown channel; CHANNEL_AUTHENTICATION_FAILED if the refresh token has
   * expired or belongs to another session
   */
  refresh(caller: Caller, channelId: string, refreshToken: string): Promise<ChannelToken>;
  /**
   * Returns the caller that a token belongs to; undefined if the token is missing, invalid or expired, or the session
   * has ended.
   */
  callerOf(token: string | undefined): Promise<Caller | undefined>;
}

const REFRESH_MS = 30 * 86_400_000;

export function createChannelTokens(sessions: Pick<Sessions, 'tokensFor'>): ChannelTokens {
  const access = sessions.tokensFor(`channel ${timelineChannel}`, limits.channelTokenMs.value);
  const renewal = sessions.tokensFor(`refresh of channel ${timelineChannel}`, REFRESH_MS);

  function issue(caller: Caller, channelId: string): ChannelToken {
    if (channelId !== timelineChannel) {
      throw new ApiError(
        'CHANNEL_ILLEGAL_ARGUMENT',
        `channelId ${JSON.stringify(channelId)} is not ${timelineChannel}`,
      );
    }
    const { token, expiresTime } = access.issue(caller);
    return {
      token,
      channelAccessToken: token,
      expiration: String(Math.floor(expiresTime / 1000)),
      refreshToken: renewal.issue(caller).token,
    };
  }

  return {
    issue,
    async refresh(caller, channelId, refreshToken) {
      const token = issue(caller, channelId);
      const holder = await renewal.callerOf(refreshToken);
      if (holder?.sessionId !== caller.sessionId) {
        throw new ApiError(
          'CHANNEL_AUTHENTICATION_FAILED',
          'refreshToken does not belong to this session, or has expired',
        );
      }
      return token;
    },
    callerOf: async (token) => (token ? access.callerOf(token) : undefined),
  };
}
