// What a client's device keeps after its account was deleted, by itself and from elsewhere.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createKeyPair } from '@sealpost/crypto';
import { startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { until } from '@sealpost/dev-env/until';
import { type Client, createClient, NetworkError } from '@sealpost/sdk';
import { folderStore } from '@sealpost/sdk/node';

const CANARY = 'a canary that nobody may find';

describe('the own account on a device', () => {
  let server: TestServer;
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-own-account-'));
  before(async () => {
    server = await startServer();
  });
  after(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  const clientIn = (name: string, options: Partial<Parameters<typeof createClient>[0]> = {}): Client => {
    const client = createClient({ url: server.url, store: folderStore(join(folder, name)), ...options });
    server.atEnd(() => client.close());
    return client;
  };

  /** Returns the names of the files that contain one of the texts. */
  function filesWith(name: string, texts: readonly string[]): string[] {
    const root = join(folder, name);
    if (!existsSync(root)) return [];
    const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const paths = files.map((entry) => join(entry.parentPath, entry.name));
    return paths.filter((path) => texts.some((text) => path.includes(text) || readFileSync(path).includes(text)));
  }

  const addKey = (client: Client, mid: string): Promise<void> =>
    client.rpc.keyStore.addOwnKeys(mid, [{ ...createKeyPair(), version: 1, keyId: 7, createdTime: 1 }]);

  /** Opens a client with a draft, keys and a certificate. */
  async function used(name: string, user: TestUser): Promise<Client> {
    const client = clientIn(name);
    await client.login({ identifier: user.userid, password: user.password });
    await addKey(client, user.mid);
    await client.synced();
    await client.replica.setDraft(user.mid, { text: CANARY });
    return client;
  }

  test('a deletion removes state, keys and certificates here, and on the devices that hear of it', async () => {
    const user = await server.user('gone');
    const first = await used('first', user);
    const second = await used('second', user);
    const traces = [user.mid, user.userid, CANARY];
    assert.ok(filesWith('first', traces).length > 0);
    assert.ok(filesWith('second', traces).length > 0);
    await first.ownAccount.delete(user.password);
    await until(() => second.session === undefined, 'the other device hears of the deletion');
    await second.forgotten();
    assert.deepEqual(filesWith('first', traces), []);
    assert.deepEqual(filesWith('second', traces), []);
    assert.equal(await first.open(), undefined);
    await assert.rejects(second.login({ identifier: user.userid, password: user.password }));
  });

  test('another account of the same store keeps its keys', async () => {
    const [user, other] = [await server.user('leaving'), await server.user('staying')];
    const store = folderStore(join(folder, 'shared'));
    const client = clientIn('shared', { store });
    await client.login({ identifier: other.userid, password: other.password });
    await addKey(client, other.mid);
    await client.logout();
    await client.login({ identifier: user.userid, password: user.password });
    await client.ownAccount.delete(user.password);
    assert.equal((await store.keyStore.ownKeys(other.mid)).length, 1);
    assert.ok(await store.certificates.load(other.userid));
    assert.equal(await store.certificates.load(user.userid), undefined);
  });

  test('the certificate of this device is found under the new user id', async () => {
    const user = await server.user('renamed');
    const store = folderStore(join(folder, 'renamed'));
    const client = clientIn('renamed', { store });
    await client.login({ identifier: user.userid, password: user.password });
    const certificate = await store.certificates.load(user.userid);
    const userid = `new-${user.userid}`;
    assert.equal((await client.ownAccount.changeIdentifiers({ password: user.password, userid })).userid, userid);
    assert.ok(certificate);
    assert.equal(await store.certificates.load(userid), certificate);
    await client.synced();
    assert.equal(client.replica.profile?.userid, userid);
  });

  test('a change whose answer is lost is repeated, and is done once', async () => {
    const user = await server.user('lossy');
    let losses = 2;
    const client = clientIn('lossy', {
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        if (!String(input).endsWith('/changePassword') || losses-- <= 0) return response;
        await response.arrayBuffer();
        throw new TypeError('the connection broke');
      },
    });
    await client.login({ identifier: user.userid, password: user.password });
    const newPassword = 'a new long secret';
    await client.ownAccount.changePassword({ password: user.password, newPassword });
    losses = Number.POSITIVE_INFINITY;
    const change = client.ownAccount.changePassword({ password: newPassword, newPassword: user.password });
    await assert.rejects(change, NetworkError);
    const again = clientIn('lossy again');
    await again.login({ identifier: user.userid, password: user.password });
  });
});
