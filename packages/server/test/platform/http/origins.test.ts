// Which web pages of other origins may call the server, and whether their browsers may send cookies.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { httpPaths, pathOf } from '@sealpost/contract';
import { startServer } from '@sealpost/dev-env/harness';
import { ConfigError } from '../../../src/platform/kernel/config-error.ts';
import { loadConfig } from '../../../src/start/config/config.ts';

interface Allowed {
  readonly origin: string | null;
  readonly credentials: string | null;
}

/** Returns what the server allows a page of each origin, in its answer to a call and to the preflight request. */
async function tellsTo(allowedOrigins: string, origins: readonly string[]): Promise<Record<string, Allowed>> {
  const server = await startServer({ flags: { 'allowed-origins': allowedOrigins } });
  try {
    const told: Record<string, Allowed> = {};
    for (const origin of origins) {
      const paths = [pathOf('TalkService.getProfile'), httpPaths.operationReceive, '/r/talk/m/1'];
      const asked = paths.flatMap((path) => ['OPTIONS', 'POST'].map((method) => [path, method] as const));
      const answers = await Promise.all(
        asked.map(async ([path, method]): Promise<Allowed> => {
          const { headers } = await fetch(server.url + path, { method, headers: { origin } });
          assert.equal(headers.has('access-control-allow-origin'), headers.has('vary'));
          return {
            origin: headers.get('access-control-allow-origin'),
            credentials: headers.get('access-control-allow-credentials'),
          };
        }),
      );
      for (const answer of answers) assert.deepEqual(answer, answers[0], origin);
      told[origin] = answers[0] as Allowed;
    }
    return told;
  } finally {
    await server.close();
  }
}

const yes = (origin: string): Allowed => ({ origin, credentials: 'true' });
const no: Allowed = { origin: null, credentials: null };
const open: Allowed = { origin: '*', credentials: null };

test('origins match whole: a wildcard stands for one whole label or for the port', async () => {
  const cases: Record<string, Allowed> = {};
  for (const origin of [
    'https://app.example.org',
    'https://a.pages.example.org',
    'chrome-extension://abcdefghijklmnop',
    'http://localhost:5173',
    'http://[::1]:3000',
  ]) {
    cases[origin] = yes(origin);
  }
  for (const origin of [
    'https://app.example.org.evil.example',
    'https://app.example.org:8443',
    'http://app.example.org',
    'https://pages.example.org',
    'https://a.b.pages.example.org',
    'https://evilpages.example.org',
    'https://a.pages.example.org:8443',
    'https://a.pages.example.org.evil.example',
    'chrome-extension://a.b',
    'moz-extension://abcdefghijklmnop',
    'http://localhost',
    'http://localhost.evil.example:5173',
    'http://[::1]:3001',
    'null',
    '*',
  ]) {
    cases[origin] = origin === 'http://localhost' ? yes(origin) : no;
  }
  const allowed =
    'https://app.example.org, https://*.pages.example.org, chrome-extension://*, http://localhost:*, http://[::1]:3000';
  assert.deepEqual(await tellsTo(allowed, Object.keys(cases)), cases);
});

test('* lets any page call, and none with cookies but those that are named beside it', async () => {
  const named = 'https://app.example.org';
  assert.deepEqual(await tellsTo(`*,${named}`, [named, 'https://evil.example', 'null']), {
    [named]: yes(named),
    'https://evil.example': open,
    null: open,
  });
});

test('without the setting no page of another origin may call', async () => {
  assert.deepEqual(await tellsTo('', ['https://app.example.org']), { 'https://app.example.org': no });
});

test('an origin that a browser never sends, or with half a wildcard, stops the start and says why', () => {
  for (const [origin, why] of [
    ['https://app.example*', /label "example\*"/],
    ['https://*example.org', /label "\*example"/],
    ['https://app-*.example.org', /label "app-\*"/],
    ['https://**.example.org', /label "\*\*"/],
    ['https*://app.example.org', /scheme "https\*"/],
    ['https://app.example.org:80*', /port "80\*"/],
    ['https://app.example.org/', /without a path/],
    ['https://app.example.org:443', /leave it out/],
    ['https://App.example.org', /label "App"/],
    ['app.example.org', /scheme:\/\/host/],
    ['null', /scheme:\/\/host/],
    ['https://', /scheme:\/\/host/],
    ['https://a..org', /label ""/],
  ] as const) {
    assert.throws(
      () => loadConfig('serve', { flags: { 'allowed-origins': `https://fine.example,${origin}` }, env: {} }),
      (error) => error instanceof ConfigError && /^allowed-origins is/.test(error.message) && why.test(error.message),
      origin,
    );
  }
});
