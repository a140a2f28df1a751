// A stream that reads missed operations while the log is trimmed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { databases, startServer } from '@sealpost/dev-env/harness';
import { until } from '@sealpost/dev-env/until';

const KEPT = 5;

for (const database of databases) {
  test(`a stream whose log is trimmed under it tells its client to read everything again, ${database}`, async () => {
    const server = await startServer({ database });
    try {
      const [alice, bob] = [await server.user('alice'), await server.user('bob')];
      // Own sends and received messages take turns. Own sends are kept longer than the others.
      for (let n = 0; n < 20; n += 1) {
        await alice.client.sendText(bob.mid, `a${n}`);
        await bob.client.sendText(alice.mid, `b${n}`);
      }
      const { caller } = await server.server.slices.sessions.load(alice.client.session?.tokens.accessToken as string);
      const first = Promise.withResolvers<void>();
      const taken = Promise.withResolvers<void>();
      let text = '';
      const stream = server.server.openStreams.open(
        { ...caller, cursor: 0 },
        {
          write: (bytes) => {
            text += bytes.toString();
            return 0;
          },
          unread: () => 0,
          drained: () => {
            first.resolve();
            return taken.promise;
          },
          end: () => {},
          cut: () => assert.fail('a single stream is not too much'),
        },
      );
      await first.promise;
      await server.server.store.transact((tx) => server.server.log.trim(tx, caller.accountId, 0, KEPT));
      taken.resolve();
      await until(() => text.includes('event: fullSync'), 'the client is told');
      const revisions = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
      assert.deepEqual(
        revisions,
        revisions.map((_, n) => n + 1),
        'no operation is left out silently',
      );
      stream.close();
    } finally {
      await server.close();
    }
  });
}
