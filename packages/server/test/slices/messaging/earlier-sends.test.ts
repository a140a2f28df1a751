// A repeated send gets the answer of the first send, however many sends and restarts came in between.
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { limits } from '@sealpost/contract';
import { databases, startServer } from '@sealpost/dev-env/harness';
import { createRpcClient } from '@sealpost/sdk';
import { systemPorts } from '../../../src/platform/kernel/system.ts';
import type { RawJson } from '../../../src/platform/rpc/call.ts';
import { sql } from '../../../src/platform/store/sql.ts';

/** More sends than a server keeps in memory for one account. */
const MANY = 200;
const FIRST = 1000;

const countOperations = sql<{ count: number }>('select count(*) as count from operation where account_id = ?');

const CALL = {
  method: 'TalkService.sendMessage',
  remoteAddress: '127.0.0.1',
  chromeClient: false,
  header: () => undefined,
  signal: new AbortController().signal,
  setCookie: () => {},
} as const;

const idOf = (answer: unknown): string => JSON.parse((answer as RawJson).json).id;

for (const database of databases) {
  describe(`earlier sends on ${database}`, () => {
    async function prepared(t: TestContext) {
      let ahead = 0;
      const { clock } = systemPorts;
      const server = await startServer({
        database,
        ports: { clock: { ...clock, now: () => clock.now() + ahead } },
        strict: false,
      });
      const alice = await server.user('alice');
      const bob = await server.user('bob');
      const { session } = alice.client;
      if (!session) throw new Error('no session');
      let { client } = alice;
      t.after(async () => {
        client.close();
        await server.close();
      });
      const send = async (reqSeq: number, text = `text ${reqSeq}`) =>
        (await client.TalkService.sendMessage(reqSeq, { to: bob.mid, text })).id;
      const many = await Promise.all(Array.from({ length: MANY }, (_, i) => send(FIRST + i)));
      return {
        send,
        many,
        /** Sends several messages in one transaction. */
        async together(reqSeq: number, texts: readonly string[]) {
          const { handlers, accounts } = server.server.slices;
          const { id: accountId } = (await accounts.show(alice.mid)) as { id: number };
          const caller = { accountId, mid: alice.mid, sessionId: 1 };
          const answers = texts.map((text) => {
            const message = { to: bob.mid, text };
            const call = { ...CALL, caller, args: [reqSeq, message] };
            return handlers['TalkService.sendMessage'](call, reqSeq, message);
          });
          return (await Promise.all(answers)).map((answer) => idOf(answer));
        },
        received: async () => (await bob.log()).length,
        async restart() {
          await server.restart();
          client = createRpcClient({ url: server.url, session });
        },
        pass(ms: number) {
          ahead += ms;
        },
        /** Removes every operation except the newest from the sender's stream. */
        async trim() {
          const { store, log, slices } = server.server;
          const { id } = (await slices.accounts.show(alice.mid)) as { id: number };
          await store.transact((tx) => log.trim(tx, id, 0, 1));
          return store.read((reader) => reader.one(countOperations, id)).then((row) => row?.count);
        },
      };
    }

    test('the oldest and the newest of many are known, and so are those that came out of turn', async (t) => {
      const { send, many, received } = await prepared(t);
      assert.equal(await send(FIRST), many[0]);
      assert.equal(await send(FIRST + MANY - 1), many.at(-1));
      const late = await send(FIRST - 500);
      assert.ok(!many.includes(late));
      const [again, other] = await Promise.all([send(FIRST - 500), send(FIRST - 500, 'other')]);
      assert.equal(again, late);
      assert.notEqual(other, late);
      assert.equal(await received(), MANY + 2);
    });

    test('of sends that wait for the database together, each is stored once', async (t) => {
      const { together, received } = await prepared(t);
      const ids = await together(FIRST + MANY, ['a', 'b', 'a', 'c', 'b', 'a']);
      const [a, b, , c] = ids;
      assert.deepEqual(ids, [a, b, a, c, b, a]);
      assert.equal(new Set(ids).size, 3);
      assert.equal(await received(), MANY + 3);
    });

    test('earlier sends are known after a restart', async (t) => {
      const { send, many, restart } = await prepared(t);
      await restart();
      assert.deepEqual(await Promise.all([0, 99, MANY - 1].map((i) => send(FIRST + i))), [
        many[0],
        many[99],
        many.at(-1),
      ]);
      const next = await send(FIRST + MANY);
      assert.ok(!many.includes(next));
      assert.equal(await send(FIRST + MANY), next);
    });

    test('earlier sends are known after the log was trimmed, and are removed a day later', async (t) => {
      const { send, many, restart, trim, pass } = await prepared(t);
      assert.equal(await trim(), MANY);
      await restart();
      assert.equal(await send(FIRST), many[0]);
      assert.equal(await trim(), MANY);
      pass(limits.requestMemoryMs.value + 1000);
      assert.equal(await trim(), 1);
    });

    test('every send of a counter that began anew is new, and known again when it is repeated', async (t) => {
      const { send, many, restart } = await prepared(t);
      const round = (name: string) =>
        Promise.all(Array.from({ length: MANY }, (_, i) => send(FIRST + i, `${name} ${FIRST + i}`)));
      const second = await round('second');
      assert.equal(new Set([...many, ...second]).size, 2 * MANY);
      assert.deepEqual(await round('second'), second);
      assert.deepEqual(await round('text'), many);
      await restart();
      const third = await round('third');
      assert.deepEqual([await round('third'), await round('second'), await round('text')], [third, second, many]);
      assert.equal(new Set([...many, ...second, ...third]).size, 3 * MANY);
    });

    test('a day later earlier sends are forgotten, and a restarted counter repeats none', async (t) => {
      const { send, many, pass } = await prepared(t);
      pass(limits.requestMemoryMs.value / 2);
      const noon = await send(FIRST + MANY);
      pass(limits.requestMemoryMs.value / 2 + 1000);
      const anew = await send(FIRST);
      assert.notEqual(anew, many[0]);
      assert.equal(await send(FIRST), anew);
      assert.equal(await send(FIRST + MANY), noon);
    });
  });
}
