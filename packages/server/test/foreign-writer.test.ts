import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { sql } from '../src/store/sql.ts';
import { startServer } from './harness.ts';

const one = sql<{ n: number }>('select 1 as n');
/** Above the wait for another process on a busy machine, below what its end once took. */
const SOON_MS = 2_500;

test('while another process writes, changes are refused soon, reads are answered, and then all goes on', async (t) => {
  const server = await startServer();
  t.after(server.close);
  const alice = await server.user('alice');
  const bob = await server.user('bob');
  await alice.client.sendText(bob.mid, 'before');
  const other = new DatabaseSync(join(server.dataDir, 'sealpost.db'));
  t.after(() => other.close());
  other.exec('begin immediate');

  const began = performance.now();
  const change = server.server.store.transact((tx) => tx.one(one));
  await assert.rejects(change, {
    name: 'StoreUnavailable',
    message: /another process writes to .*sealpost\.db .*end it/,
  });
  assert.ok(performance.now() - began < SOON_MS);
  const { TalkService } = alice.client;
  const send = () => TalkService.sendMessage(7, { to: bob.mid, text: 'meanwhile' });
  await assert.rejects(send(), { error: 'OVERLOADED' });
  const texts = async () => (await TalkService.getRecentMessagesV2(bob.mid, 10)).map(({ text }) => text);
  assert.deepEqual(await texts(), ['before']);

  other.exec('rollback');
  await send();
  assert.deepEqual(await texts(), ['meanwhile', 'before']);
});
