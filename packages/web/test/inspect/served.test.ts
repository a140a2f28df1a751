// Who serves the inspector, and under which rules.
import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { get } from 'node:http';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startServer } from '@sealpost/dev-env/harness';
import { startTestServer } from '@sealpost/testing';
import { pagesFolder } from '@sealpost/web';
import { inspectorFolder } from '@sealpost/web/inspector';

test('a server of tests serves it under the strict policy of the pages, to this machine only', async () => {
  await using server = await startTestServer();
  const answer = await fetch(`${server.url}/inspect`);
  assert.equal(answer.status, 200);
  const policy = answer.headers.get('content-security-policy') ?? '';
  const messenger = await fetch(server.url);
  assert.equal(policy, messenger.headers.get('content-security-policy'));
  assert.match(policy, /default-src 'none'.*require-trusted-types-for 'script'/);
  const html = await answer.text();
  const [script = ''] = /\/inspect\/assets\/[^"]+\.js/.exec(html) ?? [];
  assert.equal((await fetch(server.url + script)).headers.get('content-type'), 'text/javascript; charset=utf-8');
  const missing = await fetch(`${server.url}/inspect/nothing.js`);
  assert.equal(missing.status, 404);
  const foreign = await new Promise<number | undefined>((resolve, reject) => {
    get(`${server.url}/inspect`, { headers: { host: 'pages.example' } }, ({ statusCode, destroy: _ }) =>
      resolve(statusCode),
    ).once('error', reject);
  });
  assert.equal(foreign, 403);
});

test('other servers have none of it', async () => {
  const server = await startServer();
  try {
    for (const path of ['/inspect', '/inspect/index.html', '/_dev/', '/_dev/requests'])
      assert.equal((await fetch(server.url + path)).status, 404, path);
  } finally {
    await server.close();
  }
  assert.ok(existsSync(fileURLToPath(new URL('index.html', inspectorFolder))));
  const inPages = globSync('**/*', { cwd: fileURLToPath(pagesFolder) });
  assert.ok(inPages.includes('index.html'));
  assert.deepEqual(
    inPages.filter((path) => path.includes('inspect')),
    [],
  );
});
