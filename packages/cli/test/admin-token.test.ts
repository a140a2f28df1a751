// The commands send the admin token only to the server to which it belongs.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { run } from '@sealpost/dev-env/command';
import { adminToken, type ServerProcess, startServer } from '@sealpost/dev-env/server-process';

let server: ServerProcess;
/** The settings of a server that makes its own admin token. */
const ownToken = { 'admin-token': '' };
before(async () => {
  server = await startServer(ownToken);
});
after(() => server?.dispose());

const inFolder = (dataDir: string) => ({ SEALPOST_DATA_DIR: dataDir });
const tokenIn = (dataDir: string) => readFileSync(join(dataDir, 'admin-token'), 'utf8').trim();
const serverFile = (dataDir: string) => join(dataDir, 'server.json');

interface Stranger {
  readonly url: string;
  /** Returns the headers and paths of all requests that the program received. */
  readonly seen: () => string;
  readonly requests: () => number;
  close(): Promise<void>;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
const likeAServer: Answer = (_request, response) => void response.end('{"accounts":[],"proof":"AAAA"}');

async function stranger(port = 0, answer = likeAServer): Promise<Stranger> {
  const shown: string[] = [];
  const http = createServer((request, response) => {
    shown.push(`${request.url} ${JSON.stringify(request.rawHeaders)}`);
    answer(request, response);
  });
  await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    seen: () => shown.join('\n'),
    requests: () => shown.length,
    close: () => new Promise<void>((resolve) => http.close(() => resolve())),
  };
}

test('the server of a folder is found by sealpost.yaml there, whatever its port', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-yaml-'));
  const decoy = await stranger();
  try {
    const { port } = new URL(decoy.url);
    writeFileSync(join(folder, 'sealpost.yaml'), `data-dir: ${server.dataDir}\nport: ${port}\n`);
    const { code, out, err } = await run({}, ['account', 'create', 'amy'], '', folder);
    assert.equal(code, 0, err);
    assert.match(out, /Created amy/);
    assert.equal(decoy.requests(), 0);
  } finally {
    await decoy.close();
    rmSync(folder, { recursive: true });
  }
});

test('--data-dir names the server as well, and its address may be given with it', async () => {
  for (const url of [server.url, server.url.replace('127.0.0.1', 'localhost')]) {
    const { code, err } = await run({}, ['account', 'list', '--data-dir', server.dataDir, '--url', url]);
    assert.equal(code, 0, err);
  }
});

test('a program that took the port of a dead server gets no token', async () => {
  const dead = await startServer(ownToken);
  await dead.kill();
  const thief = await stranger(Number(new URL(dead.url).port));
  try {
    const { code, err } = await run(inFolder(dead.dataDir), ['account', 'list']);
    assert.equal(code, 4, err);
    assert.match(err, /is not the server that wrote the data folder.*was not sent/);
    assert.equal(thief.requests(), 1, 'it was asked for its proof and nothing else');
    assert.ok(!thief.seen().includes(tokenIn(dead.dataDir)), thief.seen());
  } finally {
    await thief.close();
    await dead.dispose();
  }
});

test('a program that passes the challenge on to the real server gets no token', async () => {
  const relay = await stranger(0, (request, response) => {
    void fetch(server.url + request.url)
      .then((answer) => answer.text())
      .then((text) => response.end(text));
  });
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-relay-'));
  try {
    const real = readFileSync(serverFile(server.dataDir), 'utf8');
    writeFileSync(serverFile(folder), real.replace(server.url, relay.url));
    writeFileSync(join(folder, 'admin-token'), tokenIn(server.dataDir));
    const { code, err } = await run(inFolder(folder), ['account', 'list']);
    assert.equal(code, 4, err);
    assert.equal(relay.requests(), 1);
    assert.ok(!relay.seen().includes(tokenIn(server.dataDir)));
  } finally {
    await relay.close();
    rmSync(folder, { recursive: true });
  }
});

test('a server that hangs up after its proof is not sent the token on a new connection', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-hangup-'));
  const secret = 'known to this test';
  const hangsUp = await stranger(0, (request, response) => {
    const challenge = new URL(request.url ?? '', hangsUp.url).searchParams.get('challenge');
    const proof = createHmac('sha256', secret)
      .update(`sealpost server\n${hangsUp.url}\n${challenge}`)
      .digest('base64url');
    response.setHeader('connection', 'close').end(JSON.stringify({ proof }));
  });
  try {
    writeFileSync(serverFile(folder), JSON.stringify({ url: hangsUp.url, pid: 1, secret }));
    writeFileSync(join(folder, 'admin-token'), adminToken);
    const { code, err } = await run(inFolder(folder), ['account', 'list']);
    assert.equal(code, 1, err);
    assert.match(err, /closed the connection/);
    assert.ok(!hangsUp.seen().includes(adminToken));
  } finally {
    await hangsUp.close();
    rmSync(folder, { recursive: true });
  }
});

test('the token of a folder is not sent to an address that is not its server’s', async () => {
  const other = await stranger();
  try {
    for (const [env, args] of [
      [{}, ['--url', other.url]],
      [{ SEALPOST_URL: other.url }, []],
    ] as const) {
      const { code, err } = await run({ ...inFolder(server.dataDir), ...env }, ['account', 'list', ...args]);
      assert.equal(code, 2, err);
      assert.match(err, /belongs to the server at .*SEALPOST_ADMIN_TOKEN/);
    }
    assert.equal(other.requests(), 0);
  } finally {
    await other.close();
  }
});

test('a token that is given goes to the address that is given with it, and nowhere without one', async () => {
  const named = await stranger();
  try {
    const env = { SEALPOST_ADMIN_TOKEN: adminToken };
    assert.equal((await run(env, ['account', 'list', '--url', named.url])).code, 0);
    assert.ok(named.seen().includes(adminToken));
    const { code, err } = await run(env, ['account', 'list']);
    assert.equal(code, 4);
    assert.match(err, /No server runs in the data folder \.\/data.*--url.*SEALPOST_ADMIN_TOKEN/);
  } finally {
    await named.close();
  }
});

test('a server that ends in order takes its file along, and the command says that none runs', async () => {
  const ended = await startServer(ownToken);
  try {
    await ended.stop();
    const { code, err } = await run(inFolder(ended.dataDir), ['account', 'list']);
    assert.equal(code, 4);
    assert.match(err, /No server runs/);
  } finally {
    await ended.dispose();
  }
});
