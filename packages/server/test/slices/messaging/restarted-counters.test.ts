// Clients that restart their counter with their program, and send sealed messages without a time of their own. The
// chunks are no part of what makes a repeat, so two different messages look the same.
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { limits, type OutgoingMessage } from '@sealpost/contract';
import { databases, startServer } from '@sealpost/dev-env/harness';
import { sealingUser } from '@sealpost/dev-env/sealing-user';
import { createRpcClient } from '@sealpost/sdk';
import { systemPorts } from '../../../src/platform/kernel/system.ts';

const KEY = 7;

for (const database of databases) {
  describe(`restarted counters on ${database}`, () => {
    async function prepared(t: TestContext) {
      let ahead = 0;
      const { clock } = systemPorts;
      const server = await startServer({ database, ports: { clock: { ...clock, now: () => clock.now() + ahead } } });
      t.after(() => server.close());
      const [ann, ben] = [await sealingUser(await server.user('ann')), await sealingUser(await server.user('ben'))];
      return {
        ...{ server, ann, ben },
        /** Seals a text and sends it. Returns the id of the message, and the text as its receiver reads it. */
        async send(text: string, more: Partial<OutgoingMessage> = {}) {
          const { id } = await ann.send({ ...(await ann.sealFor(ben.mid, text)), ...more }, KEY);
          const [message] = await ben.user.client.TalkService.getMessagesByIds([id]);
          assert.ok(message);
          return { id, text: await ben.open(message) };
        },
        pass(ms: number) {
          ahead += ms;
        },
      };
    }

    test('a later message with the same reqSeq is another one, soon after it is a repeat', async (t) => {
      const { server, ann, ben, send, pass } = await prepared(t);
      const first = await send('come at five');
      assert.deepEqual(await send('come at five'), first);
      pass(limits.sealedRepeatMs.value + 1000);
      const second = await send('do not come');
      assert.equal(second.text, 'do not come');
      assert.notEqual(second.id, first.id);
      assert.deepEqual(await send('do not come'), second);
      const again = await ann.sealFor(ben.mid, 'do not come');
      const { session } = ann.user.client;
      await server.restart();
      // Now the server knows its earlier sends from the log only.
      const client = createRpcClient({ url: server.url, ...(session && { session }) });
      assert.equal((await client.TalkService.sendMessage(KEY, again)).id, second.id);
      client.close();
    });

    test('a message with a time of its own is a repeat for a day', async (t) => {
      const { send, pass } = await prepared(t);
      const first = await send('come at five', { createdTime: '1700000000000' });
      pass(limits.requestMemoryMs.value - 60_000);
      assert.deepEqual(await send('come at five', { createdTime: '1700000000000' }), first);
      const other = await send('do not come', { createdTime: '1700000000001' });
      assert.equal(other.text, 'do not come');
    });
  });
}
