// Connections that break or slow down in the middle of a transfer.
import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { contentTypes } from '@sealpost/contract';
import type { Timers } from '@sealpost/contract/ports';
import { seed } from '@sealpost/dev-env/chance';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { accessToken, objectClient } from '@sealpost/dev-env/object-client';
import { createRandom } from '@sealpost/dev-env/workload/random';
import { systemPorts } from '../../../src/platform/kernel/system.ts';

const random = createRandom(seed);
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** The server checks the rate of a transfer every 30 seconds. In this test, the checks come FASTER times as often. */
const FASTER = 100;
const LEAST_RATE = 1024;
const WINDOW_MS = 30_000;
const timers: Timers = {
  ...systemPorts.timers,
  every: (ms, run) => systemPorts.timers.every(ms === WINDOW_MS ? ms / FASTER : ms, run),
};

for (const database of databases) {
  describe(`cuts on ${database}`, () => {
    let server: TestServer;
    let alice: TestUser;
    let objects: ReturnType<typeof objectClient>;
    before(async () => {
      server = await startServer({ database, ports: { timers }, flags: { 'transfer-rate': String(LEAST_RATE) } });
      objects = objectClient(server);
      alice = await server.user('alice');
    });
    after(() => server.close());

    function open(path: string, headers: Record<string, string>): ClientRequest {
      const call = request(server.url + path, {
        method: 'POST',
        headers: { 'X-Svc-Access': accessToken(alice), ...headers },
      });
      return call.on('error', () => {});
    }
    /** Waits until the writer of an upload has ended. Returns the number of bytes that are stored safely. */
    async function offsetOf(path: string): Promise<number> {
      for (let tries = 0; tries < 1000; tries++, await pause(10)) {
        const answer = await objects.get(alice, `${path}/info.obs`);
        const { status, offset = 0 } = answer.json() as { status: string; offset?: number };
        if (status !== 'uploading') return offset;
      }
      throw new Error(`${path} is still being written`);
    }

    test('an upload that is cut again and again, wherever that is, goes on from where it was', async () => {
      const bytes = randomBytes(3_000_000);
      const path = `/r/talk/emf/reqid-${randomUUID()}`;
      const cuts: number[] = [];
      let offset = 0;
      while (cuts.length < 12) {
        const cut = offset + random.below(bytes.length - offset);
        cuts.push(cut);
        const call = open(path, {
          'Content-Length': String(bytes.length - offset),
          Range: `bytes ${offset}-${bytes.length - 1}/${bytes.length}`,
        });
        call.write(bytes.subarray(offset, cut));
        await once(call, 'socket');
        // After this pause, all of the bytes or a part of them have arrived.
        await pause(random.below(30));
        call.destroy();
        const next = await offsetOf(path);
        // Bytes that were sent before the cut may still arrive after `offset` was read.
        assert.ok(next >= offset && next <= Math.max(...cuts), `${next} after ${offset}; cut at ${cuts}`);
        offset = next;
      }
      const range = `bytes ${offset}-${bytes.length - 1}/${bytes.length}`;
      const done = await objects.post(alice, path, bytes.subarray(offset), { Range: range });
      assert.deepEqual([done.status, done.headers.get('x-obs-hash')], [201, sha256(bytes)], `cut at ${cuts}`);
    });

    test('an upload that crawls is cut, and keeps what it brought; one that is fast enough is not', async () => {
      const path = `/r/talk/emf/reqid-${randomUUID()}`;
      const crawling = open(path, { 'Content-Length': '1000000' });
      const closed = new Promise((resolve) => crawling.once('close', resolve));
      const drip = setInterval(() => crawling.write('x'), 10);
      await closed.finally(() => clearInterval(drip));
      const brought = await offsetOf(path);
      assert.ok(brought > 0 && brought < 1000, String(brought));

      const piece = randomBytes(64 * 1024);
      const steady = open(`/r/talk/emf/reqid-${randomUUID()}`, { 'Content-Length': String(piece.length * 40) });
      const answered = once(steady, 'response');
      for (let i = 0; i < 40; i++, await pause(20)) steady.write(piece);
      steady.end();
      const [response] = await answered;
      assert.equal(response.statusCode, 201);
    });

    test('uploads of one object at the same moment are all answered, because each of them arrived whole', async () => {
      const path = `/r/talk/emf/reqid-${randomUUID()}`;
      const bytes = randomBytes(70);
      const answers = await Promise.all(Array.from({ length: 30 }, () => objects.post(alice, path, bytes)));
      const told = answers.map(({ status, headers }) => `${status} ${headers.get('x-obs-hash')}`);
      assert.deepEqual([...new Set(told)], [`201 ${sha256(bytes)}`]);
    });

    test('a reader that takes nothing is cut', async () => {
      const message = { to: alice.mid, contentType: contentTypes.FILE };
      const { id } = await alice.client.TalkService.sendMessage(100, message);
      const path = `/r/talk/m/${id}`;
      const bytes = randomBytes(32_000_000);
      assert.equal((await objects.post(alice, path, bytes)).status, 201);
      const { hostname, port } = new URL(server.url);
      const socket = connect(Number(port), hostname).pause();
      socket.on('error', () => {});
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-Svc-Access: ${accessToken(alice)}\r\n\r\n`);
      // The pause is longer than two checks, so the server must have noticed the slow transfer.
      await pause((3 * WINDOW_MS) / FASTER);
      let received = 0;
      socket.on('data', (piece) => {
        received += piece.length;
      });
      await once(socket.resume(), 'close');
      assert.ok(received > 0 && received < bytes.length, `${received} bytes came`);
    });
  });
}
