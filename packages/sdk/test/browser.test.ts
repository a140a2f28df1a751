import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

/** Resolves modules as a bundler for browsers does: without the condition "node", and without the modules of Node. */
const program = `
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, { ...context, conditions: ['browser', 'import', 'default'] });
      if (found.url.startsWith('node:')) throw new Error(context.parentURL + ' needs ' + specifier);
      return found;
    },
  });
  const { createRpcClient } = await import(process.argv[1]);
  const stored = [];
  const answers = {
    acquireEncryptedAccessToken: () => Response.json({ code: 0, message: 'OK', data: '600\\x1etoken' }),
    sendMessage: () => Response.json({ code: 0, message: 'OK', data: { id: '7' } }),
    getMessagesByIds: () => Response.json({ code: 0, message: 'OK', data: [{ id: '7', hasContent: true }] }),
    7: async (init) => {
      stored.push(...init.body);
      const headers = { 'x-obs-oid': '7', 'x-obs-offset': String(stored.length) };
      return new Response(null, { status: 201, headers });
    },
  };
  const fetch = async (url, init) => answers[url.split('/').at(-1)](init);
  const tokens = {
    accessToken: 'a', refreshToken: 'r', durationUntilRefreshInSec: '600', tokenIssueTimeEpochSec: String(Date.now() / 1000),
    refreshApiRetryPolicy: {},
  };
  const client = createRpcClient({ url: 'http://gateway', fetch, session: { mid: 'u', tokens } });
  const message = await client.media().send('u', { kind: 'file', name: 'a', bytes: new Blob(['from a page']) });
  client.close();
  process.stdout.write(message.hasContent + ' ' + new TextDecoder().decode(Uint8Array.from(stored)));
`;

test('where there is nothing of Node, as in browsers, the package loads and uploads a Blob', () => {
  const index = new URL('../src/index.ts', import.meta.url).href;
  const run = spawnSync(process.execPath, ['--input-type=module', '--eval', program, index], { encoding: 'utf8' });
  assert.equal(run.stderr, '');
  assert.equal(run.stdout, 'true from a page');
});
