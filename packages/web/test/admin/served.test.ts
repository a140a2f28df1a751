// Who serves the administration pages, under which rules, and what a browser loads of them.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { startServer, type TestServer } from '@sealpost/dev-env/harness';
import { pagesFolder } from '@sealpost/web';
import { adminPagesFolder } from '@sealpost/web/admin';

const folder = fileURLToPath(adminPagesFolder);
/** The bytes of JavaScript that a browser loads for the first page, compressed. */
const MOST_AT_FIRST = 130_000;
/** The same for all parts together, with the words of one language. */
const MOST_IN_ALL = 260_000;

const scriptIn = (html: string): string => /src="(\/admin\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? '';

describe('the administration pages', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server?.close());

  test('are served with a policy that is stricter than that of the messenger', async () => {
    const answer = await fetch(`${server.url}/admin`);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('cache-control'), 'no-cache');
    const policy = answer.headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:;/);
    assert.match(policy, /require-trusted-types-for 'script'; trusted-types 'none'$/);
    assert.doesNotMatch(policy, /unsafe|worker-src/);
    assert.equal(answer.headers.get('cross-origin-opener-policy'), 'same-origin');
    assert.match(answer.headers.get('permissions-policy') ?? '', /publickey-credentials-get=\(self\).*camera=\(\)/);
    assert.doesNotMatch(
      answer.headers.get('permissions-policy') ?? '',
      /bluetooth/,
      'a name that Chromium warns about',
    );
    const html = await answer.text();
    assert.doesNotMatch(html, /<script(?![^>]* src=)|<style|style=|onload=/);
  });

  test('come compressed, and their files stay in the browser for ever', async () => {
    const script = scriptIn(await (await fetch(`${server.url}/admin`)).text());
    const answer = await fetch(server.url + script, { headers: { 'accept-encoding': 'br' } });
    assert.equal(answer.headers.get('content-encoding'), 'br');
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.equal(answer.headers.get('content-type'), 'text/javascript; charset=utf-8');
    const etag = answer.headers.get('etag') ?? '';
    const again = await fetch(server.url + script, { headers: { 'accept-encoding': 'br', 'if-none-match': etag } });
    assert.equal(again.status, 304);
  });

  test('are not at other addresses, and nothing else is at theirs', async () => {
    const moved = await fetch(`${server.url}/admin/`, { redirect: 'manual' });
    assert.deepEqual([moved.status, moved.headers.get('location')], [308, '/admin']);
    for (const path of ['/admin/nothing.js', '/administration', '/admin/index', '/admin/assets/'])
      assert.equal((await fetch(server.url + path)).status, 404, path);
    assert.equal((await fetch(`${server.url}/admin`, { method: 'POST' })).status, 405);
  });

  test('are not there if the settings want none', async () => {
    const without = await startServer({ flags: { 'admin-pages': 'false' } });
    try {
      assert.equal((await fetch(`${without.url}/admin`)).status, 404);
      assert.equal((await fetch(without.url)).status, 200);
    } finally {
      await without.close();
    }
  });

  test('are served without the messenger too', async () => {
    const alone = await startServer({ flags: { 'web-pages': 'none' } });
    try {
      const answer = await fetch(`${alone.url}/admin`);
      assert.equal(answer.status, 200);
      assert.match(answer.headers.get('content-security-policy') ?? '', /trusted-types 'none'$/);
    } finally {
      await alone.close();
    }
  });
});

test('a browser loads little, and nothing of the messenger', () => {
  const size = (name: string): number => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length;
  const first = scriptIn(readFileSync(join(folder, 'index.html'), 'utf8')).replace('/admin/', '');
  const scripts = globSync('assets/*.js', { cwd: folder });
  const words = globSync('assets/{ja,th,zh-Hant,pseudo}-*.js', { cwd: folder });
  const english = globSync('assets/en-*.js', { cwd: folder });
  assert.equal(english.length, 1);
  const atFirst = size(first) + size(english[0] ?? '');
  assert.ok(atFirst <= MOST_AT_FIRST, `${atFirst} bytes at first`);
  const all = scripts.filter((name) => !words.includes(name)).reduce((sum, name) => sum + size(name), 0);
  assert.ok(all <= MOST_IN_ALL, `${all} bytes in all`);
  for (const name of scripts) {
    const code = readFileSync(join(folder, name), 'utf8');
    for (const foreign of ['registerE2EEPublicKey', 'sealpost-worker', 'argon2'])
      assert.equal(code.includes(foreign), false, `${name} has ${foreign}`);
  }
  assert.deepEqual(globSync('**/*admin*', { cwd: fileURLToPath(pagesFolder) }), []);
});
