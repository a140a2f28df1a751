import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { run } from '@sealpost/dev-env/command';
import { type ServerProcess, startServer } from '@sealpost/dev-env/server-process';

let server: ServerProcess;
before(async () => {
  server = await startServer();
});
after(async () => {
  await server.dispose();
});

const audit = (...args: string[]) => run({ ...server.env, SEALPOST_URL: server.url }, ['audit', 'keys', ...args]);

test('anybody can check the key log without a login, and a log that changed its past ends with exit code 1', async () => {
  const first = await audit();
  assert.equal(first.code, 0, first.err);
  assert.match(first.out, /: 0 keys, as the server signed\.\nSigned with \S{44}\n$/);

  const state = join(server.dataDir, 'audit.json');
  assert.equal((await audit('--state', state)).code, 0);
  const again = await audit('--state', state, '--json');
  assert.equal((JSON.parse(again.out) as { added: number }).added, 0, again.err);

  const known = JSON.parse(readFileSync(state, 'utf8')) as object;
  writeFileSync(state, JSON.stringify({ ...known, publicKey: 'another key' }));
  const changed = await audit('--state', state);
  assert.equal(changed.code, 1);
  assert.match(changed.err, /not to be trusted: the log is signed with .*, it was with another key/);

  writeFileSync(state, 'no state');
  const broken = await audit('--state', state);
  assert.equal(broken.code, 2);
  assert.match(broken.err, /is not the state of an audit/);
});
