// Web Push: tells the server where to send push messages for the browser of this session.
import type { PushSubscription } from '@sealpost/contract';
import type { RpcClient } from './rpc-client.ts';

export class Push {
  readonly #rpc: RpcClient;

  constructor(rpc: RpcClient) {
    this.#rpc = rpc;
  }

  /** Returns the server's public key for push messages, in base64url: the `applicationServerKey` of browsers. */
  async key(): Promise<string> {
    return (await this.#rpc.PushService.getPushKey()).publicKey;
  }

  /**
   * Subscribes the browser of this session, in place of an earlier subscription. The subscription ends with the
   * session.
   */
  async subscribe(subscription: PushSubscription): Promise<void> {
    await this.#rpc.PushService.subscribe(subscription);
  }

  /** Ends the push messages to this session. */
  async unsubscribe(): Promise<void> {
    await this.#rpc.PushService.unsubscribe();
  }
}
