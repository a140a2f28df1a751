import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { KeyLogEntry, KeyTreeHead } from '@sealpost/contract';
import { fromBase64 } from '@sealpost/crypto';
import { signedHead } from '@sealpost/dev-env/forged-log';
import { startServer, type TestServer } from '@sealpost/dev-env/harness';
import { auditKeyLog, createRpcClient, KeyLogError, type RpcClient } from '@sealpost/sdk';

describe('the audit of the key log', () => {
  let server: TestServer;
  let auditor: RpcClient;
  before(async () => {
    server = await startServer();
    auditor = createRpcClient({ url: server.url });
    await register(5);
  });
  after(async () => {
    auditor.close();
    await server.close();
  });

  const log = () => auditor.KeyTransparencyService;
  async function register(keys: number): Promise<void> {
    const { client } = await server.user();
    for (let i = 0; i < keys; i += 1) {
      await client.TalkService.registerE2EEPublicKey(0, { keyData: randomBytes(32).toString('base64') });
    }
  }
  /** Returns access to the log of the real server, with some answers changed. */
  const liar = (lies: {
    head?: (head: KeyTreeHead) => KeyTreeHead;
    entries?: (entries: KeyLogEntry[]) => KeyLogEntry[];
  }) => ({
    getTreeHead: async () => (lies.head ?? ((head) => head))(await log().getTreeHead()),
    getEntries: async (request: Parameters<ReturnType<typeof log>['getEntries']>[0]) =>
      (lies.entries ?? ((entries) => entries))(await log().getEntries(request)),
  });
  const isRefused = (attempt: Promise<unknown>, reason: RegExp) =>
    assert.rejects(attempt, (error) => error instanceof KeyLogError && reason.test(error.message));

  test('an honest log is accepted, and read on from where the last audit ended', async () => {
    let known = await auditKeyLog(log());
    for (const more of [0, 1, 2, 7]) {
      await register(more);
      const asked: number[] = [];
      const service = {
        getTreeHead: () => log().getTreeHead(),
        getEntries: (request: { after: number }) => {
          asked.push(request.after);
          return log().getEntries(request);
        },
      };
      const next = await auditKeyLog(service, known);
      assert.equal(next.treeSize, known.treeSize + more);
      assert.deepEqual(asked, more === 0 ? [] : [known.treeSize]);
      assert.deepEqual(await auditKeyLog(log()), next);
      known = next;
    }
  });

  test('small pages, and keys that come while it reads, lead to the same root', async () => {
    const service = {
      getTreeHead: () => log().getTreeHead(),
      getEntries: async (request: { after: number }) => {
        await register(1);
        return log().getEntries({ ...request, count: 3 });
      },
    };
    const { treeSize } = await log().getTreeHead();
    assert.equal((await auditKeyLog(service)).treeSize, treeSize);
  });

  test('a changed, exchanged or missing key is found', async () => {
    const other = randomBytes(32).toString('base64');
    await isRefused(
      auditKeyLog(liar({ entries: ([a, ...rest]) => (a ? [{ ...a, keyData: other }, ...rest] : []) })),
      /signed/,
    );
    await isRefused(
      auditKeyLog(liar({ entries: ([a, ...rest]) => (a ? [{ ...a, midHash: other }, ...rest] : []) })),
      /signed/,
    );
    await isRefused(auditKeyLog(liar({ entries: ([, ...rest]) => rest })), /key 2 stands where key 1 belongs/);
    await isRefused(
      auditKeyLog(liar({ entries: ([a, b, ...rest]) => (a && b ? [b, a, ...rest] : []) })),
      /stands where/,
    );
    await isRefused(auditKeyLog(liar({ entries: () => [] })), /does not show number 1/);
    await isRefused(
      auditKeyLog(liar({ entries: ([a]) => (a ? [{ ...a, keyData: 'QQ==' }] : []) })),
      /entry 1 is not a key/,
    );
    await isRefused(auditKeyLog(liar({ entries: ([a]) => (a ? [{ ...a, keyData: '?' }] : []) })), /not base64/);
  });

  test('a head that its key did not sign, another key and a log that shrank are found', async () => {
    const known = await auditKeyLog(log());
    await isRefused(auditKeyLog(liar({ head: (head) => ({ ...head, timestamp: '1' }) })), /not signed/);
    await isRefused(auditKeyLog(liar({ head: (head) => ({ ...head, treeSize: head.treeSize - 1 }) })), /not signed/);
    const forge =
      (treeSize: number) =>
      ({ rootHash, timestamp }: KeyTreeHead) =>
        signedHead(treeSize, fromBase64(rootHash), Buffer.alloc(32, 7), Number(timestamp));
    const own = await log().getTreeHead();
    await isRefused(auditKeyLog(liar({ head: forge(own.treeSize) }), known), /is signed with .* it was with/);
    const { publicKey } = forge(1)(own);
    await isRefused(auditKeyLog(liar({ head: forge(1) }), { ...known, publicKey }), /has 1 keys, it had/);
  });

  test('a state that was damaged is not taken for a server that lies', async () => {
    const known = await auditKeyLog(log());
    const damaged = /remembered of the log is damaged/;
    await isRefused(auditKeyLog(log(), { ...known, edge: known.edge.slice(1) }), damaged);
    await isRefused(auditKeyLog(log(), { ...known, rootHash: known.edge[0] as string }), damaged);
  });
});
