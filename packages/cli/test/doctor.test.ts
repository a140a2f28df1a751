// Tests what `doctor` and other commands print: behind a proxy, about a wrong certificate, and with --json.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { run } from '@sealpost/dev-env/command';
import { certificate, type HttpsProxy, httpsProxy } from '@sealpost/dev-env/proxies/https';
import { type ServerProcess, startServer } from '@sealpost/dev-env/server-process';

let proxy: HttpsProxy;
let server: ServerProcess;
let folder: string;
let env: Record<string, string>;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sealpost-doctor-'));
  proxy = await httpsProxy();
  server = await startServer({ 'admin-token': '', 'public-url': proxy.url, 'trusted-proxies': '127.0.0.1' });
  const { url } = JSON.parse(readFileSync(join(server.dataDir, 'server.json'), 'utf8')) as { url: string };
  proxy.leadTo(url);
  writeFileSync(join(folder, 'ca.pem'), certificate);
  env = { SEALPOST_CONFIG_DIR: join(folder, 'config'), NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') };
});
after(async () => {
  await server?.dispose();
  await proxy?.close();
  rmSync(folder, { recursive: true, force: true });
});

test('behind the documented proxy doctor finds nothing wrong, from login to stream', async () => {
  const password = 'password of nora';
  const create = ['account', 'create', 'nora', '--password', password, '--url', proxy.url];
  const made = await run({ ...env, SEALPOST_DATA_DIR: server.dataDir }, create);
  assert.equal(made.code, 0, `the outside address stands for the server of the folder: ${made.err}`);
  const login = await run(env, ['login', 'nora', '--password', password, '--url', proxy.url]);
  assert.equal(login.code, 0, login.err);
  const { code, out, err } = await run(env, ['doctor']);
  assert.equal(code, 0, out + err);
  assert.equal(out.match(/^ok /gm)?.length, 7, out);
  assert.match(out, /readiness: not shown from here \(HTTP 404\)/);
  assert.match(out, /operation stream: opens/);
});

test('a certificate that nobody vouches for is named as such, with what to do', async () => {
  const { NODE_EXTRA_CA_CERTS: _, ...stranger } = env;
  const login = await run(stranger, ['login', 'nora', '--password', 'x', '--url', proxy.url, '--as', 'new']);
  assert.equal(login.code, 4);
  assert.match(login.err, /its certificate is self-signed.*NODE_EXTRA_CA_CERTS/);
  assert.doesNotMatch(login.err, /Check that the server runs/);
  const doctor = await run(stranger, ['doctor', '--url', proxy.url]);
  assert.match(doctor.out, /FAIL {2}server: .*self-signed/);
});

test('a certificate for another name is named as such', async () => {
  const elsewhere = await httpsProxy('127.0.0.2');
  try {
    const { out } = await run(env, ['doctor', '--url', elsewhere.url]);
    assert.match(out, /FAIL {2}server: .*its certificate is for another name/);
  } finally {
    await elsewhere.close();
  }
});

test('with --json wrong usage is one JSON object on standard error', async () => {
  for (const args of [
    ['send', '--json'],
    ['history', 'x', '-n', 'many', '--json'],
    ['send', 'bob', 'x', '--nonsense', '--json'],
    ['nonsense', '--json'],
    ['account', '--json'],
    ['serve', '--prot', '5', '--json'],
    ['config', '--prot', '5', '--json'],
    ['login', '../x', '--password', 'x', '--json'],
  ]) {
    const { code, out, err } = await run(env, args);
    assert.equal(code, 2, `${args.join(' ')}: ${err}`);
    const failure = JSON.parse(err) as { message: string; exitCode: number };
    assert.equal(failure.exitCode, 2);
    assert.match(failure.message, /\w/);
    assert.doesNotMatch(failure.message, /^error|outputHelp/);
    assert.equal(out, '');
  }
  assert.match((await run(env, ['send', '--help', '--json'])).out, /Usage: sealpost send/);
});
