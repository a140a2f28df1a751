// Public keys of others. What was first seen under an id is kept for ever and counts, whatever the server says later.
import type { E2EEPublicKey } from '@sealpost/contract';
import { fromBase64, toBase64 } from '@sealpost/crypto';
import type { Client } from '../client.ts';
import { GatewayError } from '../errors.ts';
import type { PeerKey } from '../key-store/key-store.ts';
import type { Clock } from '../ports.ts';
import { expiringCache, type Kept } from './expiring-cache.ts';
import { SealingError } from './reasons.ts';

/** Somebody whose key was known has another one: a new device without the old keys, or somebody in its place. */
export interface KeyChange {
  readonly mid: string;
  readonly key: PeerKey;
  /** Keys that this device had seen of them before, the oldest first. */
  readonly earlier: readonly PeerKey[];
}

/** What to seal for, as negotiated; `types` are the content types that may be sealed. */
export type Negotiated =
  | { readonly key: PeerKey; readonly types: readonly number[] }
  | { readonly key: undefined; readonly types: readonly number[] };

export interface PeerKeys {
  /** The key to seal for now. */
  negotiate(mid: string): Promise<Negotiated>;
  /** A key of a user by its id; undefined if they never had such a key. */
  find(mid: string, keyId: number): Promise<PeerKey | undefined>;
  /** A key that the server named as the current one. @throws SealingError if it named another one under that id before */
  seen(mid: string, record: E2EEPublicKey): Promise<PeerKey>;
  forget(mid: string): void;
  forgetAll(): void;
}

const ON_MS = 6 * 60 * 60_000;
const OFF_MS = 60 * 60_000;
/** Keys never change, but one that is not there may come. */
const FOUND_MS = 24 * 60 * 60_000;
const NOT_FOUND_MS = 60_000;
const KEY_VERSION = 1;

export function createPeerKeys(
  client: Client,
  mid: string,
  clock: Clock,
  onChange: (change: KeyChange) => void,
): PeerKeys {
  const { keyStore: store, TalkService: talk } = client;
  const negotiated = expiringCache<Negotiated>(clock);
  const found = expiringCache<PeerKey | undefined>(clock, 10_000);

  async function remember(peer: string, record: E2EEPublicKey): Promise<PeerKey> {
    const earlier = await store.peerKeys(mid, peer);
    const publicKey = fromBase64(record.keyData);
    const { keyId } = record;
    const createdTime = Number(record.createdTime);
    const kept = await store.addPeerKey(mid, { mid: peer, keyId, publicKey, createdTime, seenTime: clock() });
    const isNew = earlier.every((key) => key.keyId < keyId);
    if (isNew && earlier.length > 0) onChange({ mid: peer, key: kept, earlier });
    return kept;
  }

  async function seen(peer: string, record: E2EEPublicKey): Promise<PeerKey> {
    const key = await remember(peer, record);
    if (toBase64(key.publicKey) !== record.keyData) {
      throw new SealingError('key-exchanged', `key ${record.keyId} of ${peer}`);
    }
    return key;
  }

  async function ask(peer: string): Promise<Kept<Negotiated>> {
    const { publicKey, specVersion, allowedTypes: types } = await talk.negotiateE2EEPublicKey(peer);
    if (!publicKey || publicKey.keyId === 0 || specVersion < 1)
      return { value: { key: undefined, types }, forMs: OFF_MS };
    return { value: { key: await seen(peer, publicKey), types }, forMs: ON_MS };
  }

  async function lookUp(peer: string, keyId: number): Promise<Kept<PeerKey | undefined>> {
    const kept = (await store.peerKeys(mid, peer)).find((key) => key.keyId === keyId);
    if (kept) return { value: kept, forMs: FOUND_MS };
    try {
      const record = await talk.getE2EEPublicKey(peer, KEY_VERSION, keyId);
      if (record.keyId !== keyId) return { value: undefined, forMs: NOT_FOUND_MS };
      return { value: await remember(peer, record), forMs: FOUND_MS };
    } catch (error) {
      if (error instanceof GatewayError && error.error === 'NOT_FOUND')
        return { value: undefined, forMs: NOT_FOUND_MS };
      throw error;
    }
  }

  return {
    negotiate: (peer) => negotiated.get(peer, () => ask(peer)),
    find: (peer, keyId) => found.get(`${peer} ${keyId}`, () => lookUp(peer, keyId)),
    seen,
    forget: (peer) => negotiated.forget(peer),
    forgetAll: () => negotiated.forgetAll(),
  };
}
