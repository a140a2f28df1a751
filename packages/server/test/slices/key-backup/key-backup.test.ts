import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { limits } from '@sealpost/contract';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { failsWith, operator } from '@sealpost/dev-env/people';
import { createRpcClient, deviceNewsOf } from '@sealpost/sdk';
import { sql } from '../../../src/platform/store/sql.ts';

const stored = sql<{ count: number }>('select count(*) as count from key_backup');
const blobOf = (bytes: number) => randomBytes(bytes).toString('base64');

for (const database of databases) {
  describe(`key backup on ${database}`, () => {
    let server: TestServer;
    before(async () => {
      server = await startServer({ database });
    });
    after(() => server.close());

    const backup = ({ client }: Pick<TestUser, 'client'>) => client.KeyBackupService;
    const news = async (user: TestUser) =>
      (await user.log()).flatMap((operation) => {
        const found = deviceNewsOf(operation);
        return found ? [{ kind: found.kind, id: found.id, system: found.about.systemName }] : [];
      });

    test('a backup is read back as it was stored, from another session and after a restart', async () => {
      const user = await server.user();
      const blob = blobOf(5000);
      const never = await backup(user).getBackupInfo();
      assert.deepEqual(never, { version: 0, size: 0, updatedTime: '0' });
      const info = await backup(user).putBackup({ expectedVersion: 0, blob });
      assert.deepEqual({ version: info.version, size: info.size }, { version: 1, size: 5000 });
      const other = await user.session();
      assert.deepEqual(await other.KeyBackupService.getBackupInfo(), info);
      assert.deepEqual(await other.KeyBackupService.getBackup(), { version: 1, blob, updatedTime: info.updatedTime });
      await server.restart();
      const again = createRpcClient({ url: server.url });
      await again.login({ identifier: user.userid, password: user.password });
      assert.equal((await again.KeyBackupService.getBackup()).blob, blob);
      again.close();
    });

    test('only a caller that knows the version replaces or deletes the backup', async () => {
      const user = await server.user();
      const [first, second] = [blobOf(100), blobOf(100)];
      await backup(user).putBackup({ expectedVersion: 0, blob: first });
      const stale = failsWith('INVALID_STATE', /expectedVersion is 0, the backup has 1/);
      await assert.rejects(backup(user).putBackup({ expectedVersion: 0, blob: second }), stale);
      await assert.rejects(backup(user).deleteBackup({ expectedVersion: 7 }), failsWith('INVALID_STATE'));
      const raced = await Promise.allSettled(
        Array.from({ length: 5 }, () => backup(user).putBackup({ expectedVersion: 1, blob: blobOf(100) })),
      );
      assert.equal(raced.filter((outcome) => outcome.status === 'fulfilled').length, 1);
      assert.equal((await backup(user).getBackupInfo()).version, 2);
    });

    test('a deleted backup is gone, and no version is used twice', async () => {
      const user = await server.user();
      await backup(user).putBackup({ expectedVersion: 0, blob: blobOf(10) });
      const gone = await backup(user).deleteBackup({ expectedVersion: 1 });
      assert.deepEqual({ version: gone.version, size: gone.size }, { version: 2, size: 0 });
      await assert.rejects(backup(user).getBackup(), failsWith('NOT_FOUND'));
      await assert.rejects(
        backup(user).putBackup({ expectedVersion: 0, blob: blobOf(10) }),
        failsWith('INVALID_STATE'),
      );
      assert.equal((await backup(user).putBackup({ expectedVersion: 2, blob: blobOf(10) })).version, 3);
    });

    test('every store, read and delete is told to all sessions with the device that did it, a repeat is not', async () => {
      const user = await server.user();
      const other = await user.session();
      const blob = blobOf(10);
      const id = other.session?.tokens.loginSessionId;
      const info = await other.KeyBackupService.putBackup({ expectedVersion: 0, blob });
      assert.deepEqual(await other.KeyBackupService.putBackup({ expectedVersion: 0, blob }), info);
      await other.KeyBackupService.getBackup();
      await other.KeyBackupService.getBackupInfo();
      const gone = await other.KeyBackupService.deleteBackup({ expectedVersion: 1 });
      assert.deepEqual(await other.KeyBackupService.deleteBackup({ expectedVersion: 1 }), gone);
      assert.deepEqual(
        await news(user),
        ['backup-stored', 'backup-read', 'backup-deleted'].map((kind) => ({ kind, id, system: 'test' })),
      );
    });

    test('a backup that is empty, not base64 or too large is refused, and the largest is taken', async () => {
      const user = await server.user();
      const most = limits.keyBackupBytes.value;
      const put = (blob: string) => backup(user).putBackup({ expectedVersion: 0, blob });
      for (const wrong of ['', 'not base64', 'QQ'])
        await assert.rejects(put(wrong), failsWith('E2EE_INVALID_ARGUMENT'));
      await assert.rejects(put(blobOf(most + 1)), failsWith('INVALID_LENGTH', /65537/));
      assert.equal((await backup(user).getBackupInfo()).version, 0);
      assert.equal((await put(blobOf(most))).size, most);
    });

    test('nobody reads the backup of another, and it goes with its account', async () => {
      const [user, stranger] = [await server.user(), await server.user()];
      await backup(user).putBackup({ expectedVersion: 0, blob: blobOf(10) });
      await assert.rejects(backup(stranger).getBackup(), failsWith('NOT_FOUND'));
      const count = async () => (await server.server.store.read((reader) => reader.one(stored)))?.count as number;
      const before = await count();
      await operator(server).deleteAccount({ account: user.mid });
      assert.equal(await count(), before - 1);
    });
  });
}

test('reads of the backup are few, so that whoever took over a session has no free hand', async () => {
  const server = await startServer({ servers: 1, flags: { 'rate-backup': '2+0.001' } });
  try {
    const user = await server.user();
    const { getBackup, getBackupInfo, putBackup } = user.client.KeyBackupService;
    await putBackup({ expectedVersion: 0, blob: blobOf(10) });
    await getBackup();
    await getBackup();
    await assert.rejects(getBackup(), failsWith('EXCESSIVE_ACCESS'));
    assert.equal((await getBackupInfo()).version, 1);
  } finally {
    await server.close();
  }
});
