import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { profileAttributes } from '@sealpost/contract';
import {
  createRecoveryPassphrase,
  fromBase64,
  sealKeyChainBackup,
  sealWithPassphrase,
  toBase64,
} from '@sealpost/crypto';
import { forgeLog, signingKeyOf } from '@sealpost/dev-env/forged-log';
import { startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { type LyingProxy, startLyingProxy } from '@sealpost/dev-env/proxies/lying';
import {
  createRpcClient,
  KeyTrustError,
  memoryKeyStore,
  passphraseStrength,
  RecoveryError,
  type RecoveryReason,
  type RpcClient,
} from '@sealpost/sdk';
import { type KeyOwner, keyOwner } from './key-owners.ts';

const cost = { memoryKiB: 64, passes: 1, lanes: 1 };
const cheap = { cost };

const mine = 'gravel onion tractor velvet mimic';
const another = 'walnut ferry cobalt tunic gospel';

describe('recovery of keys', () => {
  let server: TestServer;
  let proxy: LyingProxy;
  const clients: RpcClient[] = [];
  before(async () => {
    server = await startServer();
    proxy = await startLyingProxy(server.url);
  });
  afterEach(() => proxy.beHonest());
  after(async () => {
    for (const client of clients) client.close();
    await proxy.close();
    await server.close();
  });

  /** Returns a new device of the account, without keys. */
  async function newDevice(user: TestUser) {
    const session = (await user.session()).session ?? assert.fail('no session');
    const keyStore = memoryKeyStore();
    const client = createRpcClient({ url: proxy.url, session, keyStore });
    clients.push(client);
    return { client, keys: () => keyStore.ownKeys(user.mid) };
  }
  const failsFor =
    (reason: RecoveryReason, words = /./) =>
    (error: unknown) => {
      assert.ok(error instanceof RecoveryError, String(error));
      assert.equal(error.reason, reason, error.message);
      assert.match(error.message, words);
      return true;
    };
  const owner = (): Promise<KeyOwner> => keyOwner(server, proxy.url);
  const keysOf = ({ keyStore, mid }: KeyOwner) => keyStore.ownKeys(mid);

  test('a new device has all keys back with the passphrase alone, as it was copied from paper', async () => {
    const alice = await owner();
    await alice.register();
    await alice.register();
    const passphrase = createRecoveryPassphrase();
    assert.deepEqual((await alice.client.recovery.status()).backup, undefined);
    const made = await alice.client.recovery.backup(passphrase, cheap);
    assert.equal(made.version, 1);
    const { client, keys } = await newDevice(alice.user);
    const before = await client.recovery.status();
    assert.deepEqual([before.keyIds, before.missingKeyIds], [[], made.keyIds]);
    const restored = await client.recovery.restore(`  ${passphrase.toUpperCase().replaceAll(' ', '-')}\n`);
    assert.deepEqual(restored, { version: 1, addedKeyIds: made.keyIds, missingKeyIds: [] });
    assert.deepEqual(await keys(), await keysOf(alice));
    assert.deepEqual((await client.recovery.restore(passphrase)).addedKeyIds, []);
    const { backup, notInBackup, missingKeyIds } = await client.recovery.status();
    assert.deepEqual([backup?.version, notInBackup, missingKeyIds], [1, [], []]);
  });

  test('what the server stores does not have the keys in it', async () => {
    const alice = await owner();
    await alice.client.recovery.backup(mine, cheap);
    const { blob } = await alice.user.client.KeyBackupService.getBackup();
    for (const { privateKey } of await keysOf(alice)) {
      assert.ok(!Buffer.from(blob, 'base64').includes(Buffer.from(privateKey)));
    }
  });

  test('a wrong passphrase and a changed backup restore nothing', async () => {
    const alice = await owner();
    await alice.client.recovery.backup(mine, cheap);
    const { client, keys } = await newDevice(alice.user);
    await assert.rejects(
      client.recovery.restore('a passphrase of yours'),
      failsFor('wrong-passphrase', /Check the words/),
    );
    const answer = (change: (blob: Uint8Array<ArrayBuffer>) => Uint8Array) =>
      proxy.lie('KeyBackupService.getBackup', (honest) => ({
        ...honest,
        blob: toBase64(change(fromBase64(honest.blob))),
      }));
    for (const place of [12, 30, 45, -1]) {
      answer((blob) => blob.with(place, (blob.at(place) ?? 0) ^ 1));
      await assert.rejects(client.recovery.restore(mine), failsFor('wrong-passphrase'));
    }
    for (const [place, value] of [
      [0, 0],
      [4, 9],
      [9, 200],
      [5, 255],
    ] as const) {
      answer((blob) => blob.with(place, value));
      await assert.rejects(client.recovery.restore(mine), failsFor('damaged'));
    }
    answer((blob) => blob.subarray(0, 20));
    await assert.rejects(client.recovery.restore(mine), failsFor('damaged'));
    proxy.lie('KeyBackupService.getBackup', (honest) => ({ ...honest, blob: '?' }));
    await assert.rejects(client.recovery.restore(mine), failsFor('damaged'));
    const other = await sealWithPassphrase(new TextEncoder().encode('no keys'), mine, cheap);
    answer(() => other);
    await assert.rejects(client.recovery.restore(mine), failsFor('damaged', /not a key chain/));
    assert.deepEqual(await keys(), []);
    proxy.beHonest();
    await client.recovery.restore(mine);
    assert.deepEqual(await keys(), await keysOf(alice));
  });

  test('no backup, no keys and a weak passphrase are named', async () => {
    const alice = await owner();
    const { client } = await newDevice(alice.user);
    await assert.rejects(client.recovery.restore(mine), failsFor('no-backup', /log in anew/));
    await assert.rejects(client.recovery.backup(mine, cheap), failsFor('no-keys'));
    const weak = (words: RegExp) => failsFor('weak-passphrase', words);
    const backup = (passphrase: string) => alice.client.recovery.backup(passphrase, cheap);
    await assert.rejects(backup('a passphrase of mine'), weak(/10\^\d+ tries .* common words.* use a generated one/));
    await assert.rejects(backup('kX9#mQ2$vL7'), weak(/too short/));
    await assert.rejects(backup('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'), weak(/repeats itself/));
    // A guesser tries the account's own name first. So a passphrase that is strong for other accounts is weak for the
    // account that has it as its name.
    const own = 'Zyxqualoth Vambrike';
    assert.ok((await passphraseStrength(own)).enough);
    await alice.client.TalkService.updateProfileAttributes(alice.client.nextReqSeq(), {
      profileAttributes: { [profileAttributes.DISPLAY_NAME]: { value: own } },
    });
    await assert.rejects(backup(own), weak(/common words, names/));
    assert.equal((await client.recovery.status()).backup, undefined);
  });

  test('an older backup is not taken for the newest one by a device that knows better', async () => {
    const alice = await owner();
    await alice.client.recovery.backup(mine, cheap);
    const old = await alice.user.client.KeyBackupService.getBackup();
    await alice.register();
    assert.deepEqual(
      (await alice.client.recovery.status()).notInBackup,
      (await keysOf(alice)).slice(1).map((k) => k.keyId),
    );
    await alice.client.recovery.backup(mine, cheap);
    proxy.lie('KeyBackupService.getBackup', () => old);
    await assert.rejects(alice.client.recovery.restore(mine), failsFor('older-backup', /version 1.*version 2/));
    proxy.lie('KeyBackupService.getBackup', (honest) => ({ ...honest, blob: old.blob }));
    await assert.rejects(alice.client.recovery.restore(mine), failsFor('older-backup', /had the keys/));
  });

  test('on a new device an older backup gives its keys, and those that it lacks are named', async () => {
    const alice = await owner();
    await alice.client.recovery.backup(mine, cheap);
    const keyId = await alice.register();
    const { client, keys } = await newDevice(alice.user);
    const restored = await client.recovery.restore(mine);
    assert.deepEqual(restored.missingKeyIds, [keyId]);
    assert.deepEqual(await keys(), (await keysOf(alice)).slice(0, 1));
  });

  test('a device with new keys keeps what the backup of the old ones has, or says that it would be lost', async () => {
    const alice = await owner();
    const [oldKey] = await keysOf(alice);
    await alice.client.recovery.backup(mine, cheap);
    const bob = await newDevice(alice.user);
    const fresh = { ...alice, client: bob.client };
    const keyStore = bob.client.keyStore;
    const newKeyId = await alice.register();
    const newKey = (await keysOf(alice)).find(({ keyId }) => keyId === newKeyId) ?? assert.fail();
    await keyStore.addOwnKeys(alice.mid, [newKey]);
    await assert.rejects(
      fresh.client.recovery.backup(another, cheap),
      failsFor('other-passphrase', /version 1 of .*Restore it first/),
    );
    const made = await fresh.client.recovery.backup(mine, cheap);
    assert.deepEqual([made.version, made.keyIds, made.addedKeyIds], [2, [oldKey?.keyId, newKeyId], [oldKey?.keyId]]);
    assert.deepEqual(await bob.keys(), await keysOf(alice));
    await fresh.client.recovery.backup(another, cheap);
    const third = await newDevice(alice.user);
    await assert.rejects(third.client.recovery.restore(mine), failsFor('wrong-passphrase'));
    await third.client.recovery.restore(another);
    assert.deepEqual(await third.keys(), await keysOf(alice));
    const fourth = await newDevice(alice.user);
    await fourth.client.keyStore.addOwnKeys(alice.mid, [newKey]);
    const replaced = await fourth.client.recovery.backup('mustard quilt harbor zinc pelican', {
      ...cheap,
      replace: true,
    });
    assert.deepEqual(replaced.keyIds, [newKeyId]);
  });

  test('two devices that back up at the same time lose no key', async () => {
    const alice = await owner();
    const second = await newDevice(alice.user);
    const keyId = await alice.register();
    const keys = await keysOf(alice);
    await second.client.keyStore.addOwnKeys(
      alice.mid,
      keys.filter((key) => key.keyId === keyId),
    );
    const first = alice.again();
    clients.push(first);
    const alone = await newDevice(alice.user);
    await alone.client.keyStore.addOwnKeys(alice.mid, keys.slice(0, 1));
    await Promise.allSettled([second.client.recovery.backup(mine, cheap), alone.client.recovery.backup(mine, cheap)]);
    const last = await newDevice(alice.user);
    await alone.client.recovery.backup(mine, cheap);
    assert.deepEqual((await last.client.recovery.restore(mine)).missingKeyIds, []);
  });

  test('a backup that was stored before the connection was lost is known as made', async () => {
    const alice = await owner();
    proxy.lie('KeyBackupService.getBackup', () => {
      throw new Error('lost');
    });
    await assert.rejects(alice.client.recovery.backup(mine, cheap));
    proxy.beHonest();
    assert.deepEqual((await alice.client.recovery.status()).notInBackup, []);
  });

  test('a backup is done only when it came back as it was stored', async () => {
    const alice = await owner();
    const make = () => alice.client.recovery.backup(mine, cheap);
    proxy.lie('KeyBackupService.getBackup', (honest) => ({
      ...honest,
      blob: honest.blob.replace(/.{8}$/, 'AAAAAAA='),
    }));
    await assert.rejects(make(), failsFor('read-back', /does not open/));
    assert.equal((await alice.client.recovery.status()).notInBackup, undefined, 'not remembered as made');
    const others = await sealKeyChainBackup(await keysOf(await owner()), mine, cheap);
    let answers = 0;
    proxy.lie('KeyBackupService.getBackup', (honest) =>
      answers++ === 0 ? honest : { ...honest, blob: toBase64(others) },
    );
    await assert.rejects(make(), failsFor('read-back', /another backup came back/));
    proxy.beHonest();
    await make();
    assert.deepEqual((await alice.client.recovery.status()).notInBackup, []);
  });

  test('keys of another account under the same passphrase, and keys that are not in the log, are refused', async () => {
    const [alice, bob] = [await owner(), await owner()];
    await alice.client.recovery.backup(mine, cheap);
    await bob.client.recovery.backup(mine, cheap);
    const bobs = await bob.user.client.KeyBackupService.getBackup();
    const { client, keys } = await newDevice(alice.user);
    proxy.lie('KeyBackupService.getBackup', () => bobs);
    await assert.rejects(client.recovery.restore(mine), failsFor('other-account'));
    const listed = await bob.user.client.TalkService.getE2EEPublicKeys();
    proxy.lie('TalkService.getE2EEPublicKeys', () => listed);
    await assert.rejects(client.recovery.restore(mine), KeyTrustError);
    proxy.beHonest();
    const entries = await alice.user.client.KeyTransparencyService.getEntries({ after: 0 });
    await forgeLog(proxy, entries.slice(0, 1), await signingKeyOf(server));
    await assert.rejects(client.recovery.restore(mine), KeyTrustError);
    assert.deepEqual(await keys(), []);
  });
});
