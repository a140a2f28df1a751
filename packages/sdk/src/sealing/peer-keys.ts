// Public keys of others. What was first seen under an id is kept for ever and counts, whatever the server says later.

import type { Clock } from '@sealpost/contract/ports';
import { fromBase64, toBase64 } from '@sealpost/crypto';
import type { BaseClient } from '../base-client.ts';
import { GatewayError } from '../gateway/errors.ts';
import type { OwnedKey } from '../key-log/key-log-witness.ts';
import type { PeerKey } from '../key-store/key-store.ts';
import { KeyTrustError } from '../trust/key-trust-error.ts';
import { expiringCache, type Kept } from './expiring-cache.ts';

/** What to seal for, as negotiated; `types` are the content types that may be sealed. */
export type Negotiated =
  | { readonly key: PeerKey; readonly types: readonly number[] }
  | { readonly key: undefined; readonly types: readonly number[] };

export interface PeerKeys {
  /** The key to seal for now. */
  negotiate(mid: string): Promise<Negotiated>;
  /**
   * A key of a user by its id; undefined if they never had such a key.
   * @throws KeyTrustError if it is not to be trusted
   */
  find(mid: string, keyId: number): Promise<PeerKey | undefined>;
  /**
   * Current keys as the server names them, in the same order.
   * @throws KeyTrustError if one of them is not to be trusted: nothing is sealed for it
   */
  trusted(current: readonly OwnedKey[]): Promise<readonly PeerKey[]>;
  forget(mid: string): void;
  forgetAll(): void;
}

const ON_MS = 6 * 60 * 60_000;
const OFF_MS = 60 * 60_000;
/** Keys never change, but one that is not there may come. */
const FOUND_MS = 24 * 60 * 60_000;
const NOT_FOUND_MS = 60_000;
const KEY_VERSION = 1;

export function createPeerKeys(client: BaseClient, mid: string, clock: Clock): PeerKeys {
  const { keyStore: store, TalkService: talk, trust } = client;
  const negotiated = expiringCache<Negotiated>(clock);
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

  async function ask(peer: string): Promise<Kept<Negotiated>> {
    const { publicKey, specVersion, allowedTypes: types } = await talk.negotiateE2EEPublicKey(peer);
    if (!publicKey || publicKey.keyId === 0 || specVersion < 1)
      return { value: { key: undefined, types }, forMs: OFF_MS };
    const [key] = await trusted([{ mid: peer, key: publicKey }]);
    return { value: { key: key as PeerKey, types }, forMs: ON_MS };
  }

  async function lookUp(peer: string, keyId: number): Promise<Kept<PeerKey | undefined>> {
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
    forgetAll: () => negotiated.forgetAll(),
  };
}
