// The clock of the machine jumps by a day, forward and back, while a server runs and people send. Order, ids and times
// of messages never go back, and nobody is logged out.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { databases, startServer } from '@sealpost/dev-env/harness';
import { createRpcClient } from '@sealpost/sdk';

const DAY_MS = 24 * 60 * 60 * 1000;
const SENDS = 15;
/** What the clock is ahead of the right time: it jumps forward, back to the right time, back further, and returns. */
const JUMPS = [0, DAY_MS, 0, -DAY_MS, 0];

for (const database of databases) {
  describe(`a clock that jumps by a day on ${database}`, () => {
    test('moves no message, no id and no time back, and loses none', async () => {
      let ahead = 0;
      const clock = { now: () => Date.now() + ahead, monotonic: () => performance.now() };
      const server = await startServer({ database, ports: { clock } });
      try {
        const [alice, bob] = [await server.user('alice'), await server.user('bob')];
        const total = 2 * SENDS * JUMPS.length;
        const seen: { id: string; text: string; createdTime: string }[] = [];
        const stop = new AbortController();
        const reading = (async () => {
          for await (const event of bob.client.operations({ from: '0', signal: stop.signal })) {
            if (event.kind !== 'operation' || !event.operation.message) continue;
            const { id, text = '', createdTime } = event.operation.message;
            seen.push({ id, text, createdTime });
            if (seen.length === total) stop.abort();
          }
        })();
        const sent: string[] = [];
        for (const jump of JUMPS) {
          ahead = jump;
          for (let n = 0; n < SENDS; n++) {
            for (const [from, to] of [
              [alice, bob],
              [bob, alice],
            ] as const) {
              const text = `message ${sent.length}`;
              await from.client.sendText(to.mid, text);
              sent.push(text);
            }
          }
        }
        await reading;
        assert.deepEqual(
          seen.map(({ text }) => text),
          sent,
        );
        const rises = (values: readonly bigint[], least: bigint) =>
          values.every((value, n) => n === 0 || value - (values[n - 1] ?? 0n) >= least);
        assert.ok(
          rises(
            seen.map(({ id }) => BigInt(id)),
            1n,
          ),
          'an id went back',
        );
        assert.ok(
          rises(
            seen.map(({ createdTime }) => BigInt(createdTime)),
            0n,
          ),
          'a time went back',
        );
        const history = await alice.client.TalkService.getRecentMessagesV2(bob.mid, total);
        assert.deepEqual(history.map(({ text }) => text).reverse(), sent);
        // Both are still logged in.
        for (const { client, mid } of [alice, bob]) assert.equal((await client.TalkService.getProfile()).mid, mid);
      } finally {
        await server.close();
      }
    });

    test('goes back before a start, and new messages still come after the older ones', async () => {
      let ahead = DAY_MS;
      const clock = { now: () => Date.now() + ahead, monotonic: () => performance.now() };
      const server = await startServer({ database, ports: { clock } });
      try {
        const [alice, bob] = [await server.user('alice'), await server.user('bob')];
        const before = await alice.client.sendText(bob.mid, 'before');
        ahead = 0;
        await server.restart();
        const { session } = alice.client;
        assert.ok(session);
        const again = createRpcClient({ url: server.url, session });
        const after = await again.sendText(bob.mid, 'after');
        assert.ok(BigInt(after.id) > BigInt(before.id), `${after.id} after ${before.id}`);
        assert.ok(BigInt(after.createdTime) >= BigInt(before.createdTime));
        const history = await again.TalkService.getRecentMessagesV2(bob.mid, 2);
        assert.deepEqual(
          history.map(({ text }) => text),
          ['after', 'before'],
        );
        again.close();
      } finally {
        await server.close();
      }
    });
  });
}
