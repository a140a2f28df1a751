// The memories of two servers for the sends of one account. Each server takes some of the sends, and any of them may be
// asked for a repeat.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { databases, startServer, type TestServer } from '@sealpost/dev-env/harness';
import type { OperationLog } from '../../../src/platform/stream/operation-log.ts';
import { createEarlierSends } from '../../../src/slices/messaging/earlier-sends.ts';
import type { Send } from '../../../src/slices/messaging/send.ts';

const READS = ['sendsAfter', 'highestSends', 'sendsOfSession', 'sendsLike'] as const;
const CHAT = 1;

for (const database of databases) {
  describe(`earlier sends of two servers on ${database}`, () => {
    let server: TestServer;
    before(async () => {
      server = await startServer({ database });
    });
    after(() => server.close());

    /** Two memories over the logs of two new accounts. */
    async function stage(name: string, mostKept?: number) {
      const { store, log, slices } = server.server;
      const [own, other] = await Promise.all(
        [name, `${name}-other`].map(async (account) => {
          const { mid } = await server.user(account);
          return { mid, accountId: ((await slices.accounts.show(mid)) as { id: number }).id };
        }),
      );
      assert.ok(own && other);
      const reads: string[] = [];
      const counted = Object.fromEntries(
        READS.map((read) => [
          read,
          (...given: never[]) => {
            reads.push(read);
            return (log[read] as (...all: never[]) => unknown)(...given);
          },
        ]),
      );
      const clock = { now: () => Date.now(), monotonic: () => 0 };
      const watched: OperationLog = { ...log, ...counted };
      const given = { log: watched, clock, ...(mostKept !== undefined && { mostKept }) };
      const memories = [createEarlierSends(given), createEarlierSends(given)];
      let newest = Date.now() * 2 ** 12;

      /** Sends by one of the servers. Returns the id of the message, and whether an earlier send had made it. */
      const sendBy = (which: 0 | 1, reqSeq: number, { mid, accountId } = own) =>
        store.transact(async (tx) => {
          const text = `text ${reqSeq}`;
          const heads = await log.lock(tx, [accountId]);
          const caller = { accountId, mid, sessionId: 1 };
          const send: Send = { caller, reqSeq, fingerprint: text, message: { to: mid, text } };
          const earlier = await (memories[which] as (typeof memories)[number])(tx, [send], heads);
          const known = earlier.find(send);
          if (known !== undefined) return { id: known, repeats: true };
          newest += 1;
          earlier.add(send, newest);
          const message = { chatId: CHAT, id: newest, body: '{}' };
          const request = { sessionId: 1, fingerprint: text };
          const operation = { accountId, to: 'self', type: 'SEND_MESSAGE', reqSeq, message, request } as const;
          await log.append(tx, [operation], heads);
          return { id: newest, repeats: false };
        });
      return { sendBy, reads, other };
    }

    test('sends that reach two servers out of order are told apart from repeats without the whole log', async () => {
      const { sendBy, reads } = await stage('out-of-order');
      await sendBy(0, 1);
      await sendBy(1, 2);
      reads.length = 0;
      const made = new Map<number, number>();
      for (const [at, reqSeq] of [5, 4, 3, 8, 7, 6, 9, 12, 11, 10].entries()) {
        const { id, repeats } = await sendBy(at % 2 === 0 ? 0 : 1, reqSeq);
        assert.equal(repeats, false, `send ${reqSeq} is new`);
        made.set(reqSeq, id);
      }
      for (const [reqSeq, id] of made)
        for (const which of [0, 1] as const) assert.deepEqual(await sendBy(which, reqSeq), { id, repeats: true });
      assert.deepEqual([...new Set(reads)], ['sendsAfter']);
    });

    test('a server that missed very many operations still knows every repeat', async () => {
      const { sendBy, reads } = await stage('missed-many');
      const first = await sendBy(0, 1);
      await sendBy(1, 2);
      const many: number[] = [];
      for (let reqSeq = 3; reqSeq < 603; reqSeq += 1) many.push((await sendBy(0, reqSeq)).id);
      reads.length = 0;
      assert.deepEqual(await sendBy(1, 603), { id: (many.at(-1) as number) + 1, repeats: false });
      assert.deepEqual([...new Set(reads)], ['highestSends']);
      assert.deepEqual(await sendBy(1, 1), { ...first, repeats: true });
      assert.deepEqual(await sendBy(1, 300), { id: many[297], repeats: true });
    });

    test('a sender whose sends are no longer kept is remembered by its highest reqSeq', async () => {
      const { sendBy, reads, other } = await stage('crowded', 8);
      const first = await sendBy(0, 1);
      for (let reqSeq = 2; reqSeq <= 6; reqSeq += 1) await sendBy(0, reqSeq);
      for (let reqSeq = 1; reqSeq <= 6; reqSeq += 1) await sendBy(0, reqSeq, other);
      reads.length = 0;
      assert.equal((await sendBy(0, 7)).repeats, false);
      assert.equal((await sendBy(0, 7, other)).repeats, false);
      assert.equal((await sendBy(0, 8)).repeats, false);
      assert.deepEqual(reads, [], 'the log is not read');
      assert.deepEqual(await sendBy(0, 1), { ...first, repeats: true });
      assert.deepEqual(reads, ['sendsOfSession']);
    });
  });
}
