// Tests that a command finds the server whose data is in the command's folder. At its start, a server prints the
// options that commands need in other folders.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type RunningCommand, run, start } from '@sealpost/dev-env/command';
import { startServer } from '@sealpost/dev-env/server-process';

const folders: string[] = [];
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-find-'));
  folders.push(folder);
  return folder;
}
const servers: RunningCommand[] = [];
function started(args: readonly string[], folder?: string): RunningCommand {
  const server = start({}, args, '', folder);
  servers.push(server);
  return server;
}
test.after(() => {
  for (const { child } of servers) child.kill('SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

async function ended(running: RunningCommand): Promise<string> {
  running.child.kill('SIGTERM');
  return (await running.finished).out;
}

const hints = (out: string): string[] => [...out.matchAll(/^ +npx sealpost (.*)$/gm)].map(([, line = '']) => line);

test('in the folder of the server no command needs an address, whatever the port', async () => {
  const folder = newFolder();
  const env = { SEALPOST_CONFIG_DIR: join(folder, 'config') };
  const server = started(['dev', '--port', '0'], folder);
  await server.until(/everybody/);
  const sent = await run(env, ['send', 'bob', 'hello', '--as', 'alice'], '', folder);
  assert.equal(sent.code, 0, sent.err);
  const out = await ended(server);
  assert.match(hints(out)[0] ?? '', /^listen --as bob --url http:\/\/127\.0\.0\.1:\d+$/);

  const again = started(['dev', '--port', '0'], folder);
  await again.until(/everybody/);
  const moved = await run(env, ['send', 'bob', 'hello again', '--as', 'alice'], '', folder);
  assert.equal(moved.code, 0, `the server came back on another port: ${moved.err}`);
  await ended(again);
});

test('what the start of a server elsewhere says to type works from any folder', async () => {
  const dataDir = join(newFolder(), 'data of a test');
  const env = { SEALPOST_CONFIG_DIR: join(newFolder(), 'config') };
  const server = started(['dev', '--port', '0', '--data-dir', dataDir]);
  const [, send = ''] = hints(await server.until(/everybody/));
  assert.match(send, /^send bob "hello" --as alice --url http:\/\/127\.0\.0\.1:\d+ --data-dir '.*data of a test'$/);
  const words = [...send.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');
  const sent = await run(env, words);
  assert.equal(sent.code, 0, sent.err);
  await ended(server);
});

test('a server for real accounts says how its accounts are made and used', async () => {
  const dataDir = newFolder();
  const server = started(['serve', '--port', '0', '--data-dir', dataDir]);
  await server.until(/Next:.*\n/);
  const [, create = '', login = ''] = /Next: +sealpost (.*?) {3}then {3}sealpost (.*)/.exec(await ended(server)) ?? [];
  assert.equal(create, `account create <userid> --data-dir ${dataDir}`);
  assert.match(login, /^login <userid> --url http:\/\/127\.0\.0\.1:\d+$/);
});

test('a server with build tokens of its own says that clients need one, and does not show it', async () => {
  const server = started(['serve', '--port', '0', '--data-dir', newFolder(), '--build-tokens', 'ours-alone']);
  await server.until(/Next:.*\n/);
  const shown = await ended(server);
  assert.match(shown, / sealpost login <userid> --url http:\/\/127\.0\.0\.1:\d+ --build-token <build token>$/m);
  assert.doesNotMatch(shown, /ours-alone/);
});

test('on the usual port and in the usual folder nothing is added', async () => {
  const folder = newFolder();
  const server = started(['dev', '--port', '8787', '--host', '127.87.87.87'], folder);
  await server.until(/everybody/);
  assert.deepEqual(hints(await ended(server)), ['listen --as bob', 'send bob "hello" --as alice']);
});

test('flags that npm kept for itself are told, with what to type', async () => {
  for (const flag of [['--port', '18787'], ['--port=18787']]) {
    const npm = spawn('npm', ['start', ...flag], { cwd: join(import.meta.dirname, '../../..') });
    let err = '';
    npm.stderr.on('data', (part) => (err += part));
    const code = await new Promise((resolve) => npm.once('close', resolve));
    assert.equal(code, 2, err);
    assert.match(err, /npm kept --port for itself.*: npm start -- --port 18787\n/);
  }
});

test('a session goes to the address that it was made at, not to another server of this machine', async () => {
  const [first, second] = [await startServer({ mode: 'dev' }), await startServer({ mode: 'dev' })];
  try {
    const env = { SEALPOST_CONFIG_DIR: join(newFolder(), 'config') };
    const here = { ...env, SEALPOST_DATA_DIR: first.dataDir };
    assert.equal((await run(here, ['whoami', '--as', 'alice'])).code, 0);
    const { out } = await run({ ...env, SEALPOST_DATA_DIR: second.dataDir }, ['whoami', '--as', 'alice']);
    assert.match(out, new RegExp(`login alice at ${first.url}`));
  } finally {
    await first.dispose();
    await second.dispose();
  }
});

/**
 * Code that prints the number of SIGTERM listeners whenever the server writes `server.json` or the ready file. Commands
 * find the server by these files.
 */
const WATCHER = `
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  const { renameSync } = fs;
  fs.renameSync = (from, to) => {
    if (/(server|ready)\\.json$/.test(to)) console.log('written', to.match(/\\w+\\.json$/)[0], process.listenerCount('SIGTERM'));
    renameSync(from, to);
  };
  syncBuiltinESMExports();`;

test('a server that can be found ends in order', async () => {
  const folder = newFolder();
  const preload = `--import=data:text/javascript,${encodeURIComponent(WATCHER)}`;
  const args = ['serve', '--port', '0', '--data-dir', folder, '--ready-file', join(folder, 'ready.json')];
  const server = start({ NODE_OPTIONS: preload }, args);
  servers.push(server);
  const out = await server.until(/written ready/);
  assert.deepEqual(out.match(/written .*/g), ['written server.json 1', 'written ready.json 1']);
  await ended(server);
});
