// The client in a real browser: sealed messages, state that outlives the page, one owner, nothing readable at rest.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { bundleForBrowser } from '@sealpost/dev-env/browser-bundle';
import { browse, chromium } from '@sealpost/dev-env/chromium';
import { startServer, type TestServer } from '@sealpost/dev-env/harness';

const skip = chromium ? false : 'there is no Chromium: set SEALPOST_TEST_CHROMIUM';
const page = new URL('./browser-page.ts', import.meta.url).pathname;

describe('the client in a browser', { skip }, () => {
  let server: TestServer;
  let pages: Server;
  let told: Record<string, unknown>[];
  let over: PromiseWithResolvers<void>;
  let html = '';
  /** The modules that the page fetched. */
  let fetched: string[];

  before(async () => {
    server = await startServer({ flags: { 'allowed-origins': '*' } });
    const [ann, ben] = [await server.user('ann'), await server.user('ben')];
    const given = {
      url: server.url,
      ann: { userid: ann.userid, password: ann.password },
      ben: { userid: ben.userid, password: ben.password },
    };
    const { files, start } = await bundleForBrowser(page);
    html = `<!doctype html><script type="application/json" id="given">${JSON.stringify(given)}</script><script type="module" src="/${start.name}"></script>`;
    pages = createServer(async (request, response) => {
      if (request.url === '/told') {
        told.push(JSON.parse(Buffer.concat(await request.toArray()).toString()));
        response.writeHead(204).end();
        if (told.length === 2 || 'failed' in (told.at(-1) ?? {})) over.resolve();
        return;
      }
      const file = files.find(({ name }) => request.url === `/${name}`);
      if (file) {
        fetched.push(...file.modules);
        response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(file.code);
      } else response.writeHead(200, { 'Content-Type': 'text/html' }).end(html);
    });
    await once(pages.listen(0, '127.0.0.1'), 'listening');
  });
  after(async () => {
    pages?.closeAllConnections();
    pages?.close();
    await server?.close();
  });

  test('two people talk sealed; state and outbox outlive the page; a logout leaves no state', async () => {
    told = [];
    fetched = [];
    over = Promise.withResolvers();
    const { port } = pages.address() as AddressInfo;
    await browse(chromium as string, `http://127.0.0.1:${port}/`, over.promise);
    assert.deepEqual(told, [
      { sealed: true, text: 'hello from a page', state: 'opened', refused: 'in-use', unread: [1] },
      {
        kept: [['ann', 'hello from a page']],
        answer: 'written without a connection',
        readable: false,
        rows: true,
        left: [],
      },
    ]);
    const isFetched = (path: string) => fetched.some((module) => module.endsWith(path));
    // Keys were checked, and nothing was backed up.
    assert.deepEqual(['/key-log-witness.ts', '/recovery.ts', '/argon2.js'].map(isFetched), [true, false, false]);
  });
});
