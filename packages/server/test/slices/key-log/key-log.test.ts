import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type KeyLogEntry, type KeyTreeHead, limits } from '@sealpost/contract';
import {
  encodeKeyLeaf,
  fromBase64,
  leafHash,
  midHash,
  toBase64,
  verifyConsistency,
  verifyInclusion,
  verifyTreeHead,
} from '@sealpost/crypto';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { failsWith, operator } from '@sealpost/dev-env/people';
import { auditKeyLog, createRpcClient, KeyLogError, type RpcClient } from '@sealpost/sdk';
import { sql } from '../../../src/platform/store/sql.ts';
import { extendLog } from '../../../src/slices/key-log/index.ts';

const exchangeKey = sql('update e2ee_key set key_data = ? where key_id = ?');
const forgetNodes = sql('delete from key_log_node');
const nodeCount = sql<{ count: number }>('select count(*) as count from key_log_node');

for (const database of databases) {
  describe(`key log on ${database}`, () => {
    let server: TestServer;
    let auditor: RpcClient;
    before(async () => {
      server = await startServer({ database });
      auditor = createRpcClient({ url: server.url });
    });
    after(async () => {
      auditor.close();
      await server.close();
    });

    const log = () => auditor.KeyTransparencyService;
    const register = (user: TestUser) =>
      user.client.TalkService.registerE2EEPublicKey(user.client.nextReqSeq(), {
        keyData: randomBytes(32).toString('base64'),
      });
    async function withKeys(keys: number): Promise<TestUser> {
      const user = await server.user();
      for (let i = 0; i < keys; i += 1) await register(user);
      return user;
    }
    const root = ({ rootHash }: KeyTreeHead) => fromBase64(rootHash);
    const leafOf = ({ midHash: owner, keyId, keyData, createdTime }: KeyLogEntry) =>
      leafHash(
        encodeKeyLeaf({
          midHash: fromBase64(owner),
          keyId,
          key: fromBase64(keyData),
          createdTime: Number(createdTime),
        }),
      );
    async function proves(entry: KeyLogEntry, head: KeyTreeHead): Promise<boolean> {
      const { hashes } = await log().getInclusionProof({ keyId: entry.keyId, treeSize: head.treeSize });
      return verifyInclusion({
        leafHash: leafOf(entry),
        index: entry.keyId - 1,
        size: head.treeSize,
        root: root(head),
        proof: hashes.map(fromBase64),
      });
    }
    const isSigned = (head: KeyTreeHead) =>
      verifyTreeHead(
        { size: head.treeSize, timestamp: Number(head.timestamp), root: root(head) },
        fromBase64(head.signature),
        fromBase64(head.publicKey),
      );
    async function allEntries(count: number): Promise<KeyLogEntry[]> {
      const all: KeyLogEntry[] = [];
      for (;;) {
        const page = await log().getEntries({ after: all.length, count });
        if (page.length === 0) return all;
        all.push(...page);
      }
    }

    test('every registered key is proved to be in the signed tree, for whoever knows its owner', async () => {
      const owner = await withKeys(3);
      const head = await log().getTreeHead();
      assert.equal(await isSigned(head), true);
      for (const key of await owner.client.TalkService.getE2EEPublicKeys()) {
        const { keyId, keyData, createdTime } = key;
        const entry = { midHash: toBase64(midHash(owner.mid)), keyId, keyData, createdTime };
        assert.ok(await proves(entry, head));
        assert.ok(!(await proves({ ...entry, keyData: randomBytes(32).toString('base64') }, head)));
        assert.ok(!(await proves({ ...entry, midHash: toBase64(midHash(`u${'1'.repeat(32)}`)) }, head)));
        assert.ok(!(await proves({ ...entry, createdTime: '1' }, head)));
      }
    });

    test('the tree only grows: each head is proved to begin with each earlier one', async () => {
      const heads: KeyTreeHead[] = [await log().getTreeHead()];
      const owner = await server.user();
      for (let i = 0; i < 6; i += 1) {
        await register(owner);
        heads.push(await log().getTreeHead());
      }
      for (const [i, older] of heads.entries()) {
        for (const newer of heads.slice(i)) {
          const sizes = { firstSize: older.treeSize, secondSize: newer.treeSize };
          const { hashes } = await log().getConsistencyProof(sizes);
          const claim = {
            oldSize: older.treeSize,
            oldRoot: root(older),
            newSize: newer.treeSize,
            newRoot: root(newer),
            proof: hashes.map(fromBase64),
          };
          assert.ok(verifyConsistency(claim));
          assert.equal(verifyConsistency({ ...claim, newRoot: midHash('another tree') }), false);
        }
      }
    });

    test('an auditor without an account reads the whole log by pages and comes to the same root', async () => {
      await withKeys(4);
      const head = await log().getTreeHead();
      const entries = await allEntries(3);
      assert.deepEqual(
        entries.map((entry) => entry.keyId),
        entries.map((_, i) => i + 1),
      );
      assert.equal(entries.length, head.treeSize);
      for (const entry of entries) assert.ok(await proves(entry, head));
      assert.deepEqual(await allEntries(limits.keyLogPage.value), entries);
    });

    test('the log names nobody', async () => {
      const owner = await withKeys(1);
      const text = JSON.stringify(await allEntries(1000));
      assert.ok(!text.includes(owner.mid));
      assert.ok(text.includes(toBase64(midHash(owner.mid))));
    });

    test('a key that the log does not have is not proved', async () => {
      await withKeys(2);
      const { treeSize } = await log().getTreeHead();
      const { getInclusionProof, getConsistencyProof, getEntries } = log();
      const notFound = failsWith('NOT_FOUND');
      await assert.rejects(getInclusionProof({ keyId: treeSize + 1, treeSize }), notFound);
      await assert.rejects(getInclusionProof({ keyId: treeSize, treeSize: treeSize - 1 }), notFound);
      await assert.rejects(getInclusionProof({ keyId: 0, treeSize }), notFound);
      await assert.rejects(getInclusionProof({ keyId: 1, treeSize: treeSize + 1 }), notFound);
      await assert.rejects(getInclusionProof({ keyId: 1, treeSize: 0 }), notFound);
      await assert.rejects(getConsistencyProof({ firstSize: 0, secondSize: treeSize + 1 }), notFound);
      await assert.rejects(getConsistencyProof({ firstSize: 2, secondSize: 1 }), notFound);
      assert.deepEqual(await getConsistencyProof({ firstSize: 0, secondSize: treeSize }), { hashes: [] });
      assert.deepEqual(await getEntries({ after: treeSize }), []);
    });

    test('keys registered at once, and one registered again, leave a log without gaps', async () => {
      const users = await Promise.all(Array.from({ length: 8 }, () => server.user()));
      const before = await log().getTreeHead();
      const keyData = randomBytes(32).toString('base64');
      await Promise.all([
        ...users.map(register),
        ...Array.from({ length: 4 }, () => users[0]?.client.TalkService.registerE2EEPublicKey(0, { keyData })),
      ]);
      const head = await log().getTreeHead();
      assert.equal(head.treeSize, before.treeSize + 9);
      for (const entry of await allEntries(1000)) assert.ok(await proves(entry, head));
    });

    test('the keys of a deleted account stay in the log', async () => {
      const owner = await withKeys(2);
      const entries = await allEntries(1000);
      await operator(server).deleteAccount({ account: owner.mid });
      const head = await log().getTreeHead();
      assert.deepEqual(await allEntries(1000), entries);
      for (const entry of entries) assert.ok(await proves(entry, head));
    });

    test('a key that is exchanged in the database is found by whoever audited before, and by its owner', async () => {
      const owner = await withKeys(2);
      const [key] = await owner.client.TalkService.getE2EEPublicKeys();
      assert.ok(key);
      const known = await auditKeyLog(log());
      const { store } = server.server;
      const exchange = async (keyData: string) =>
        store.transact(async (tx) => {
          await tx.run(exchangeKey, keyData, key.keyId);
          await tx.run(forgetNodes);
          await extendLog(tx);
        });
      await exchange(randomBytes(32).toString('base64'));
      await assert.rejects(auditKeyLog(log(), known), KeyLogError);
      const entry = { ...key, midHash: toBase64(midHash(owner.mid)) };
      assert.ok(!(await proves(entry, await log().getTreeHead())));
      await exchange(key.keyData);
      assert.deepEqual(await auditKeyLog(log(), known), known);
    });

    test('after a restart the log and its key are the same, and what an older server did not log is made up', async () => {
      await withKeys(3);
      const { rootHash, publicKey, treeSize } = await log().getTreeHead();
      const { store } = server.server;
      const nodes = (await store.read((reader) => reader.one(nodeCount)))?.count;
      await store.transact((tx) => tx.run(forgetNodes));
      await server.restart();
      auditor.close();
      auditor = createRpcClient({ url: server.url });
      const head = await log().getTreeHead();
      assert.deepEqual(
        { rootHash: head.rootHash, publicKey: head.publicKey, treeSize: head.treeSize },
        { rootHash, publicKey, treeSize },
      );
      assert.equal((await server.server.store.read((reader) => reader.one(nodeCount)))?.count, nodes);
    });
  });
}
