// Two servers that share a database and an object store.
import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { contentTypes } from '@sealpost/contract';
import { createDatabase, databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { accessToken, objectClient } from '@sealpost/dev-env/object-client';

const DAY_MS = 86_400_000;
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

// Only PostgreSQL is tested, because a SQLite database has one server.
for (const kind of databases.filter((name) => name === 'postgres')) {
  describe(`media of two servers on ${kind}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'sealpost-shared-'));
    let database: Awaited<ReturnType<typeof createDatabase>>;
    let one: TestServer;
    let two: TestServer;
    let alice: TestUser;
    let days = 0;
    const files = () => globSync('{published/*,unpublished}/*', { cwd: folder }).length;

    before(async () => {
      database = await createDatabase();
      const flags = { 'database-url': database.url, 'objects-url': `file:${folder}` };
      const clock = { now: () => Date.now() + days * DAY_MS, monotonic: () => performance.now() };
      one = await startServer({ flags });
      two = await startServer({ flags, ports: { clock } });
      alice = await one.user('alice');
    });
    after(async () => {
      await one?.close();
      await two?.close();
      await database?.drop();
      rmSync(folder, { recursive: true, force: true });
    });

    test("each server serves the other's uploads, and simultaneous requests to both make one object", async () => {
      const { id } = await alice.client.TalkService.sendMessage(100, { to: alice.mid, contentType: contentTypes.FILE });
      const path = `/r/talk/m/${id}`;
      const bytes = randomBytes(300_000);
      const answers = await Promise.all([one, two].map((server) => objectClient(server).post(alice, path, bytes)));
      const statuses = answers.map(({ status }) => status).sort();
      // If the first one has ended before the second one begins, the same bytes are answered like the first time.
      assert.ok(statuses[0] === 201 && [201, 409].includes(statuses[1] as number), statuses.join());
      for (const server of [one, two]) assert.ok((await objectClient(server).get(alice, path)).body.equals(bytes));
    });

    test('while one server writes an object the other refuses it, and continues it after a broken upload', async () => {
      const bytes = randomBytes(500_000);
      const path = `/r/talk/emf/reqid-${randomUUID()}`;
      const range = (from: number) => ({ Range: `bytes ${from}-${bytes.length - 1}/${bytes.length}` });
      const writing = request(one.url + path, {
        method: 'POST',
        headers: { 'X-Svc-Access': accessToken(alice), 'Content-Length': String(bytes.length), ...range(0) },
      });
      writing.on('error', () => {});
      writing.write(bytes.subarray(0, 200_000));
      const other = objectClient(two);
      const state = async () => (await other.get(alice, `${path}/info.obs`)).json();
      const until = async (status: string) => {
        for (const deadline = Date.now() + 120_000; (await state()).status !== status; await pause(10)) {
          assert.ok(Date.now() < deadline, `never ${status}`);
        }
      };
      await until('uploading');
      const refused = await other.post(alice, path, bytes, range(0));
      assert.deepEqual([refused.status, refused.json().code], [409, 10052]);
      writing.destroy();
      await until('incompleted');
      const { offset } = (await state()) as { offset: number };
      const done = await other.post(alice, path, bytes.subarray(offset), range(offset));
      assert.deepEqual([done.status, done.headers.get('x-obs-hash')], [201, sha256(bytes)]);
    });

    test('a server does not sweep what the other writes, however late its clock is, nor bytes that a row names', async () => {
      const path = `/r/talk/emf/reqid-${randomUUID()}`;
      await objectClient(one).post(alice, path, randomBytes(100), { Range: 'bytes 0-99/200' });
      const before = files();
      days = 3;
      await two.server.slices.media.sweep.bytes();
      days = 0;
      assert.equal(files(), before);
      const rest = await objectClient(two).post(alice, path, randomBytes(100), { Range: 'bytes 100-199/200' });
      assert.equal(rest.status, 201);
    });
  });
}
