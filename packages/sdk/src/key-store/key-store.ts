// The keys that an account keeps on this device. These are all its own key pairs, the keys of its groups and rooms, and
// other users' public keys. Private keys leave the device only sealed.
import { fromBase64, type KeyChainEntry, type KeyPair, type PassphraseCost, toBase64 } from '@sealpost/crypto';
import { isSealedRecord, type KeyRecords, KeyStoreError, memoryRecords } from './key-records.ts';
import { protectedRecords } from './protected-records.ts';

/** The decrypted key of a group or room. */
export interface GroupKey extends KeyPair {
  readonly chatMid: string;
  readonly groupKeyId: number;
  /** The mid of the member who made the key; undefined if that is not known. */
  readonly creator?: string;
}

/** A public key of another user, as the server returned it the first time. */
export interface PeerKey {
  readonly mid: string;
  readonly keyId: number;
  readonly publicKey: Uint8Array<ArrayBuffer>;
  /** When the key was registered according to the server, in epoch milliseconds. */
  readonly createdTime: number;
  /** When this device first saw the key, in epoch milliseconds. */
  readonly seenTime: number;
}

/**
 * A store of keys, which may serve several accounts. The first argument `mid` is the account that the keys belong to.
 */
export interface KeyStore {
  /** Returns the account's key pairs, the oldest first; empty if there are none. */
  ownKeys(mid: string): Promise<readonly KeyChainEntry[]>;
  /** Adds key pairs. A key pair that the store already has under the same id is not replaced. */
  addOwnKeys(mid: string, keys: readonly KeyChainEntry[]): Promise<void>;
  /** Removes a key pair, after it was added to those that are not registered. */
  removeOwnKey(mid: string, keyId: number): Promise<void>;
  /**
   * Returns key pairs that were made on this device and may not be registered yet, the oldest first. A key pair is
   * stored here before its registration, so that no registered key is ever lost.
   */
  unregisteredKeys(mid: string): Promise<readonly KeyPair[]>;
  addUnregisteredKey(mid: string, key: KeyPair): Promise<void>;
  removeUnregisteredKey(mid: string, key: KeyPair): Promise<void>;
  groupKey(mid: string, chatMid: string, groupKeyId: number): Promise<GroupKey | undefined>;
  addGroupKey(mid: string, key: GroupKey): Promise<void>;
  /** Returns the keys of another user that this device has seen, the oldest first. */
  peerKeys(mid: string, peer: string): Promise<readonly PeerKey[]>;
  /** Stores a key and returns the stored key. If a key was seen earlier under the same id, that key stays. */
  addPeerKey(mid: string, key: PeerKey): Promise<PeerKey>;
  /**
   * Returns a note: a text that another part of the SDK stores, for example a mark of verification. `name` has letters,
   * digits, - and _, with / between its parts.
   */
  note(mid: string, name: string): Promise<string | undefined>;
  /** Returns all notes whose names begin with `prefix`, as a map from name to text. `prefix` ends with a slash. */
  notes(mid: string, prefix: string): Promise<ReadonlyMap<string, string>>;
  putNote(mid: string, name: string, text: string): Promise<void>;
  /** Removes all keys of other users. */
  forgetPeerKeys(mid: string): Promise<void>;
  /** Removes everything about an account that was deleted, its private keys included. */
  forget(mid: string): Promise<void>;
}

export interface KeyStoreOptions {
  /** The passphrase under which the keys are sealed at rest. The first use of the store takes about a second. */
  readonly passphrase?: string;
  /** The cost of deriving a key from the passphrase. Only tests give it. */
  readonly cost?: PassphraseCost;
}

/** Creates a key store in memory, which lasts as long as the process. */
export const memoryKeyStore = (options: KeyStoreOptions = {}): KeyStore => createKeyStore(memoryRecords(), options);

/** The first parts of the names of all records. */
const KINDS = ['own', 'unregistered', 'group', 'peer', 'note'] as const;

/** Creates a key store on any records: a place that keeps texts by name. */
export function createKeyStore(place: KeyRecords, { passphrase, cost }: KeyStoreOptions = {}): KeyStore {
  const records = protectedRecords(place, passphrase, cost);

  async function list<T>(prefix: string, parse: (fields: never) => T): Promise<T[]> {
    return [...(await records.list(prefix))].map(([name, text]) => parse(fieldsOf(name, text) as never));
  }
  async function find<T>(name: string, parse: (fields: never) => T): Promise<T | undefined> {
    const text = await records.get(name);
    return text === undefined ? undefined : parse(fieldsOf(name, text) as never);
  }

  async function forget(mid: string, kinds: readonly (typeof KINDS)[number][]): Promise<void> {
    for (const kind of kinds) {
      for (const name of (await place.list(`${kind}/${mid}/`)).keys()) await place.remove(name);
    }
  }

  return {
    ownKeys: async (mid) => byKeyId(await list(`own/${mid}/`, toEntry)),
    async addOwnKeys(mid, keys) {
      for (const key of keys) await records.add(`own/${mid}/${key.keyId}`, textOf(key));
    },
    removeOwnKey: (mid, keyId) => records.remove(`own/${mid}/${keyId}`),
    unregisteredKeys: async (mid) =>
      (await list(`unregistered/${mid}/`, toEntry)).toSorted((a, b) => timeOf(a) - timeOf(b)),
    async addUnregisteredKey(mid, key) {
      await records.add(`unregistered/${mid}/${nameOf(key)}`, textOf(key));
    },
    removeUnregisteredKey: (mid, key) => records.remove(`unregistered/${mid}/${nameOf(key)}`),
    groupKey: (mid, chatMid, groupKeyId) => find(`group/${mid}/${chatMid}/${groupKeyId}`, toGroupKey),
    async addGroupKey(mid, key) {
      await records.add(`group/${mid}/${key.chatMid}/${key.groupKeyId}`, textOf(key));
    },
    peerKeys: async (mid, peer) => byKeyId(await list(`peer/${mid}/${peer}/`, toPeerKey)),
    async addPeerKey(mid, key) {
      const name = `peer/${mid}/${key.mid}/${key.keyId}`;
      return (await records.add(name, textOf(key))) ? key : ((await find(name, toPeerKey)) ?? key);
    },
    async note(mid, name) {
      const path = `note/${mid}/${name}`;
      return unsealed(path, await records.get(path));
    },
    async notes(mid, prefix) {
      const found = await records.list(`note/${mid}/${prefix}`);
      const cut = `note/${mid}/`.length;
      return new Map([...found].map(([name, text]) => [name.slice(cut), unsealed(name, text)]));
    },
    putNote: (mid, name, text) => records.put(`note/${mid}/${name}`, text),
    forgetPeerKeys: (mid) => forget(mid, ['peer']),
    forget: (mid) => forget(mid, KINDS),
  };
}

const byKeyId = <T extends { readonly keyId: number }>(keys: readonly T[]): readonly T[] =>
  keys.toSorted((a, b) => a.keyId - b.keyId);

/** Returns when a key pair was registered. A pair that never was is newer than all others. */
const timeOf = ({ createdTime = Number.MAX_VALUE }: { readonly createdTime?: number }): number => createdTime;

/** Returns a name made of the public key, so that two processes never use one name for two keys. */
const nameOf = ({ publicKey }: KeyPair): string => toBase64(publicKey).replace(/[^A-Za-z0-9]/g, '-');

/** Returns a key as JSON, with bytes as base64. */
const textOf = (key: object): string =>
  JSON.stringify(key, (_, value) => (value instanceof Uint8Array ? toBase64(value) : value));

/** A type in the form that the store has: bytes are base64. */
type StoredForm<T> = { readonly [K in keyof T]: T[K] extends Uint8Array ? string : T[K] };

const toPair = (fields: StoredForm<KeyPair>): KeyPair => ({
  privateKey: fromBase64(fields.privateKey),
  publicKey: fromBase64(fields.publicKey),
});
const toEntry = (fields: StoredForm<KeyChainEntry>): KeyChainEntry => ({ ...fields, ...toPair(fields) });
const toGroupKey = (fields: StoredForm<GroupKey>): GroupKey => ({ ...fields, ...toPair(fields) });
const toPeerKey = (fields: StoredForm<PeerKey>): PeerKey => ({ ...fields, publicKey: fromBase64(fields.publicKey) });

function fieldsOf(name: string, text: string): unknown {
  try {
    return JSON.parse(unsealed(name, text));
  } catch (cause) {
    if (cause instanceof KeyStoreError) throw cause;
    throw new KeyStoreError('damaged', `the record "${name}" of the key store is not one`, { cause });
  }
}

function unsealed<T extends string | undefined>(name: string, text: T): T {
  if (text !== undefined && isSealedRecord(text))
    throw new KeyStoreError(
      'passphrase-needed',
      `the record "${name}" is sealed: give the passphrase of the key store`,
    );
  return text;
}
