import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOpened } from '../../src/start/opened.ts';

test('parts are closed in reverse order, and a part that cannot be closed keeps none open', async () => {
  const closed: string[] = [];
  const opened = createOpened();
  const add = (name: string, failure?: Error) =>
    opened.add({
      close() {
        closed.push(name);
        if (failure) throw failure;
      },
    });
  const failure = new Error('the link is broken');
  add('database');
  add('link', failure);
  add('sockets');
  await assert.rejects(opened.close(), failure);
  assert.deepEqual(closed, ['sockets', 'link', 'database']);
  await opened.close();
  assert.equal(closed.length, 3);
});
