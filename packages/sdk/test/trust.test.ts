import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, afterEach, before, describe, test } from 'node:test';
import { ApiError, type E2EEPublicKey, type KeyLogEntry, type KeyTreeHead } from '@sealpost/contract';
import { fromBase64, midHash, toBase64 } from '@sealpost/crypto';
import { forgeLog, signedHead, signingKeyOf } from '@sealpost/dev-env/forged-log';
import { startServer, type TestServer } from '@sealpost/dev-env/harness';
import { type LyingProxy, startLyingProxy } from '@sealpost/dev-env/proxies/lying';
import { KeyTrustError, type KeyTrustReason } from '@sealpost/sdk';
import { type KeyOwner, keyOwner } from './key-owners.ts';

describe('trust in keys', () => {
  let server: TestServer;
  let proxy: LyingProxy;
  before(async () => {
    server = await startServer();
    proxy = await startLyingProxy(server.url);
    // Other accounts register keys, so that the Merkle tree has several levels.
    await Promise.all(Array.from({ length: 5 }, () => keyOwner(server)));
  });
  afterEach(() => proxy.beHonest());
  after(async () => {
    await proxy.close();
    await server.close();
  });

  const pair = async (): Promise<[KeyOwner, KeyOwner]> => [
    await keyOwner(server, proxy.url, 'alice'),
    await keyOwner(server, proxy.url, 'bob'),
  ];
  const randomKey = () => randomBytes(32).toString('base64');
  const log = ({ user }: KeyOwner) => user.client.KeyTransparencyService;
  /** Returns the key that the server, or the proxy in between, offers for a user. */
  async function offered({ client }: KeyOwner, { mid }: KeyOwner): Promise<{ mid: string; key: E2EEPublicKey }> {
    const { publicKey } = await client.TalkService.negotiateE2EEPublicKey(mid);
    return { mid, key: publicKey ?? assert.fail('no key') };
  }
  const seal = async (from: KeyOwner, to: KeyOwner) => from.client.trust.forSealing([await offered(from, to)]);
  const offer = (change: (key: E2EEPublicKey) => Partial<E2EEPublicKey>) =>
    proxy.lie('TalkService.negotiateE2EEPublicKey', (honest) =>
      honest.publicKey ? { ...honest, publicKey: { ...honest.publicKey, ...change(honest.publicKey) } } : honest,
    );
  const head = (change: (head: KeyTreeHead) => Partial<KeyTreeHead>) =>
    proxy.lie('KeyTransparencyService.getTreeHead', (honest) => ({ ...honest, ...change(honest) }));
  /** Checks that the attempt fails with this reason and these words, and that the listeners get the error. */
  async function isCaught(owner: KeyOwner, attempt: Promise<unknown>, reason: KeyTrustReason, words: RegExp) {
    const heard = owner.events.length;
    await assert.rejects(attempt, (error) => {
      assert.ok(error instanceof KeyTrustError, String(error));
      assert.equal(error.reason, reason, error.message);
      assert.match(error.message, words);
      return true;
    });
    const alarms = owner.events.slice(heard).flatMap((event) => (event.kind === 'alarm' ? [event.error.reason] : []));
    assert.deepEqual(alarms, [reason]);
  }
  const entriesOf = (owner: KeyOwner): Promise<KeyLogEntry[]> => log(owner).getEntries({ after: 0 });

  test('an honest server is trusted, and asked about each key once', async () => {
    const [alice, bob] = await pair();
    const bobs = await offered(alice, bob);
    await alice.client.trust.checkOwnKeys();
    await alice.client.trust.forSealing([bobs]);
    proxy.calls();
    await alice.client.trust.forSealing([bobs]);
    await alice.again().trust.forSealing([bobs]);
    assert.deepEqual(proxy.calls(), [], 'it is remembered, in the next run too');
    for (let keys = 1; keys <= 4; keys++) {
      for (let i = 0; i < keys; i++) await bob.register();
      await seal(alice, bob);
      await alice.client.trust.checkOwnKeys();
    }
    const changes = alice.events.map((event) => event.kind);
    assert.deepEqual(changes, Array(4).fill('key-changed'));
    const { treeSize, rootHash } = await log(alice).getTreeHead();
    const { head: remembered, searched } = await alice.client.trust.rememberedLog();
    assert.deepEqual([remembered?.treeSize, remembered?.rootHash, searched?.size], [treeSize, rootHash, treeSize]);
  });

  test('lie: a key of the server under the id of the real one', async () => {
    const [alice, bob] = await pair();
    offer(() => ({ keyData: randomKey() }));
    await isCaught(alice, seal(alice, bob), 'not-in-log', new RegExp(`${bob.mid}.*in place of the real one`));
    proxy.beHonest();
    await seal(alice, bob);
  });

  test('lie: the same after the real key was seen, whatever the log says of it', async () => {
    const [alice, bob] = await pair();
    await seal(alice, bob);
    const key = randomKey();
    offer(() => ({ keyData: key }));
    proxy.calls();
    await isCaught(alice, seal(alice, bob), 'swapped', /never change under their id/);
    assert.deepEqual(
      proxy.calls().filter((path) => path.includes('KeyTransparency')),
      [],
    );
  });

  test('lie: a key with an id that the log does not have', async () => {
    const [alice, bob] = await pair();
    const { treeSize } = await log(alice).getTreeHead();
    offer(() => ({ keyId: treeSize + 1, keyData: randomKey() }));
    await isCaught(alice, seal(alice, bob), 'not-in-log', new RegExp(`it has ${treeSize} keys`));
    offer(() => ({ keyId: 0 }));
    await isCaught(alice, seal(alice, bob), 'not-in-log', /does not hold key 0/);
  });

  test('lie: a registered key of somebody else', async () => {
    const [alice, bob] = await pair();
    const mallory = await keyOwner(server);
    const { key } = await offered(mallory, mallory);
    offer(() => key);
    await isCaught(alice, seal(alice, bob), 'not-in-log', /does not lead to the signed head/);
  });

  test('lie: another time of registration, a proof of other hashes, and no proof at all', async () => {
    const [alice, bob] = await pair();
    offer(({ createdTime }) => ({ createdTime: String(Number(createdTime) + 1) }));
    await isCaught(alice, seal(alice, bob), 'not-in-log', /proof/);
    proxy.beHonest();
    const proofs: unknown[] = [{ hashes: [randomKey()] }, { hashes: [] }, { hashes: ['?'] }, { hashes: 'none' }, null];
    for (const proof of proofs) {
      proxy.lie('KeyTransparencyService.getInclusionProof', () => proof as never);
      await isCaught(alice, seal(alice, bob), 'not-in-log', /proof/);
    }
    proxy.lie('KeyTransparencyService.getInclusionProof', () => {
      throw new ApiError('NOT_FOUND');
    });
    await isCaught(alice, seal(alice, bob), 'not-in-log', /proof/);
  });

  test('lie: an old key in place of the current one', async () => {
    const [alice, bob] = await pair();
    const { key: old } = await offered(alice, bob);
    await bob.register();
    await seal(alice, bob);
    offer(() => old);
    await isCaught(alice, seal(alice, bob), 'superseded', new RegExp(`offers key ${old.keyId}`));
  });

  test('lie: one swapped key among those of a group', async () => {
    const [alice, bob] = await pair();
    const others = await Promise.all(Array.from({ length: 9 }, () => keyOwner(server)));
    const keys = await Promise.all([alice, bob, ...others].map((owner) => offered(alice, owner)));
    await alice.client.trust.forSealing(keys);
    const fresh = await keyOwner(server);
    const swapped = { mid: fresh.mid, key: { ...(await offered(alice, fresh)).key, keyData: randomKey() } };
    await isCaught(alice, alice.client.trust.forSealing([...keys, swapped]), 'not-in-log', new RegExp(fresh.mid));
    const own = { mid: alice.mid, key: { ...(keys[0]?.key as E2EEPublicKey), keyData: randomKey() } };
    await isCaught(alice, alice.client.trust.forSealing([own]), 'swapped', new RegExp(alice.mid));
  });

  test('lie: a log that was wound back, by an old head or by a shorter log, also in the next run', async () => {
    const [alice, bob] = await pair();
    const old = await log(alice).getTreeHead();
    await bob.register();
    await alice.client.trust.checkOwnKeys();
    head(() => old);
    await isCaught(alice, alice.client.trust.checkOwnKeys(), 'rewound', new RegExp(`has ${old.treeSize} keys, it had`));
    await isCaught(alice, alice.again().trust.checkOwnKeys(), 'rewound', /ask its operator/);
    proxy.beHonest();
    const entries = await entriesOf(alice);
    await forgeLog(proxy, entries.slice(0, -1), await signingKeyOf(server));
    await isCaught(alice, alice.client.trust.checkOwnKeys(), 'rewound', /it had/);
  });

  test('a log that was wound back is what is said, and not that a key is missing', async () => {
    const [alice, bob] = await pair();
    await alice.client.trust.checkOwnKeys();
    const entries = await entriesOf(alice);
    await forgeLog(proxy, entries.slice(0, -2), await signingKeyOf(server));
    proxy.lie('KeyTransparencyService.getInclusionProof', () => {
      throw new ApiError('NOT_FOUND');
    });
    await isCaught(alice, seal(alice, bob), 'rewound', /it had/);
  });

  test('lie: a fork, in which everything fits together, from a key that was in the log before', async () => {
    const [alice, bob] = await pair();
    await alice.client.trust.checkOwnKeys();
    const signingKey = await signingKeyOf(server);
    const key = randomKey();
    const { keyId } = (await offered(alice, bob)).key;
    await keyOwner(server);
    const swapped = (await entriesOf(alice)).map((entry) =>
      entry.keyId === keyId ? { ...entry, keyData: key } : entry,
    );
    await forgeLog(proxy, swapped, signingKey);
    offer(() => ({ keyData: key }));
    await isCaught(alice, alice.client.trust.checkOwnKeys(), 'forked', /does not begin with/);
    await isCaught(alice, seal(alice, bob), 'not-in-log', /Nothing was sealed/);
    const [alarm] = alice.events;
    assert.equal(alarm?.kind === 'alarm' && alarm.error.heads?.known.treeSize, keyId, 'both signed heads are evidence');
    // Carol's device has seen the log at its present size. So the device gets the same forked log without new entries.
    const carol = await keyOwner(server, server.url);
    await carol.client.trust.checkOwnKeys();
    const all = await entriesOf(carol);
    await forgeLog(
      proxy,
      all.map((entry) => (entry.keyId === keyId ? { ...entry, keyData: key } : entry)),
      signingKey,
    );
    await isCaught(carol, carol.again(proxy.url).trust.checkOwnKeys(), 'forked', /does not begin with/);
  });

  test('lie: heads that are not signed, signed with another key, long ago, or no heads', async () => {
    const [alice] = await pair();
    await alice.client.trust.checkOwnKeys();
    const check = () => alice.client.trust.checkOwnKeys();
    const broken: ((head: KeyTreeHead) => Partial<KeyTreeHead>)[] = [
      ({ timestamp }) => ({ timestamp: String(Number(timestamp) + 1) }),
      ({ treeSize }) => ({ treeSize: treeSize + 1 }),
      () => ({ rootHash: randomKey() }),
      () => ({ signature: randomBytes(64).toString('base64') }),
      () => ({ publicKey: randomKey() }),
      () => ({ signature: '?' }),
      () => ({ treeSize: 'many' as unknown as number }),
      () => ({ rootHash: null as unknown as string }),
    ];
    for (const change of broken) {
      head(change);
      await isCaught(alice, check(), 'bad-head', /not signed with its key/);
    }
    head(({ treeSize, rootHash }) => signedHead(treeSize, fromBase64(rootHash), randomBytes(32)));
    await isCaught(alice, check(), 'other-log-key', /it was with/);
    const signingKey = await signingKeyOf(server);
    head(({ treeSize, rootHash }) =>
      signedHead(treeSize, fromBase64(rootHash), signingKey, Date.now() - 25 * 3_600_000),
    );
    await isCaught(alice, check(), 'stale', /check the clock of this device/);
    proxy.beHonest();
    await check();
  });

  test('lie: the log is gone; a server that never had one is used without it', async () => {
    const [alice, bob] = await pair();
    const gone = () => {
      throw new ApiError('NOT_FOUND_PATH');
    };
    proxy.lie('KeyTransparencyService.getTreeHead', gone);
    const bobs = await offered(alice, bob);
    await alice.client.trust.checkOwnKeys();
    await alice.client.trust.forSealing([bobs]);
    await isCaught(
      alice,
      alice.client.trust.forSealing([{ ...bobs, key: { ...bobs.key, keyData: randomKey() } }]),
      'swapped',
      /Nothing was sealed/,
    );
    proxy.beHonest();
    proxy.calls();
    await alice.client.trust.forSealing([bobs]);
    assert.equal(
      proxy.calls().filter((path) => path.endsWith('getInclusionProof')).length,
      1,
      'looked up as soon as it can be',
    );
    proxy.lie('KeyTransparencyService.getTreeHead', gone);
    await isCaught(alice, alice.client.trust.checkOwnKeys(), 'withdrawn', /has none now/);
  });

  test('lie: another key as the own one, or none', async () => {
    const [alice] = await pair();
    const list = (change: (keys: E2EEPublicKey[]) => E2EEPublicKey[]) =>
      proxy.lie('TalkService.getE2EEPublicKeys', (honest) => change(honest));
    list(([key]) => (key ? [{ ...key, keyData: randomKey() }] : []));
    await isCaught(alice, alice.client.trust.checkOwnKeys(), 'swapped', /shows .* as the own key/);
    list(() => []);
    await isCaught(alice, alice.client.trust.checkOwnKeys(), 'rewound', /does not list the own key/);
    list(([key]) => (key ? [{ ...key, createdTime: '1' }] : []));
    await isCaught(alice, alice.client.trust.checkOwnKeys(), 'not-in-log', /proof/);
  });

  test('lie: a key in the name of the account is found in the log, and cannot be left out of it', async () => {
    const [alice] = await pair();
    await alice.client.trust.checkOwnKeys();
    const other = await alice.user.session();
    const keyData = randomKey();
    const { keyId } = await other.TalkService.registerE2EEPublicKey(0, { keyData });
    await keyOwner(server);
    const hide = (entries: KeyLogEntry[]) =>
      entries.map((entry) =>
        entry.keyId === keyId ? { ...entry, midHash: toBase64(midHash('u'.padEnd(33, '0'))) } : entry,
      );
    proxy.lie('KeyTransparencyService.getEntries', hide);
    await isCaught(alice, alice.client.trust.checkOwnKeys(), 'forked', /not what the server signed/);
    proxy.lie('KeyTransparencyService.getEntries', (entries) => entries.filter((entry) => entry.keyId !== keyId));
    await isCaught(alice, alice.client.trust.checkOwnKeys(), 'forked', /stands where key/);
    proxy.lie('KeyTransparencyService.getEntries', () => []);
    await isCaught(alice, alice.client.trust.checkOwnKeys(), 'forked', /does not show key/);
    proxy.beHonest();
    alice.events.length = 0;
    await alice.client.trust.checkOwnKeys();
    const unknown = { keyId, keyData, logged: true };
    assert.deepEqual(alice.events, [{ kind: 'own-key-unknown', key: unknown }]);
    assert.deepEqual((await alice.client.trust.rememberedLog()).unknownOwnKeys, [unknown]);
    await alice.client.trust.checkOwnKeys();
    assert.equal(alice.events.length, 1, 'told once');
    await isCaught(
      alice,
      alice.client.trust.forSealing([
        { mid: alice.mid, key: { version: 1, keyId, keyData, createdTime: '1' } as E2EEPublicKey },
      ]),
      'own-key-unknown',
      /look at your sessions/,
    );
  });

  test('a long log is read a part at a time, and every part is held against the signed head', async () => {
    const [alice, bob] = await pair();
    await alice.client.trust.checkOwnKeys();
    const { searched } = await alice.client.trust.rememberedLog();
    for (let i = 0; i < 25; i++) await bob.register();
    proxy.lie('KeyTransparencyService.getEntries', (entries) => entries.slice(0, 1));
    await alice.client.trust.checkOwnKeys();
    assert.equal((await alice.client.trust.rememberedLog()).searched?.size, (searched?.size ?? 0) + 20);
    proxy.lie('KeyTransparencyService.getEntries', ([entry]) => (entry ? [{ ...entry, keyData: randomKey() }] : []));
    await isCaught(alice, alice.client.trust.checkOwnKeys(), 'forked', /not what the server signed/);
    proxy.beHonest();
    await alice.client.trust.checkOwnKeys();
    assert.equal((await alice.client.trust.rememberedLog()).searched?.size, (await log(alice).getTreeHead()).treeSize);
  });

  test('a log that was set up anew is taken once the user accepts it, and keys are looked up in it again', async () => {
    const [alice, bob] = await pair();
    await seal(alice, bob);
    await alice.client.trust.checkOwnKeys();
    const signingKey = randomBytes(32);
    await forgeLog(proxy, await entriesOf(alice), signingKey);
    await isCaught(alice, alice.client.trust.checkOwnKeys(), 'other-log-key', /accept/);
    await alice.client.trust.acceptLog();
    await alice.client.trust.checkOwnKeys();
    proxy.calls();
    await seal(alice, bob);
    assert.equal(proxy.calls().filter((path) => path.endsWith('getInclusionProof')).length, 1);
  });

  test('the client checks by itself: after operations begin, and when the stream tells of keys', async () => {
    const [alice, bob] = await pair();
    await seal(alice, bob);
    const stop = new AbortController();
    const stream = alice.client.operations({ signal: stop.signal });
    const reading = (async () => {
      for await (const _ of stream);
    })();
    const until = async (done: () => boolean | Promise<boolean>) => {
      for (const deadline = Date.now() + 120_000; !(await done()); ) {
        assert.ok(Date.now() < deadline, JSON.stringify(alice.events));
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    await until(async () => (await alice.client.trust.rememberedLog()).searched !== undefined);
    const previousKeyId = (await offered(alice, bob)).key.keyId;
    await alice.user.client.TalkService.createChat({
      reqSeq: alice.user.client.nextReqSeq(),
      type: 1,
      name: '',
      targetUserMids: [bob.mid],
      picturePath: '',
    });
    const keyId = await bob.register();
    await until(() => alice.events.length > 0);
    assert.deepEqual(alice.events, [{ kind: 'key-changed', mid: bob.mid, previousKeyId, keyId, verified: undefined }]);
    const foreign = { keyData: randomKey() };
    await (await alice.user.session()).TalkService.registerE2EEPublicKey(0, foreign);
    await until(() => alice.events.some((event) => event.kind === 'own-key-unknown'));
    stop.abort();
    await reading;
  });
});
