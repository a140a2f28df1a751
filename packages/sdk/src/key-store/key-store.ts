// What an account keeps on this device to seal and open: its own key pairs of all generations, the keys of its groups
// and rooms, and the public keys of others as they were first seen. Nothing here ever leaves the device but sealed.
import { fromBase64, type KeyChainEntry, type KeyPair, type PassphraseCost, toBase64 } from '@sealpost/crypto';
import { type KeyRecords, KeyStoreError, memoryRecords } from './key-records.ts';
import { isSealedRecord, passphraseRecords } from './passphrase-records.ts';

/** The key of a group or room, unwrapped. */
export interface GroupKey extends KeyPair {
  readonly chatMid: string;
  readonly groupKeyId: number;
  /** The member who made it; undefined if that is not known. */
  readonly creator?: string;
}

/** A public key of somebody else, as the server named it the first time. */
export interface PeerKey {
  readonly mid: string;
  readonly keyId: number;
  readonly publicKey: Uint8Array<ArrayBuffer>;
  /** When the key was registered, epoch milliseconds, as the server says. */
  readonly createdTime: number;
  /** When this device first saw it, epoch milliseconds. */
  readonly seenTime: number;
}

/** All of it belongs to an account, the first argument `mid`; one store may serve several. */
export interface KeyStore {
  /** The account's key pairs, the oldest first; none if there are none. */
  ownKeys(mid: string): Promise<readonly KeyChainEntry[]>;
  /** Adds key pairs; those that are here already stay. */
  addOwnKeys(mid: string, keys: readonly KeyChainEntry[]): Promise<void>;
  /** Key pairs that were made here and may not be registered yet. Kept first, so that no registered key is ever lost. */
  unregisteredKeys(mid: string): Promise<readonly KeyPair[]>;
  addUnregisteredKey(mid: string, key: KeyPair): Promise<void>;
  removeUnregisteredKey(mid: string, key: KeyPair): Promise<void>;
  groupKey(mid: string, chatMid: string, groupKeyId: number): Promise<GroupKey | undefined>;
  addGroupKey(mid: string, key: GroupKey): Promise<void>;
  /** Keys of another user that were seen, the oldest first. */
  peerKeys(mid: string, peer: string): Promise<readonly PeerKey[]>;
  /** Remembers a key and answers it as it is kept: what was seen first under an id stays. */
  addPeerKey(mid: string, key: PeerKey): Promise<PeerKey>;
  /** A text of a layer above, for example what was verified. `name` is of letters, digits, - and _ with / between. */
  note(mid: string, name: string): Promise<string | undefined>;
  /** All notes whose names begin with `prefix`, which ends with a slash, by name. */
  notes(mid: string, prefix: string): Promise<ReadonlyMap<string, string>>;
  putNote(mid: string, name: string, text: string): Promise<void>;
}

export interface KeyStoreOptions {
  /** Seals the keys at rest. The first use costs about a second. */
  readonly passphrase?: string;
  /** Given only by tests. */
  readonly cost?: PassphraseCost;
}

/** Keeps keys as long as the process lives. */
export const memoryKeyStore = (options: KeyStoreOptions = {}): KeyStore => createKeyStore(memoryRecords(), options);

/** A key store over any place that keeps texts by name. */
export function createKeyStore(place: KeyRecords, { passphrase, cost }: KeyStoreOptions = {}): KeyStore {
  const records = passphrase === undefined ? place : passphraseRecords(place, passphrase, cost);

  async function list<T>(prefix: string, parse: (fields: never) => T): Promise<T[]> {
    return [...(await records.list(prefix))].map(([name, text]) => parse(fieldsOf(name, text) as never));
  }
  async function find<T>(name: string, parse: (fields: never) => T): Promise<T | undefined> {
    const text = await records.get(name);
    return text === undefined ? undefined : parse(fieldsOf(name, text) as never);
  }

  return {
    ownKeys: async (mid) => byKeyId(await list(`own/${mid}/`, toEntry)),
    async addOwnKeys(mid, keys) {
      for (const key of keys) await records.add(`own/${mid}/${key.keyId}`, textOf(key));
    },
    unregisteredKeys: (mid) => list(`unregistered/${mid}/`, toPair),
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
  };
}

const byKeyId = <T extends { readonly keyId: number }>(keys: readonly T[]): readonly T[] =>
  keys.toSorted((a, b) => a.keyId - b.keyId);

/** A name that two processes never choose for two keys. */
const nameOf = ({ publicKey }: KeyPair): string => toBase64(publicKey).replace(/[^A-Za-z0-9]/g, '-');

/** Bytes as base64, everything else as it is. */
const textOf = (key: object): string =>
  JSON.stringify(key, (_, value) => (value instanceof Uint8Array ? toBase64(value) : value));

/** Of a type as it is in the store: bytes are base64 there. */
type Stored<T> = { readonly [K in keyof T]: T[K] extends Uint8Array ? string : T[K] };

const toPair = (fields: Stored<KeyPair>): KeyPair => ({
  privateKey: fromBase64(fields.privateKey),
  publicKey: fromBase64(fields.publicKey),
});
const toEntry = (fields: Stored<KeyChainEntry>): KeyChainEntry => ({ ...fields, ...toPair(fields) });
const toGroupKey = (fields: Stored<GroupKey>): GroupKey => ({ ...fields, ...toPair(fields) });
const toPeerKey = (fields: Stored<PeerKey>): PeerKey => ({ ...fields, publicKey: fromBase64(fields.publicKey) });

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
