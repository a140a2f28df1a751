import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { startServer } from '@sealpost/dev-env/harness';
import { sql } from '../../../src/platform/store/sql.ts';

const one = sql<{ n: number }>('select 1 as n');

test('while another process writes, changes are refused meanwhile, reads are answered, and then all goes on', async (t) => {
  const server = await startServer();
  t.after(server.close);
  const alice = await server.user('alice');
  const bob = await server.user('bob');
  await alice.client.sendText(bob.mid, 'before');
  const other = new DatabaseSync(join(server.dataDir, 'sealpost.db'));
  t.after(() => other.close());
  other.exec('begin immediate');

  const change = server.server.store.transact((tx) => tx.one(one));
  await assert.rejects(change, {
    name: 'StoreUnavailable',
    // The other process keeps its transaction open, so the server has given up waiting for it.
    message: /another process writes to .*sealpost\.db and did not end within 200 ms.*end it/,
  });
  const { TalkService } = alice.client;
  const send = () => TalkService.sendMessage(7, { to: bob.mid, text: 'meanwhile' });
  await assert.rejects(send(), { error: 'OVERLOADED' });
  const texts = async () => (await TalkService.getRecentMessagesV2(bob.mid, 10)).map(({ text }) => text);
  assert.deepEqual(await texts(), ['before']);

  other.exec('rollback');
  await send();
  assert.deepEqual(await texts(), ['meanwhile', 'before']);
});
