// Seals the values of rows under a key that the key store keeps. The keys of rows are not encrypted: they are mids and
// ids, and their order matters. Each value is bound to its key, so that values cannot be exchanged.
import { createRecordKey, fromBase64, importRecordKey, openRecord, sealRecord, toBase64 } from '@sealpost/crypto';
import type { KeyStore } from '../key-store/key-store.ts';
import { type Row, type Rows, StoreError, type Value, type Write } from './store.ts';

const KEY_NOTE = 'local-state';

/** Wraps rows, so that each value is sealed before it is stored. The key for that is made at the first use. */
export async function sealedRows(rows: Rows, keyStore: KeyStore, account: string): Promise<Rows> {
  const key = await keyOf(keyStore, account);
  const open = async ({ key: name, value }: Row): Promise<Row> => ({
    key: name,
    value: await opened(key, name, value),
  });
  const seal = async ({ key: name, value }: Write): Promise<Write> =>
    value === undefined
      ? { key: name, value }
      : { key: name, value: await sealRecord(key, name, new TextEncoder().encode(String(value))) };
  return {
    async get(name) {
      const value = await rows.get(name);
      return value === undefined ? undefined : opened(key, name, value);
    },
    range: async (from, below, options) => Promise.all((await rows.range(from, below, options)).map(open)),
    commit: async (writes) => rows.commit(await Promise.all(writes.map(seal))),
    close: () => rows.close(),
  };
}

async function opened(key: CryptoKey, name: string, value: Value): Promise<string> {
  try {
    if (typeof value !== 'string') return new TextDecoder().decode(await openRecord(key, name, value));
  } catch (cause) {
    throw locked(name, { cause });
  }
  throw locked(name);
}

async function keyOf(keyStore: KeyStore, account: string): Promise<CryptoKey> {
  const known = await keyStore.note(account, KEY_NOTE);
  if (known !== undefined) return importRecordKey(fromBase64(known));
  const made = createRecordKey();
  await keyStore.putNote(account, KEY_NOTE, toBase64(made));
  return importRecordKey(made);
}

const locked = (name: string, options?: ErrorOptions): StoreError =>
  new StoreError(
    'locked',
    `The row "${name}" of the local state does not open with the key in the key store. Give the key store that was used before, or delete the local state.`,
    options,
  );
