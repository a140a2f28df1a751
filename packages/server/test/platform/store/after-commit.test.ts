import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { databases, startServer } from '@sealpost/dev-env/harness';

for (const database of databases) {
  describe(`after a commit on ${database}`, () => {
    test('a hook that throws keeps neither the other hooks nor the caller from their turn', async () => {
      const server = await startServer({ database });
      const ran: string[] = [];
      const answer = await server.server.store.transact(async (tx) => {
        tx.onCommit(() => ran.push('first'));
        tx.onCommit(() => {
          throw new Error('a broken hook');
        });
        tx.onCommit(() => ran.push('last'));
        return 'done';
      });
      assert.deepEqual([answer, ran], ['done', ['first', 'last']]);
      await server.close();
    });
  });
}
