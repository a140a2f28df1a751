// Channels: channel tokens, and the homes on the timeline that these tokens give access to.
import { ApiError, brandHeader, type MethodName } from '@sealpost/contract';
import type { Caller, Handlers } from '../../platform/rpc/call.ts';
import type { HttpCall, HttpHandlers } from '../../platform/rpc/http-requests.ts';
import type { Reader, Tx } from '../../platform/store/store.ts';
import type { Sessions } from '../sessions/index.ts';
import { type ChannelTokens, createChannelTokens } from './channel-tokens.ts';
import { createHomes, type HomeDeps } from './homes.ts';
import { coverOf, deleteHome } from './queries.ts';

export interface ChannelsDeps extends HomeDeps {
  readonly sessions: Pick<Sessions, 'tokensFor'>;
  readonly brand: string;
}

export interface Channels {
  readonly handlers: Handlers<Extract<MethodName, `ChannelService.${string}`>>;
  readonly httpHandlers: Pick<HttpHandlers, 'homeId' | 'getCover' | 'updateCover'>;
  /**
   * Returns the caller that a channel token belongs to. Object storage uses this function, because its paths under
   * `/r/myhome/` require a channel token.
   */
  readonly callerOf: ChannelTokens['callerOf'];
}

export function createChannels({ sessions, brand, ...homeDeps }: ChannelsDeps): Channels {
  const tokens = createChannelTokens(sessions);
  const homes = createHomes(homeDeps);
  const tokenHeader = brandHeader(brand, 'channelToken').toLowerCase();

  /**
   * Returns the caller that the channel token belongs to. Throws if the token is invalid, or if the token and the
   * session of the call belong to different accounts.
   */
  async function requireChannel(call: HttpCall): Promise<Caller> {
    const holder = await tokens.callerOf(call.header(tokenHeader));
    if (!holder || holder.accountId !== call.caller?.accountId) throw new ApiError('CHANNEL_AUTHENTICATION_FAILED');
    return holder;
  }

  return {
    callerOf: tokens.callerOf,
    handlers: {
      'ChannelService.issueChannelToken': ({ caller }, channelId) => tokens.issue(caller, channelId),
      'ChannelService.refreshChannelToken': ({ caller }, channelId, refreshToken) =>
        tokens.refresh(caller, channelId, refreshToken),
    },
    httpHandlers: {
      homeId: async (call) => homes.idOf(await requireChannel(call), call.query),
      getCover: async (call) => {
        await requireChannel(call);
        return homes.cover(call.query);
      },
      updateCover: async (call) => homes.update(await requireChannel(call), call.json()),
    },
  };
}

/** Removes the home of a deleted account. */
export const forgetHome = (tx: Tx, accountId: number): Promise<void> => tx.run(deleteHome, accountId);

/** Returns whether an object is the cover of its owner's home. Object storage uses this function. */
export async function isCover(reader: Reader, ownerId: number, oid: string): Promise<boolean> {
  return (await reader.one(coverOf, ownerId))?.cover_object_id === oid;
}
