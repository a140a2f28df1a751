// Tokens for channels, of which the timeline is the only one. A token is kept until shortly before it expires.
import { type ChannelToken, timelineChannel } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import type { Gateway } from './gateway/calls.ts';
import { GatewayError } from './gateway/errors.ts';

export type Channels = Pick<ChannelTokens, keyof ChannelTokens>;

interface Known {
  /** The login that the token belongs to. */
  readonly session: string | undefined;
  readonly token: Promise<ChannelToken>;
}

/** A token is renewed this many milliseconds before it expires, so that it does not expire during a request. */
const MARGIN_MS = 60_000;

export class ChannelTokens {
  readonly #gateway: Gateway;
  readonly #clock: Clock;
  readonly #known = new Map<string, Known>();

  constructor(gateway: Gateway, clock: Clock) {
    this.#gateway = gateway;
    this.#clock = clock;
  }

  /**
   * Returns a token for a channel, by default the timeline: the current token, or a new one if the current token has
   * nearly expired.
   */
  async token(channelId: string = timelineChannel): Promise<string> {
    const session = this.#gateway.session.current?.tokens.loginSessionId;
    const known = this.#known.get(channelId);
    const kept = known?.session === session ? await known?.token.catch(() => undefined) : undefined;
    if (kept && Number(kept.expiration) * 1000 - MARGIN_MS > this.#clock.now()) return kept.token;
    // Another call may have begun to renew the token while this one waited for it.
    const now = this.#known.get(channelId);
    const renewed = now && now !== known ? now.token : this.#ask(channelId, session, kept);
    return (await renewed).token;
  }

  /**
   * Makes a request with a token for the timeline. If the token is refused, makes the request again with a new one.
   * @param request gets the token
   */
  async withToken<T>(request: (token: string) => Promise<T>): Promise<T> {
    const token = await this.token();
    try {
      return await request(token);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.#known.delete(timelineChannel);
      return request(await this.token());
    }
  }

  #ask(channelId: string, session: string | undefined, expired: ChannelToken | undefined): Promise<ChannelToken> {
    const token = expired ? this.#renew(channelId, expired) : this.#issue(channelId);
    this.#known.set(channelId, { session, token });
    return token;
  }

  #issue(channelId: string): Promise<ChannelToken> {
    return this.#gateway.call('ChannelService.issueChannelToken', channelId);
  }

  /** Renews a token. If the server refuses, for example because the refresh token has expired, asks for a new one. */
  async #renew(channelId: string, { refreshToken }: ChannelToken): Promise<ChannelToken> {
    try {
      return await this.#gateway.call('ChannelService.refreshChannelToken', channelId, refreshToken);
    } catch (error) {
      if (!(error instanceof GatewayError) || error.retry || error.endsSession) throw error;
      return this.#issue(channelId);
    }
  }
}

/** Returns whether a request was refused because of its channel token: by the timeline, or by object storage. */
const isRefusal = (error: unknown): boolean =>
  error instanceof GatewayError &&
  (error.error === 'CHANNEL_AUTHENTICATION_FAILED' || error.error === 'REQUEST_NEED_LOGIN');
