// What the commands backup, verify and move tell an operator about data with faults and about wrong options.
import assert from 'node:assert/strict';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { run } from '@sealpost/dev-env/command';
import { type ServerProcess, startServer } from '@sealpost/dev-env/server-process';

let server: ServerProcess;
let folder: string;
before(async () => {
  server = await startServer();
  folder = mkdtempSync(join(tmpdir(), 'sealpost-maintenance-texts-'));
});
after(async () => {
  await server?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const here = (...args: string[]) => run({}, [...args, '--data-dir', server.dataDir]);

test('a backup without faults is whole; one with a missing object does not say so', async () => {
  const env = { ...server.env, SEALPOST_URL: server.url };
  const ok = async (...args: string[]) => {
    const { code, err } = await run(env, args);
    assert.equal(code, 0, `${args.join(' ')}: ${err}`);
  };
  for (const name of ['ann', 'ben']) {
    await ok('login', name, '--password', (await server.createAccount(name)).password);
  }
  const notes = join(folder, 'notes.txt');
  writeFileSync(notes, 'the notes');
  await ok('send', 'ben', '--file', notes, '--as', 'ann');
  const whole = await here('backup', join(folder, 'whole'));
  assert.equal(whole.code, 0, whole.err);
  assert.match(whole.out, / 1 object \(.*\)\. It was read back and is whole\.$/m);

  const [object = ''] = globSync(join(server.dataDir, 'objects/published/*/*'));
  rmSync(object);
  const lacking = await here('backup', join(folder, 'lacking'));
  assert.equal(lacking.code, 1);
  assert.match(lacking.out, / 0 objects \(.*\)\. What was saved was read back, and it is not everything\.$/m);
  assert.match(
    lacking.err,
    /but 1 object of the server was missing or damaged: [0-9a-f]{32} \(it is not there\)\. Run/,
  );
  assert.match((await here('verify')).err, /The data has 1 fault\.$/m);
});

test('a resync needs a stopped server, and a database', async () => {
  const running = await here('resync');
  assert.equal(running.code, 1);
  assert.match(running.err, /a server runs on the database .*sealpost\.db\. Stop it first/);
  const none = await run({}, ['resync', '--data-dir', join(folder, 'none')]);
  assert.equal(none.code, 1);
  assert.match(none.err, /there is no database .*sealpost\.db\. Name the data folder/);
  await server.stop();
  const done = await here('resync', '--json');
  assert.equal(done.code, 0, done.err);
  assert.equal(JSON.parse(done.out).accounts, 2);
  assert.match((await here('resync')).out, /^Start the server\. The clients of 2 accounts go on with their logins/);
});

test('a place that cannot be is named as the user gave it', async () => {
  const move = await here('move', '--to', 'nonsense');
  assert.equal(move.code, 2);
  assert.match(move.err, /--to is "nonsense"; it must be sqlite:<file>, or postgres:/);
  const secret = await here('move', '--to', 'postgress://user:secret@db/sealpost');
  assert.match(secret.err, /--to is "postgress:\/\/\(hidden\)@db\/sealpost"; it must be/);
  const backup = await here('backup', 's3://No_Bucket');
  assert.match(backup.err, /the place of backups is "s3:\/\/No_Bucket"; it must be s3:/);
});
