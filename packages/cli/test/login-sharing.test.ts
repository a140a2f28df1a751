// Commands that run at the same time share a stored login: they renew it once, and none damages what another one stored.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs, { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, describe, mock, test } from 'node:test';
import { start } from '@sealpost/dev-env/command';
import { type ServerProcess, startServer } from '@sealpost/dev-env/server-process';
import { createRpcClient, type Session } from '@sealpost/sdk';
import { whileLocked } from '../src/login-lock.ts';
import { loadLogin, loginStorage, type SavedLogin, saveLogin } from '../src/logins.ts';

/** Milliseconds that each renewal is on its way, so that renewals of several commands overlap. */
const ON_ITS_WAY_MS = 400;
const COMMANDS = 4;

const folder = mkdtempSync(join(tmpdir(), 'sealpost-sharing-'));
const env = { SEALPOST_CONFIG_DIR: folder };
const lockFile = join(folder, 'logins', 'alice.lock');
let server: ServerProcess;
let proxy: Server;
let url: string;
let alice: { mid: string; userid: string; password: string };
let renewals = 0;

before(async () => {
  process.env.SEALPOST_CONFIG_DIR = folder;
  server = await startServer();
  alice = await server.createAccount('alice');
  proxy = createServer((asked, answer) => {
    const pass = () => {
      const { method, headers } = asked;
      const onward = request(`${server.url}${asked.url}`, { method, headers }, (answered) => {
        answer.writeHead(answered.statusCode ?? 502, answered.headers);
        answered.pipe(answer);
      });
      answer.once('close', () => onward.destroy());
      onward.on('error', () => answer.destroy());
      asked.pipe(onward);
    };
    if (!asked.url?.endsWith('/tokenRefresh')) return pass();
    renewals += 1;
    setTimeout(pass, ON_ITS_WAY_MS);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => proxy.once('listening', resolve));
  url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});
after(async () => {
  delete process.env.SEALPOST_CONFIG_DIR;
  proxy?.closeAllConnections();
  proxy?.close();
  await server?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

async function aSession(): Promise<Session> {
  const client = createRpcClient({ url: server.url });
  const session = await client.login({ identifier: alice.userid, password: alice.password });
  client.close();
  return session;
}

/** Stores a login whose access token the server does not know, so that each command must renew it. */
async function storeOutdated(): Promise<void> {
  const session = await aSession();
  const outdated = { ...session, tokens: { ...session.tokens, accessToken: 'unknown' } };
  saveLogin('alice', { url, userid: alice.userid, session: outdated });
  renewals = 0;
}

const stored = (): SavedLogin => loadLogin('alice') ?? assert.fail('the login is gone');

async function requireWorking(): Promise<void> {
  const { session } = stored();
  assert.ok(session, 'a session is stored');
  const client = createRpcClient({ url: server.url, session });
  assert.equal((await client.TalkService.getProfile()).mid, alice.mid);
  client.close();
}

/** Starts a process that takes the lock and keeps it. */
async function holder(): Promise<ReturnType<typeof spawn>> {
  const module = new URL('../src/login-lock.ts', import.meta.url).href;
  const program = `
    import { whileLocked } from '${module}';
    await whileLocked('${lockFile}', async () => {
      console.log('locked');
      await new Promise((resolve) => setTimeout(resolve, 600_000));
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return child;
}

describe('a stored login', () => {
  test('is renewed once by commands that run at the same time', async () => {
    await storeOutdated();
    const commands = Array.from({ length: COMMANDS }, () => start(env, ['whoami', '--as', 'alice']).finished);
    const results = await Promise.all(commands);
    assert.deepEqual(
      results.map(({ code, err }) => ({ code, err })),
      results.map(() => ({ code: 0, err: '' })),
    );
    assert.equal(renewals, 1);
    await requireWorking();
  });

  test('is renewed although a command was killed while it held the lock', async () => {
    await storeOutdated();
    const killed = await holder();
    const waiting = start(env, ['whoami', '--as', 'alice']);
    killed.kill('SIGKILL');
    const { code, err } = await waiting.finished;
    assert.equal(code, 0, err);
    await requireWorking();
  });

  test('stays when the session of a listening command ends after another login', async () => {
    const former = await aSession();
    saveLogin('alice', { url, userid: alice.userid, session: former });
    const listening = start(env, ['listen', '--as', 'alice']);
    await listening.until(/Listening as alice/, 'err');
    const next = await aSession();
    saveLogin('alice', { url, userid: alice.userid, session: next });
    const client = createRpcClient({ url: server.url, session: next });
    await client.devices.revoke(former.tokens.loginSessionId);
    client.close();
    const { code, err } = await listening.finished;
    assert.equal(code, 3, err);
    assert.match(err, /has ended.*Another command has stored a newer login since: run this command again/);
    assert.deepEqual(stored().session, next);
    await requireWorking();
  });
});

/** Checks that a change does not wait for the lock: a wait takes three times as long as this allows. */
async function requireNoWait(path: string): Promise<void> {
  const began = performance.now();
  assert.equal(await whileLocked(path, async () => 'changed', 15_000), 'changed');
  assert.ok(performance.now() - began < 5_000, 'it waited');
}

describe('the lock of a login', () => {
  test('lets one change after another run', async () => {
    let [running, most] = [0, 0];
    await Promise.all(
      Array.from({ length: 5 }, () =>
        whileLocked(lockFile, async () => {
          most = Math.max(most, ++running);
          await new Promise((resolve) => setTimeout(resolve, 20));
          running -= 1;
        }),
      ),
    );
    assert.equal(most, 1);
    assert.equal(readFileSync(lockFile, 'utf8'), '');
  });

  test('is free again after an error', async () => {
    await assert.rejects(
      whileLocked(lockFile, () => Promise.reject(new Error('failed'))),
      /failed/,
    );
    await requireNoWait(lockFile);
  });

  test('is not waited for longer than a renewal can take', async () => {
    const stopped = await holder();
    stopped.kill('SIGSTOP');
    const changed = whileLocked(lockFile, async () => 'changed', 200);
    const late = new Promise((resolve) => setTimeout(resolve, 10_000, 'late').unref());
    const first = await Promise.race([changed, late]);
    stopped.kill('SIGKILL');
    assert.equal(first, 'changed');
  });

  test('is done without where there can be none', async () => {
    const file = join(folder, 'a file');
    writeFileSync(file, '');
    await requireNoWait(join(file, 'alice.lock'));
  });
});

const skip = process.platform !== 'linux' && 'reads the names of open files as Linux shows them';

test('a login is on the disk before its file gets its name, and the name is too', { skip }, async (t) => {
  await storeOutdated();
  const steps: string[] = [];
  const { fsyncSync, renameSync } = fs;
  mock.method(fs, 'fsyncSync', (file: number) => {
    steps.push(`sync ${basename(readlinkSync(`/proc/self/fd/${file}`)).replace(/\.\d+\./, '.')}`);
    fsyncSync(file);
  });
  mock.method(fs, 'renameSync', (from: string, to: string) => {
    steps.push(`rename ${basename(to)}`);
    renameSync(from, to);
  });
  syncBuiltinESMExports();
  t.after(() => {
    mock.restoreAll();
    syncBuiltinESMExports();
  });
  await loginStorage('alice').save(await aSession());
  assert.deepEqual(steps, ['sync alice.json.tmp', 'rename alice.json', 'sync logins']);
  assert.deepEqual(readdirSync(join(folder, 'logins')).sort(), ['alice.json', 'alice.lock']);
});
