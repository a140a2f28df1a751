// The command that writes an archive of the own account.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type CommandResult, run } from '@sealpost/dev-env/command';
import { type ServerProcess, startServer } from '@sealpost/dev-env/server-process';
import { filesOfZip } from '@sealpost/dev-env/zip-files';

let server: ServerProcess;
let env: Record<string, string>;

before(async () => {
  server = await startServer();
  env = { ...server.env, SEALPOST_URL: server.url };
  for (const userid of ['ann', 'bea']) {
    const { password } = await server.createAccount(userid);
    await ok(['login', userid, '--password', password]);
  }
});
after(async () => {
  await server?.dispose();
});

const cli = (args: readonly string[]): Promise<CommandResult> => run(env, [...args]);

async function ok(args: readonly string[]): Promise<string> {
  const { code, out, err } = await cli(args);
  assert.equal(code, 0, `${args.join(' ')}: ${err}`);
  return out;
}

test('the archive has the messages and files, opened, and only its owner can read it', async () => {
  const file = join(server.dataDir, 'notes.txt');
  writeFileSync(file, 'the notes');
  await ok(['whoami', '--as', 'bea']);
  await ok(['send', 'bea', 'a secret', '--as', 'ann']);
  const { id } = JSON.parse(await ok(['send', 'bea', '--file', file, '--as', 'ann', '--json'])) as { id: string };
  const archive = join(server.dataDir, 'bea.zip');
  const out = await ok(['export', archive, '--as', 'bea']);
  assert.match(out, /^Wrote .*bea\.zip, .*: 2 messages of 1 chats, 1 media\.\n$/);
  assert.equal(statSync(archive).mode & 0o777, 0o600);
  const files = await filesOfZip(readFileSync(archive));
  assert.equal(files.get(`media/${id}.txt`)?.toString(), 'the notes');
  const [chat] = [...files.keys()].filter((path) => path.startsWith('chats/'));
  assert.match(files.get(chat ?? '')?.toString() ?? '', /"text": "a secret"/);
  assert.match(files.get('README.txt')?.toString() ?? '', /everything that your account could see/);
});

test('a file that is there is replaced only with --force, and a failure leaves no file', async () => {
  const archive = join(server.dataDir, 'taken.zip');
  writeFileSync(archive, 'something else');
  const refused = await cli(['export', archive, '--as', 'ann']);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /exists already\. Use --force/);
  assert.equal(readFileSync(archive, 'utf8'), 'something else');
  await ok(['export', archive, '--force', '--as', 'ann']);
  assert.ok((await filesOfZip(readFileSync(archive))).has('account.json'));
  const nowhere = await cli(['export', join(server.dataDir, 'no-such-folder', 'a.zip'), '--as', 'ann']);
  assert.match(nowhere.err, /no-such-folder\/a\.zip cannot be written: no such file or directory\. Make the folder /);
  const unreachable = join(server.dataDir, 'unreachable.zip');
  assert.notEqual((await cli(['export', unreachable, '--as', 'ann', '--url', 'http://127.0.0.1:9'])).code, 0);
  assert.equal(existsSync(unreachable), false);
  assert.deepEqual(
    readdirSync(server.dataDir).filter((name) => name.endsWith('.part')),
    [],
  );
});

test('the operator gets what the server has of an account', async () => {
  const archive = join(server.dataDir, 'operator.zip');
  const check = async () => {
    const files = await filesOfZip(readFileSync(archive));
    assert.match(files.get('account.json')?.toString() ?? '', /"by": "administrator"/);
  };
  const out = await ok(['account', 'export', 'bea', archive]);
  assert.match(out, /^Wrote .*operator\.zip, /);
  await check();
  // Without an address, the server of the data folder proves itself first.
  const { SEALPOST_URL: _, ...here } = env;
  const proven = await run(here, ['account', 'export', 'bea', archive, '--force', '--data-dir', server.dataDir]);
  assert.equal(proven.code, 0, proven.err);
  await check();
  const nobody = await cli(['account', 'export', 'nobody', join(server.dataDir, 'nobody.zip')]);
  assert.match(nobody.err, /no account has the mid or userid/);
  assert.equal(existsSync(join(server.dataDir, 'nobody.zip')), false);
  const taken = await cli(['account', 'export', 'bea', archive]);
  assert.match(taken.err, /exists already\. Use --force to replace it, or name another file\.$/m);
  // A folder that cannot be written refuses the removal of the partial file, too.
  const below = await cli(['account', 'export', 'bea', join(archive, 'bea.zip')]);
  assert.match(below.err, /operator\.zip\/bea\.zip cannot be written: not a directory\. .* name a file elsewhere\.$/m);
});
