// The account's own key pairs: the ones on this device, and which one is current.
import { type E2EEPublicKey, sealingAttribute } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import { createKeyPair, type KeyChainEntry, type KeyPair, toBase64 } from '@sealpost/crypto';
import type { BaseClient } from '../base-client.ts';
import type { KeyStore } from '../key-store/key-store.ts';
import { expiringCache } from './expiring-cache.ts';
import { UnopenedError } from './reasons.ts';

/**
 * Says whether this device can seal for the account. `off`: Letter Sealing is off. `missing`: the account has a newer
 * key than this device. If the account already has a key, a device registers another key only on request, because all
 * other devices would need the new key.
 */
export type OwnState =
  | { readonly kind: 'ready'; readonly key: KeyChainEntry }
  | { readonly kind: 'off' }
  | { readonly kind: 'missing'; readonly keyId: number };

export interface OwnKeys {
  readonly mid: string;
  /** Returns the key to seal with now. Registers the account's first key if it has none. */
  state(): Promise<OwnState>;
  /**
   * Returns the key pair with this id.
   * @throws UnopenedError if only other devices have the key, or the account never had the key
   */
  require(keyId: number, otherwise: 'wrong-sender' | 'wrong-receiver'): Promise<KeyChainEntry>;
  /** Registers a new key, which is the current key from then on. Returns this key. */
  renew(): Promise<KeyChainEntry>;
  /** Drops the cached answers of the server, because they are out of date. */
  forget(): void;
}

const KEY_VERSION = 1;
const STATE_MS = 60 * 60_000;
const REGISTERED_MS = 60_000;

export function createOwnKeys(client: BaseClient, mid: string, clock: Clock): OwnKeys {
  const { keyStore: store, TalkService: talk } = client;
  const states = expiringCache<OwnState>(clock);
  const registered = expiringCache<readonly E2EEPublicKey[]>(clock);
  const held = createHeldKeys(store, mid);

  /**
   * Registers a key. For the same key, the server returns the same record, so an interrupted registration is simply
   * repeated.
   */
  async function register(pair: KeyPair): Promise<KeyChainEntry> {
    const keyData = toBase64(pair.publicKey);
    const wanted = { version: KEY_VERSION, keyId: 0, keyData };
    const record = await talk.registerE2EEPublicKey(client.nextReqSeq(), wanted);
    const entry = { ...pair, version: KEY_VERSION, keyId: record.keyId, createdTime: Number(record.createdTime) };
    await store.addOwnKeys(mid, [entry]);
    await store.removeUnregisteredKey(mid, pair);
    held.add(entry);
    return entry;
  }

  /** Registers the keys whose registration had no answer. Others may already have sealed messages for these keys. */
  async function finishRegistrations(): Promise<void> {
    for (const pair of await store.unregisteredKeys(mid)) await register(pair);
  }

  async function registerNew(): Promise<KeyChainEntry> {
    const pair = createKeyPair();
    await store.addUnregisteredKey(mid, pair);
    return register(pair);
  }

  async function load(): Promise<OwnState> {
    const { e2eeEnable } = await talk.getSettingsAttributes2([sealingAttribute]);
    if (e2eeEnable === false) return { kind: 'off' };
    await finishRegistrations();
    const newest = newestOf(await talk.getE2EEPublicKeysEx(false));
    if (!newest) return { kind: 'ready', key: await registerNew() };
    const key = await held.find(newest.keyId);
    if (!key || toBase64(key.publicKey) !== newest.keyData) return { kind: 'missing', keyId: newest.keyId };
    return { kind: 'ready', key };
  }

  function forget(): void {
    states.forgetAll();
    registered.forgetAll();
  }

  return {
    mid,
    state: () =>
      states.get('', async () => {
        const value = await load();
        // The state `missing` is not cached, because a login or a restored backup may bring the key at any moment.
        return { value, forMs: value.kind === 'missing' ? 0 : STATE_MS };
      }),
    async require(keyId, otherwise) {
      const key = (await held.find(keyId)) ?? (await finishRegistrations().then(() => held.find(keyId)));
      if (key) return key;
      const ofAccount = await registered.get('', async () => ({
        value: await talk.getE2EEPublicKeysEx(false),
        forMs: REGISTERED_MS,
      }));
      if (ofAccount.some((known) => known.keyId === keyId)) {
        throw new UnopenedError('unknown-key', `key ${keyId} of this account is not on this device`, { keyId });
      }
      throw new UnopenedError(otherwise, `key ${keyId} was never one of this account`);
    },
    async renew() {
      const key = await registerNew();
      forget();
      return key;
    },
    forget,
  };
}

/** Creates a cache of the account's key pairs on this device. If a key is not in the cache, the store is read again. */
function createHeldKeys(store: Pick<KeyStore, 'ownKeys'>, mid: string) {
  let held = new Map<number, KeyChainEntry>();
  return {
    async find(keyId: number): Promise<KeyChainEntry | undefined> {
      // Another process on this device, or a login, may have added the key to the store.
      if (!held.has(keyId)) held = new Map((await store.ownKeys(mid)).map((key) => [key.keyId, key]));
      return held.get(keyId);
    },
    add: (key: KeyChainEntry): void => void held.set(key.keyId, key),
  };
}

const newestOf = (keys: readonly E2EEPublicKey[]): E2EEPublicKey | undefined =>
  keys.toSorted((a, b) => a.keyId - b.keyId).at(-1);
