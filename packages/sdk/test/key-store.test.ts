import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { createKeyPair, toBase64 } from '@sealpost/crypto';
import { indexedDbKeyStore, type KeyStore, KeyStoreError, type KeyStoreOptions, memoryKeyStore } from '@sealpost/sdk';
import { fileKeyStore } from '@sealpost/sdk/node';
import 'fake-indexeddb/auto';

const mid = `u${'a'.repeat(32)}`;
const bob = `u${'b'.repeat(32)}`;
const chatMid = `c${'c'.repeat(32)}`;
const cost = { memoryKiB: 64, passes: 1, lanes: 1 };
const entry = (keyId: number) => ({ ...createKeyPair(), version: 1, keyId, createdTime: 1_700_000_000_000 + keyId });
const peerKey = (keyId: number) => ({ ...publicHalf(), mid: bob, keyId, createdTime: keyId, seenTime: 5 });
const publicHalf = () => ({ publicKey: createKeyPair().publicKey });
const isKeyStoreError = (kind: KeyStoreError['kind']) => (error: unknown) =>
  error instanceof KeyStoreError && error.kind === kind;

/** A place at which a test can open a store several times. */
interface Place {
  open(options?: KeyStoreOptions): KeyStore;
  dispose?(): void;
}

function folder(): Place & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'sealpost-keys-'));
  return {
    path,
    open: (options) => fileKeyStore(join(path, 'keys'), options),
    dispose: () => rmSync(path, { recursive: true }),
  };
}
let databases = 0;
function database(): Place {
  const name = `keys-${++databases}`;
  return { open: (options) => indexedDbKeyStore(name, options) };
}
function memory(): Place {
  const store = memoryKeyStore();
  return { open: () => store };
}
const under = (passphrase: string, place: Place): Place => ({
  ...place,
  open: (options) => place.open({ passphrase, cost, ...options }),
});

const adapters: Readonly<Record<string, () => Place>> = {
  memory,
  files: folder,
  IndexedDB: database,
  'files under a passphrase': () => under('six random words', folder()),
  'IndexedDB under a passphrase': () => under('six random words', database()),
};

for (const [name, create] of Object.entries(adapters)) {
  describe(`keys in ${name}`, () => {
    const opened = (t: { after(done: () => void): void }) => {
      const place = create();
      t.after(() => place.dispose?.());
      return place;
    };

    test('an account has no keys, then all of its generations, in order, and again after reopening', async (t) => {
      const place = opened(t);
      const store = place.open();
      assert.deepEqual(await store.ownKeys(mid), []);
      const keys = [entry(9), entry(10), entry(100)];
      await store.addOwnKeys(mid, [keys[2]!, keys[0]!]);
      await place.open().addOwnKeys(mid, [keys[1]!]);
      assert.deepEqual(await place.open().ownKeys(mid), keys);
      assert.deepEqual(await store.ownKeys(bob), [], 'of another account');
    });

    test('a key that is here is never overwritten', async (t) => {
      const place = opened(t);
      const [first, second] = [entry(7), entry(7)];
      await place.open().addOwnKeys(mid, [first]);
      await place.open().addOwnKeys(mid, [second]);
      assert.deepEqual(await place.open().ownKeys(mid), [first]);
      const [seen, other] = [peerKey(3), peerKey(3)];
      assert.deepEqual(await place.open().addPeerKey(mid, seen), seen);
      assert.deepEqual(await place.open().addPeerKey(mid, other), seen);
      assert.deepEqual(await place.open().peerKeys(mid, bob), [seen]);
    });

    test('group keys, keys of others, keys to register and notes come back as they were', async (t) => {
      const place = opened(t);
      const store = place.open();
      const group = { ...createKeyPair(), chatMid, groupKeyId: 2 };
      await store.addGroupKey(mid, group);
      assert.deepEqual(await place.open().groupKey(mid, chatMid, 2), group);
      assert.equal(await store.groupKey(mid, chatMid, 1), undefined);

      const seen = [peerKey(4), peerKey(30)];
      for (const key of seen.toReversed()) await store.addPeerKey(mid, key);
      assert.deepEqual(await place.open().peerKeys(mid, bob), seen);

      const pair = createKeyPair();
      await store.addUnregisteredKey(mid, pair);
      assert.deepEqual(await place.open().unregisteredKeys(mid), [pair]);
      await store.removeUnregisteredKey(mid, pair);
      assert.deepEqual(await store.unregisteredKeys(mid), []);

      await store.putNote(mid, 'verified/x', 'one');
      await store.putNote(mid, 'verified/x', 'two');
      await store.putNote(mid, 'head', 'three');
      assert.equal(await place.open().note(mid, 'verified/x'), 'two');
      assert.equal(await store.note(mid, 'none'), undefined);
      assert.deepEqual([...(await store.notes(mid, 'verified/'))], [['verified/x', 'two']]);
    });
  });
}

test('every file has mode 0600, every folder 0700, and nothing half written stays', async (t) => {
  const place = folder();
  t.after(() => place.dispose?.());
  await place.open().addOwnKeys(mid, [entry(1), entry(2)]);
  await place.open().putNote(mid, 'a', 'b');
  const entries = readdirSync(place.path, { recursive: true, withFileTypes: true });
  assert.equal(entries.filter((found) => found.isFile()).length, 3);
  for (const found of entries) {
    const mode = statSync(join(found.parentPath, found.name)).mode & 0o777;
    assert.equal(mode, found.isFile() ? 0o600 : 0o700, found.name);
  }
  assert.ok(entries.every(({ name }) => !name.endsWith('.tmp')));
});

test('two processes that start at once use one key under the passphrase', async (t) => {
  const place = under('words', folder());
  t.after(() => place.dispose?.());
  const keys = [entry(1), entry(2), entry(3)];
  await Promise.all(keys.map((key) => place.open().addOwnKeys(mid, [key])));
  assert.deepEqual(await place.open().ownKeys(mid), keys);
});

test('under a passphrase no private key is on the disk, and nothing opens without it', async (t) => {
  const place = folder();
  t.after(() => place.dispose?.());
  const key = entry(1);
  await place.open({ passphrase: 'right', cost }).addOwnKeys(mid, [key]);
  const written = readdirSync(place.path, { recursive: true, withFileTypes: true })
    .filter((found) => found.isFile())
    .map((found) => readFileSync(join(found.parentPath, found.name), 'utf8'));
  assert.equal(written.length, 2);
  for (const text of written) assert.ok(!text.includes(toBase64(key.privateKey)) && !text.includes('privateKey'));
  await assert.rejects(place.open().ownKeys(mid), isKeyStoreError('passphrase-needed'));
  await assert.rejects(place.open({ passphrase: 'wrong' }).ownKeys(mid), isKeyStoreError('passphrase-wrong'));
  assert.deepEqual(await place.open({ passphrase: 'right' }).ownKeys(mid), [key]);
});

test('a store without a passphrase does not become one with it unseen', async (t) => {
  const place = folder();
  t.after(() => place.dispose?.());
  await place.open().addOwnKeys(mid, [entry(1)]);
  await assert.rejects(place.open({ passphrase: 'late', cost }).ownKeys(mid), isKeyStoreError('not-sealed'));
});

test('records that were exchanged or damaged are refused', async (t) => {
  const place = folder();
  t.after(() => place.dispose?.());
  const store = place.open({ passphrase: 'right', cost });
  await store.addOwnKeys(mid, [entry(1), entry(2)]);
  const file = (keyId: number) => join(place.path, 'keys', 'own', mid, `${keyId}.key`);
  writeFileSync(file(1), readFileSync(file(2)));
  await assert.rejects(store.ownKeys(mid), isKeyStoreError('damaged'));

  const plain = folder();
  t.after(() => plain.dispose?.());
  await plain.open().addOwnKeys(mid, [entry(1)]);
  writeFileSync(join(plain.path, 'keys', 'own', mid, '1.key'), '{"half');
  await assert.rejects(plain.open().ownKeys(mid), isKeyStoreError('damaged'));
});
