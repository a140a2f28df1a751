// The web client that the server shows at /: its files and their headers, what it may know of the server, and the token
// with which it signs.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { createDatabase, databases } from '@sealpost/dev-env/harness';
import { exchange } from '@sealpost/dev-env/raw-socket';
import { createRpcClient } from '@sealpost/sdk';
import { pagesFolder } from '@sealpost/web';
import { ConfigError } from '../../src/platform/kernel/config-error.ts';
import { banner } from '../../src/start/banner.ts';
import { loadConfig } from '../../src/start/config/config.ts';
import type { Mode } from '../../src/start/config/setting.ts';
import { seedDevAccounts } from '../../src/start/dev-accounts.ts';
import { createServer, type RunningServer } from '../../src/start/server.ts';
import { pageHeaders } from '../../src/start/web-client.ts';

const root = mkdtempSync(join(tmpdir(), 'sealpost-web-pages-'));
after(() => rmSync(root, { recursive: true, force: true }));

const INDEX = '<!doctype html><title>Pages of a test</title>';
const SCRIPT = 'export const text = "a script of a test";';
const SECRET = 'not a page';

/** Makes a folder of pages as a build would, beside a file that is none of them. */
function makePages(index = INDEX): string {
  const folder = join(mkdtempSync(join(root, 'built-')), 'pages');
  const write = (name: string, content: string | Buffer) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  };
  write('index.html', index);
  for (const name of ['assets/app-1a2b3c.js', 'sw.js']) {
    write(name, SCRIPT);
    write(`${name}.br`, brotliCompressSync(SCRIPT));
    write(`${name}.gz`, gzipSync(SCRIPT));
  }
  write('assets/letters/face-4d5e6f.woff2', 'letters');
  write('manifest.webmanifest', '{}');
  write('icon.png', 'picture');
  write('notes.unknown', 'bytes');
  write('livez', 'a file that wants to replace a path of the server');
  write('.hidden', SECRET);
  write('.git/config', SECRET);
  write('../secret.txt', SECRET);
  symlinkSync('../secret.txt', join(folder, 'linked.txt'));
  symlinkSync('..', join(folder, 'linked'));
  return folder;
}

interface Settings {
  readonly mode?: Mode;
  readonly prepare?: typeof seedDevAccounts;
  readonly flags?: Readonly<Record<string, string>>;
}

const configOf = ({ mode = 'serve', flags }: Settings) =>
  loadConfig(mode, {
    flags: {
      ...{ port: '0', 'log-level': 'silent', 'login-confirmation': 'never' },
      'data-dir': mkdtempSync(join(root, 'data-')),
      ...flags,
    },
    env: {},
  });

/** Runs a server during the work. */
async function withServer(settings: Settings, work: (server: RunningServer) => Promise<void>): Promise<void> {
  const { prepare } = settings;
  const server = await createServer(configOf(settings), {
    ...(prepare && { prepare: async (slices) => void (await prepare(slices)) }),
  });
  try {
    await work(server);
  } finally {
    await server.close();
  }
}

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Sends a request with exactly these headers, and does not decode the answer. */
const ask = (url: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      buffer(response).then(
        (body) => resolve({ status: response.statusCode, headers: response.headers, body }),
        reject,
      );
    });
    sent.on('error', reject);
    sent.end();
  });

const factsOf = async (server: RunningServer) => JSON.parse((await ask(`${server.url}/web.json`)).body.toString());

/** Logs in with requests that are signed with a build token. */
async function login(server: RunningServer, buildToken: string, identifier: string, password: string): Promise<void> {
  const client = createRpcClient({ url: server.url, buildToken });
  try {
    await client.login({ identifier, password });
  } finally {
    client.close();
  }
}

const ANN = { userid: 'ann', password: 'the password of ann', displayName: 'Ann' };

describe('the files of the web client', () => {
  let server: RunningServer;
  before(async () => {
    server = await createServer(configOf({ flags: { 'web-pages': makePages() } }));
  });
  after(() => server.close());
  const get = (path: string, headers = {}, method = 'GET') => ask(server.url + path, headers, method);

  test('are served with their types; hashed names stay in caches, all others are asked for again', async () => {
    const FOR_EVER = 'public, max-age=31536000, immutable';
    for (const [path, type, cache, body] of [
      ['/', 'text/html; charset=utf-8', 'no-cache', INDEX],
      ['/?from=home', 'text/html; charset=utf-8', 'no-cache', INDEX],
      ['/index.html', 'text/html; charset=utf-8', 'no-cache', INDEX],
      // The page behind the link of an invite is the same page.
      ['/join', 'text/html; charset=utf-8', 'no-cache', INDEX],
      ['/sw.js', 'text/javascript; charset=utf-8', 'no-cache', SCRIPT],
      ['/manifest.webmanifest', 'application/manifest+json', 'no-cache', '{}'],
      ['/icon.png', 'image/png', 'no-cache', 'picture'],
      ['/notes.unknown', 'application/octet-stream', 'no-cache', 'bytes'],
      ['/assets/app-1a2b3c.js', 'text/javascript; charset=utf-8', FOR_EVER, SCRIPT],
      ['/assets/letters/face-4d5e6f.woff2', 'font/woff2', FOR_EVER, 'letters'],
    ] as const) {
      const { status, headers, body: got } = await get(path);
      const seen = [status, headers['content-type'], headers['cache-control'], got.toString()];
      assert.deepEqual(seen, [200, type, cache, body], path);
      assert.equal(headers['x-content-type-options'], 'nosniff', path);
    }
  });

  test('are sent in the smallest form that the client takes', async () => {
    const forms = {
      br: brotliCompressSync(SCRIPT),
      gzip: gzipSync(SCRIPT),
      plain: Buffer.from(SCRIPT),
    };
    for (const [accepted, form] of [
      [undefined, 'plain'],
      ['', 'plain'],
      ['deflate', 'plain'],
      ['gzip, deflate', 'gzip'],
      ['gzip, deflate, br, zstd', 'br'],
      ['GZIP;q=0.5, BR;q=0.1', 'br'],
      ['br;q=0, gzip', 'gzip'],
      ['br;q=0.000, gzip;q=0', 'plain'],
      ['*', 'br'],
      ['br;q=0, *', 'gzip'],
      ['*;q=0', 'plain'],
      ['brotli', 'plain'],
    ] as const) {
      for (const path of ['/assets/app-1a2b3c.js', '/sw.js']) {
        const { headers, body } = await get(path, accepted === undefined ? {} : { 'accept-encoding': accepted });
        const what = `${path} for ${accepted}`;
        assert.deepEqual(
          [headers['content-encoding'], headers.vary],
          [form === 'plain' ? undefined : form, 'accept-encoding'],
          what,
        );
        assert.ok(body.equals(forms[form]), what);
      }
    }
    // There is one form of this file only, so caches need not keep several.
    const { headers } = await get('/', { 'accept-encoding': 'br, gzip' });
    assert.deepEqual([headers['content-encoding'], headers.vary], [undefined, undefined]);
  });

  test('are not sent again to whoever has them, and each form has its own ETag', async () => {
    for (const path of ['/', '/sw.js', '/assets/app-1a2b3c.js']) {
      const tags = new Set<string>();
      for (const accepted of ['br', 'gzip', 'identity']) {
        const first = await get(path, { 'accept-encoding': accepted });
        const { etag = '' } = first.headers;
        tags.add(etag);
        for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
          const { status, headers, body } = await get(path, { 'accept-encoding': accepted, 'if-none-match': known });
          assert.deepEqual([status, headers.etag, body.length], [304, etag, 0], `${path} ${known}`);
          assert.equal(headers['content-security-policy'], first.headers['content-security-policy']);
          assert.equal(headers['cache-control'], first.headers['cache-control']);
          assert.equal(headers.vary, first.headers.vary);
        }
        assert.equal((await get(path, { 'accept-encoding': accepted, 'if-none-match': '"other"' })).status, 200);
      }
      assert.equal(tags.size, path === '/' ? 1 : 3, path);
    }
  });

  test('answer HEAD as GET without a body, and every other verb with 405', async () => {
    for (const path of ['/', '/sw.js', '/assets/app-1a2b3c.js', '/web.json']) {
      const got = await get(path, { 'accept-encoding': 'br' });
      const head = await get(path, { 'accept-encoding': 'br' }, 'HEAD');
      const { date: _, ...headers } = head.headers;
      const { date: __, ...expected } = got.headers;
      assert.deepEqual([head.status, head.body.length, headers], [200, 0, expected], path);
      for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
        const { status, headers } = await get(path, {}, method);
        assert.deepEqual([status, headers.allow], [405, 'GET, HEAD'], `${method} ${path}`);
      }
    }
  });

  test('run under a strict policy', async () => {
    for (const path of ['/', '/sw.js', '/assets/app-1a2b3c.js']) {
      const { headers } = await get(path);
      assert.equal(
        headers['content-security-policy'],
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types sealpost-worker",
      );
      assert.equal(headers['referrer-policy'], 'no-referrer');
      assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
      const permissions = String(headers['permissions-policy']).split(', ');
      assert.deepEqual(
        permissions.filter((one) => !one.endsWith('=()')),
        ['camera=(self)', 'microphone=(self)', 'geolocation=(self)'],
      );
      assert.ok(!permissions.includes('bluetooth=()'), 'a name that Chromium warns about');
      for (const off of ['usb=()', 'payment=()', 'display-capture=()']) assert.ok(permissions.includes(off), off);
    }
  });

  test('are only those of the folder: no path leads out of it, to hidden files, or along a link', async () => {
    for (const path of [
      ...['/../secret.txt', '/assets/../../secret.txt', '/./../secret.txt', '//../secret.txt', '/..\\secret.txt'],
      ...['/%2e%2e/secret.txt', '/%2E%2E%2Fsecret.txt', '/..%2fsecret.txt', '/..%5csecret.txt', '/%2e%2e%5csecret.txt'],
      ...['/assets/%2e%2e/%2e%2e/secret.txt', '/assets/..%00/secret.txt', '/secret.txt', '/%252e%252e/secret.txt'],
      ...['/linked.txt', '/linked/secret.txt', '/.hidden', '/.git/config', '/%2ehidden', `${root}/secret.txt`],
      ...['/index.html/', '/index.html%00', '/INDEX.HTML', '/assets', '/assets/', '//index.html', '/sw', '/sw.js.br'],
    ]) {
      const { status, body } = await exchange(server.url, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      assert.equal(status, 404, `${path}: ${status} ${body}`);
      assert.doesNotMatch(body, /not a page/, path);
    }
  });

  test('replace no path of the server, which keeps its pages beside them', async () => {
    assert.equal((await get('/livez')).body.toString(), '{"status":"ok"}');
    const about = (await get('/docs/server')).body.toString();
    assert.match(about, /A messaging server answers here/);
    assert.match(about, /Open the web client/);
    const docs = await get('/docs');
    assert.match(docs.body.toString(), /href="\/docs\/server"/);
    assert.match(docs.headers['content-security-policy'] as string, /img-src 'self' data:;/);
    const missing = await get('/assets/none-000000.js');
    assert.deepEqual([missing.status, missing.headers['cache-control']], [404, undefined]);
    assert.equal(JSON.parse(missing.body.toString()).message, 'RESPONSE_HTTP_ERROR');
  });

  test('stay those of one build until the next start, whatever happens to the folder', async () => {
    const folder = makePages();
    const flags = { 'web-pages': folder };
    await withServer({ flags }, async ({ url }) => {
      const { etag } = (await ask(url)).headers;
      writeFileSync(join(folder, 'index.html'), INDEX.replace('test', 'rest'));
      const again = await ask(url);
      assert.deepEqual([again.body.toString(), again.headers.etag], [INDEX, etag]);
    });
    const other = await createServer(configOf({ flags }));
    const { headers, body } = await ask(other.url);
    await other.close();
    assert.equal(body.toString(), INDEX.replace('test', 'rest'));
    // The size is the same, and a package gives all files the same time. Only the content tells them apart.
    assert.notEqual(headers.etag, (await get('/')).headers.etag);
  });
});

test('the policy names the origin of a store to which downloads are redirected, and no other', () => {
  const policyWith = (more: Readonly<Record<string, string>>) => {
    const s3 = { 'objects-url': 's3://media', 's3-endpoint': 'https://s3.example.org', ...more };
    return pageHeaders(configOf({ flags: { 'web-pages': 'none', ...s3 } }))['content-security-policy'] ?? '';
  };
  assert.doesNotMatch(policyWith({}), /example/);
  const linked = policyWith({ 's3-link-seconds': '60', 's3-link-endpoint': 'https://media.example.org:9000' });
  const ORIGIN = 'https://media.example.org:9000';
  for (const part of ["connect-src 'self'", "img-src 'self' data: blob:", "media-src 'self' blob:"])
    assert.ok(linked.includes(`; ${part} ${ORIGIN};`), `${part} in ${linked}`);
  assert.equal(linked.split(ORIGIN).length - 1, 3);
});

describe('what the pages may know of the server', () => {
  test('is the version, the brand and a token, for the same origin only and never from a cache', async () => {
    const flags = { 'web-pages': makePages(), 'header-brand': 'Acme', 'allowed-origins': 'https://app.example.org' };
    await withServer({ flags }, async (server) => {
      const { status, headers, body } = await ask(`${server.url}/web.json`, { origin: 'https://app.example.org' });
      assert.equal(status, 200);
      assert.match(headers['content-type'] ?? '', /^application\/json/);
      assert.equal(headers['cache-control'], 'no-store');
      assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
      assert.equal(headers['access-control-allow-origin'], undefined);
      const { buildToken, ...facts } = JSON.parse(body.toString());
      assert.deepEqual(facts, { version: server.version, brand: 'Acme' });
      assert.match(buildToken, /^[\w-]{43}$/);
    });
  });

  test('holds logins that work in dev mode, and none in any other', async () => {
    const flags = { 'web-pages': makePages() };
    await withServer({ mode: 'dev', flags, prepare: seedDevAccounts }, async (server) => {
      const { accounts, buildToken } = await factsOf(server);
      assert.deepEqual(
        accounts.map(({ name }: { name: string }) => name),
        ['Alice', 'Bob', 'Carol'],
      );
      for (const { userid, password } of accounts) await login(server, buildToken, userid, password);
    });
    // The accounts of dev mode are in this database too. The command refuses to serve it; its pages must not name them.
    await withServer({ flags, prepare: seedDevAccounts }, async (server) => {
      const { status, body } = await ask(`${server.url}/web.json`);
      assert.equal(status, 200);
      assert.ok(!('accounts' in JSON.parse(body.toString())));
      assert.doesNotMatch(body.toString(), /alice|-sealpost/);
    });
  });

  test('comes with a token of its own for every installation, which stays the same', async () => {
    const dataDir = mkdtempSync(join(root, 'kept-'));
    const tokens: string[] = [];
    for (const flags of [{ 'data-dir': dataDir }, { 'data-dir': dataDir }, {}])
      await withServer({ flags: { 'web-pages': makePages(), ...flags } }, async (server) => {
        tokens.push((await factsOf(server)).buildToken);
      });
    assert.equal(tokens[0], tokens[1]);
    assert.notEqual(tokens[0], tokens[2]);
  });
});

describe('the token of the pages', () => {
  const refused = (work: Promise<void>) => assert.rejects(work, /REQUEST_INVALID_HMAC/);

  test('signs a login beside the other build tokens, and not without pages', async () => {
    const flags = { 'data-dir': mkdtempSync(join(root, 'token-')), 'build-tokens': 'one,two' };
    let token = '';
    await withServer({ flags: { ...flags, 'web-pages': makePages() } }, async (server) => {
      await server.slices.accounts.create(ANN);
      token = (await factsOf(server)).buildToken;
      for (const accepted of [token, 'one', 'two']) await login(server, accepted, ANN.userid, ANN.password);
      await refused(login(server, `${token}x`, ANN.userid, ANN.password));
    });
    await withServer({ flags: { ...flags, 'web-pages': 'none' } }, async (server) => {
      assert.equal((await ask(`${server.url}/web.json`)).status, 404);
      await login(server, 'one', ANN.userid, ANN.password);
      await refused(login(server, token, ANN.userid, ANN.password));
    });
  });

  test('can be set, and the one that the server made is refused then', async () => {
    const flags = { 'data-dir': mkdtempSync(join(root, 'set-')), 'web-pages': makePages() };
    let made = '';
    await withServer({ flags }, async (server) => {
      await server.slices.accounts.create(ANN);
      made = (await factsOf(server)).buildToken;
    });
    await withServer({ flags: { ...flags, 'web-build-token': 'a token of ours' } }, async (server) => {
      assert.equal((await factsOf(server)).buildToken, 'a token of ours');
      await login(server, 'a token of ours', ANN.userid, ANN.password);
      await refused(login(server, made, ANN.userid, ANN.password));
    });
    assert.throws(
      () => configOf({ flags: { 'web-pages': 'none', 'web-build-token': 'x' } }),
      (error) =>
        error instanceof ConfigError && /^web-build-token is set \(flag.*\) and web-pages is none/.test(error.message),
    );
  });

  test('is the same on all servers of a database', {
    skip: !databases.includes('postgres') && 'needs PostgreSQL',
  }, async () => {
    const database = await createDatabase();
    const flags = { 'database-url': database.url, 'web-pages': makePages() };
    try {
      await withServer({ flags }, (first) =>
        withServer({ flags }, async (second) => {
          await first.slices.accounts.create(ANN);
          const { buildToken } = await factsOf(first);
          assert.deepEqual(await factsOf(second), await factsOf(first));
          for (const server of [first, second]) await login(server, buildToken, ANN.userid, ANN.password);
        }),
      );
    } finally {
      await database.drop();
    }
  });
});

describe('without pages', () => {
  test('that anybody wants, the page about the server is at /', async () => {
    const settings = { flags: { 'web-pages': 'none' } };
    await withServer(settings, async (server) => {
      assert.doesNotMatch(banner(server, configOf(settings), []), /Web client/);
      const page = (await ask(server.url)).body.toString();
      assert.match(page, /A messaging server answers here/);
      assert.doesNotMatch(page, /web client/i);
      assert.equal((await ask(`${server.url}/index.html`)).status, 404);
    });
  });

  test('a folder of the operator is refused, with the reason', () => {
    const empty = mkdtempSync(join(root, 'empty-'));
    for (const folder of [empty, join(empty, 'none'), '/dev/null'])
      assert.throws(
        () => configOf({ flags: { 'web-pages': folder } }),
        (error) =>
          error instanceof ConfigError &&
          error.message ===
            `web-pages is "${folder}" (flag --web-pages); it must be a folder with index.html, or none.`,
      );
  });

  test('that are built, the start and the page about the server say so, and the rest works', async () => {
    assert.equal(configOf({}).webPages, fileURLToPath(pagesFolder));
    const unbuilt = { ...configOf({}), webPages: join(root, 'not built') };
    const server = await createServer(unbuilt);
    try {
      const lines = banner(server, unbuilt, []).split('\n');
      assert.equal(lines[1], '  Web client  not built: npm run build -w packages/web');
      for (const path of ['/', '/docs/server'])
        assert.match((await ask(server.url + path)).body.toString(), /The web client is not built: run <code>npm run/);
      assert.match((await factsOf(server)).buildToken, /^[\w-]{43}$/);
    } finally {
      await server.close();
    }
  });
});

test('the first address that a start tells is that of the web client, in dev mode with two logins', async () => {
  const settings = { flags: { 'web-pages': makePages() } } as const;
  const firstLine = (text: string) => text.split('\n')[1];
  await withServer(settings, async (server) => {
    assert.equal(firstLine(banner(server, configOf(settings), [])), `  Web client  ${server.url}`);
  });
  const dev = { ...settings, mode: 'dev' } as const;
  let seeded: Awaited<ReturnType<typeof seedDevAccounts>> = [];
  const prepare: typeof seedDevAccounts = async (slices) => {
    seeded = await seedDevAccounts(slices);
    return seeded;
  };
  await withServer({ ...dev, prepare }, async (server) => {
    assert.equal(
      firstLine(banner(server, configOf(dev), seeded)),
      `  Web client  ${server.url}  open it in two browsers: alice / alice-sealpost, bob / bob-sealpost`,
    );
  });
});
