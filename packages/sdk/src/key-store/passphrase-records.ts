// Records sealed under a passphrase. A random key seals the records, and the passphrase opens that key. Opening takes a
// second on purpose, so that guessing is slow. Names of records are not encrypted: they contain mids and ids of keys,
// but no keys.
import {
  type Bytes,
  createRecordKey,
  fromBase64,
  OpenError,
  openRecord,
  openWithPassphrase,
  type PassphraseCost,
  sealRecord,
  sealWithPassphrase,
  toBase64,
} from '@sealpost/crypto';
import { isSealedRecord, type KeyRecords, KeyStoreError, SEALED_MARK } from './key-records.ts';

const LOCK = 'passphrase';

/**
 * Returns records that seal each text before it is stored and open it when it is read. The first use throws
 * KeyStoreError if the passphrase is wrong.
 */
export function passphraseRecords(records: KeyRecords, passphrase: string, cost?: PassphraseCost): KeyRecords {
  let opening: Promise<Bytes> | undefined;
  const key = () => {
    opening ??= unlock(records, passphrase, cost).catch((error) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const seal = async (name: string, text: string) =>
    SEALED_MARK + toBase64(await sealRecord(await key(), name, new TextEncoder().encode(text)));

  async function open(name: string, text: string): Promise<string> {
    if (!isSealedRecord(text)) throw notSealed();
    try {
      return new TextDecoder().decode(await openRecord(await key(), name, fromBase64(text.slice(SEALED_MARK.length))));
    } catch (cause) {
      throw new KeyStoreError('damaged', `the record "${name}" of the key store was changed`, { cause });
    }
  }

  return {
    async get(name) {
      await key();
      const text = await records.get(name);
      return text === undefined ? undefined : open(name, text);
    },
    async list(prefix) {
      await key();
      const found = [...(await records.list(prefix))].filter(([name]) => name !== LOCK);
      return new Map(await Promise.all(found.map(async ([name, text]) => [name, await open(name, text)] as const)));
    },
    add: async (name, text) => records.add(name, await seal(name, text)),
    put: async (name, text) => records.put(name, await seal(name, text)),
    remove: (name) => records.remove(name),
  };
}

/** Returns the key that the passphrase opens. The first use of an empty store makes that key. */
async function unlock(records: KeyRecords, passphrase: string, cost?: PassphraseCost): Promise<Bytes> {
  const locked = await records.get(LOCK);
  if (locked !== undefined) return openLock(locked, passphrase);
  if ((await records.list('')).size > 0) throw notSealed();
  const key = createRecordKey();
  const sealed = await sealWithPassphrase(key, passphrase, cost ? { cost } : {});
  // If another process has stored its key first, that key is used.
  if (await records.add(LOCK, SEALED_MARK + toBase64(sealed))) return key;
  return unlock(records, passphrase, cost);
}

async function openLock(locked: string, passphrase: string): Promise<Bytes> {
  try {
    return await openWithPassphrase(fromBase64(locked.slice(SEALED_MARK.length)), passphrase);
  } catch (cause) {
    if (!(cause instanceof OpenError)) throw cause;
    const kind = cause.reason === 'tampered' ? 'passphrase-wrong' : 'damaged';
    throw new KeyStoreError(kind, `the key store does not open: ${cause.message}`, { cause });
  }
}

const notSealed = (): KeyStoreError =>
  new KeyStoreError(
    'not-sealed',
    'a passphrase was given, but this key store was made without one: open it without, or use another place',
  );
