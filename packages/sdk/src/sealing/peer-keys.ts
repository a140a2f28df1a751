// Public keys of other users. The key that was first seen under an id is stored for ever, and is used whatever the
// server says later.

import type { Clock } from '@sealpost/contract/ports';
import { fromBase64, toBase64 } from '@sealpost/crypto';
import type { BaseClient } from '../base-client.ts';
import { GatewayError } from '../gateway/errors.ts';
import type { OwnedKey } from '../key-log/key-log-witness.ts';
import type { PeerKey } from '../key-store/key-store.ts';
import { KeyTrustError } from '../trust/key-trust-error.ts';
import { type Expiring, expiringCache } from './expiring-cache.ts';

/**
 * The key for which messages to a user are sealed, as the server negotiated it; undefined if nothing can be sealed.
 * `types` are the content types that may be sealed.
 */
export type NegotiatedKey =
  | { readonly key: PeerKey; readonly types: readonly number[] }
  | { readonly key: undefined; readonly types: readonly number[] };

export interface PeerKeys {
  /** Returns the user's current key, with which messages are sealed. */
  negotiate(mid: string): Promise<NegotiatedKey>;
  /**
   * Returns a user's key by its id; undefined if the user never had such a key.
   * @throws KeyTrustError if the key must not be trusted
   */
  find(mid: string, keyId: number): Promise<PeerKey | undefined>;
  /**
   * Checks current keys from the server, and returns them in the same order.
   * @throws KeyTrustError if one of the keys must not be trusted
   */
  trusted(current: readonly OwnedKey[]): Promise<readonly PeerKey[]>;
  forget(mid: string): void;
  forgetAll(): void;
}

const ON_MS = 6 * 60 * 60_000;
const OFF_MS = 60 * 60_000;
/**
 * Milliseconds for which answers are cached. A key never changes, so it is cached for long. A missing key may be
 * registered at any moment, so its absence is cached only briefly.
 */
const FOUND_MS = 24 * 60 * 60_000;
const NOT_FOUND_MS = 60_000;
const KEY_VERSION = 1;

export function createPeerKeys(client: BaseClient, mid: string, clock: Clock): PeerKeys {
  const { keyStore: store, TalkService: talk, trust } = client;
  const negotiated = expiringCache<NegotiatedKey>(clock);
  const found = expiringCache<PeerKey | undefined>(clock, 10_000);

  async function remember({ mid: peer, key }: OwnedKey): Promise<PeerKey> {
    const { keyId, keyData } = key;
    const createdTime = Number(key.createdTime);
    const publicKey = fromBase64(keyData);
    const kept = await store.addPeerKey(mid, { mid: peer, keyId, publicKey, createdTime, seenTime: clock.now() });
    if (toBase64(kept.publicKey) === keyData) return kept;
    const values = `the server shows ${keyData} as key ${keyId} of ${peer}, it was ${toBase64(kept.publicKey)}`;
    throw new KeyTrustError('swapped', values, { mid: peer, keyId });
  }

  async function trusted(current: readonly OwnedKey[]): Promise<readonly PeerKey[]> {
    await trust.forSealing(current);
    return Promise.all(current.map(remember));
  }

  async function ask(peer: string): Promise<Expiring<NegotiatedKey>> {
    const { publicKey, specVersion, allowedTypes: types } = await talk.negotiateE2EEPublicKey(peer);
    if (!publicKey || publicKey.keyId === 0 || specVersion < 1)
      return { value: { key: undefined, types }, forMs: OFF_MS };
    const [key] = await trusted([{ mid: peer, key: publicKey }]);
    return { value: { key: key as PeerKey, types }, forMs: ON_MS };
  }

  async function lookUp(peer: string, keyId: number): Promise<Expiring<PeerKey | undefined>> {
    const kept = (await store.peerKeys(mid, peer)).find((key) => key.keyId === keyId);
    if (kept) return { value: kept, forMs: FOUND_MS };
    try {
      const record = await talk.getE2EEPublicKey(peer, KEY_VERSION, keyId);
      if (record.keyId !== keyId) return { value: undefined, forMs: NOT_FOUND_MS };
      await trust.forOpening([{ mid: peer, key: record }]);
      return { value: await remember({ mid: peer, key: record }), forMs: FOUND_MS };
    } catch (error) {
      if (error instanceof GatewayError && error.error === 'NOT_FOUND')
        return { value: undefined, forMs: NOT_FOUND_MS };
      throw error;
    }
  }

  return {
    negotiate: (peer) => negotiated.get(peer, () => ask(peer)),
    find: (peer, keyId) => found.get(`${peer} ${keyId}`, () => lookUp(peer, keyId)),
    trusted,
    forget: (peer) => negotiated.forget(peer),
    forgetAll() {
      negotiated.forgetAll();
      found.forgetAll();
    },
  };
}
