// A stream that lacks operations, all of which are trimmed before it reads them.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { syncTriggerReasons } from '@sealpost/contract';
import { databases, startServer, type TestServer } from '@sealpost/dev-env/harness';
import { until } from '@sealpost/dev-env/until';
import { systemPorts } from '../../../src/platform/kernel/system.ts';
import type { Store } from '../../../src/platform/store/store.ts';
import { OpenStreams } from '../../../src/platform/stream/open-streams.ts';

const FIRST = 10;
const EXPIRED = { reasons: [syncTriggerReasons.OPERATION_EXPIRED], nextRevision: String(FIRST) };

for (const database of databases) {
  describe(`a log that is trimmed to its end on ${database}`, () => {
    let server: TestServer;
    before(async () => {
      server = await startServer({ database });
    });
    after(() => server.close());

    /** Creates an account with a log, and an `OpenStreams` that hears of operations only when it polls. */
    async function stage() {
      const [ann, bob] = [await server.user('ann'), await server.user('bob')];
      const { store, log, slices } = server.server;
      const { caller } = await slices.sessions.load(ann.client.session?.tokens.accessToken ?? '');
      const { accountId } = caller;
      const send = async (count: number) => {
        for (let n = 0; n < count; n += 1) await bob.client.sendText(ann.mid, `${n}`);
      };
      let afterRead: (() => Promise<void>) | undefined;
      const watched: Store = {
        ...store,
        async read(work) {
          const result = await store.read(work);
          const change = afterRead;
          afterRead = undefined;
          await change?.();
          return result;
        },
      };
      const streams = new OpenStreams({
        ...{ store: watched, log, clock: systemPorts.clock, pingMs: 60_000, tickMs: 2_000 },
        ...{ bufferBytes: 1_000_000, totalBytes: 10_000_000, streamsPerAccount: 5, onDelivered: () => {} },
        onError: (error) => assert.fail(String(error)),
      });
      let text = '';
      const open = (cursor: number | undefined) =>
        streams.open(
          { ...caller, cursor },
          {
            write: (bytes) => {
              text += bytes.toString();
              return 0;
            },
            ...{ unread: () => 0, drained: async () => {}, end: () => {}, cut: () => {} },
          },
        );
      return {
        ...{ streams, open, send },
        trim: () => store.transact((tx) => log.trim(tx, accountId, Number.MAX_SAFE_INTEGER, 0)),
        drop: () => store.transact((tx) => log.drop(tx, accountId)),
        /** Makes a change right after the next read. */
        afterNextRead: (change: () => Promise<void>) => {
          afterRead = change;
        },
        events: () => [...text.matchAll(/^(?:event: (\w+)|id: (\d+))$/gm)].map(([, name, id]) => name ?? Number(id)),
        restarts: () => [...text.matchAll(/^event: fullSync\ndata: (.*)$/gm)].map(([, data = '']) => JSON.parse(data)),
      };
    }

    test('a stream that has just found its position in the log is told to read everything again', async () => {
      const { streams, open, send, trim, afterNextRead, events, restarts } = await stage();
      await send(FIRST);
      afterNextRead(trim);
      const stream = open(3);
      await until(() => restarts().length > 0, 'the client is told');
      assert.deepEqual(restarts(), [EXPIRED]);
      await send(1);
      await streams.poll();
      await until(() => events().includes(FIRST + 1), 'the stream goes on');
      assert.deepEqual(events(), ['connInfoRevision', 'fullSync', FIRST + 1]);
      stream.close();
    });

    test('a stream that had everything is told so too', async () => {
      const { streams, open, send, trim, events, restarts } = await stage();
      await send(1);
      const stream = open(0);
      await until(() => events().includes(1), 'the stream has everything');
      await send(FIRST - 1);
      await trim();
      await streams.poll();
      await until(() => restarts().length > 0, 'the client is told');
      assert.deepEqual(restarts(), [EXPIRED]);
      stream.close();
    });

    test('a stream whose log is deleted is told so once', async () => {
      const { streams, open, send, drop, afterNextRead, events, restarts } = await stage();
      await send(FIRST);
      afterNextRead(drop);
      const stream = open(3);
      await until(() => restarts().length > 0, 'the client is told');
      await streams.poll();
      assert.deepEqual(events(), ['connInfoRevision', 'fullSync']);
      stream.close();
    });
  });
}
