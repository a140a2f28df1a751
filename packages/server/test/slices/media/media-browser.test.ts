// Opens uploads that contain a script in a real browser. The same bytes are also served as a careless server would
// serve them, which shows that the scripts work.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { contentTypes } from '@sealpost/contract';
import { browse, chromium } from '@sealpost/dev-env/chromium';
import { startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { accessToken, objectClient, params } from '@sealpost/dev-env/object-client';
import sharp from 'sharp';

interface Upload {
  readonly name: string;
  /** The type that a server would send if it trusted file names. */
  readonly mime: string;
  readonly bytes: Buffer;
}

/**
 * `SCRIPTS_MS`: milliseconds that the test waits for scripts that must not run. `LONGEST_MS`: the longest wait for
 * scripts that must run.
 */
const SCRIPTS_MS = 3000;
const LONGEST_MS = 60_000;

const tell = (name: string): string => `fetch('/ran?${name}')`;
const text = (name: string, mime: string, bytes: string): Upload => ({ name, mime, bytes: Buffer.from(bytes) });

/**
 * Returns uploads with scripts that report when they run. If a browser treats an upload as a picture, it only draws the
 * picture.
 */
async function uploadsOf(): Promise<Upload[]> {
  const jpeg = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#08f' } })
    .jpeg()
    .toBuffer();
  const svg = (name: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8" onload="${tell(name)}"><script>${tell(name)}</script></svg>`;
  const html = (name: string) => `<!doctype html><script>${tell(name)}</script><img src="x" onerror="${tell(name)}">`;
  const page = `<html xmlns="http://www.w3.org/1999/xhtml"><body><script>${tell('page.xhtml')}</script></body></html>`;
  return [
    text('drawing.svg', 'image/svg+xml', svg('drawing.svg')),
    text('page.html', 'text/html', html('page.html')),
    text('page.xhtml', 'application/xhtml+xml', page),
    text('photo.jpg', 'text/html', html('photo.jpg')),
    text('code.js', 'text/javascript', tell('code.js')),
    // The first bytes of this upload are those of a picture, and later bytes are those of a page.
    { name: 'both.jpg', mime: 'text/html', bytes: Buffer.concat([jpeg, Buffer.from(html('both.jpg'))]) },
  ];
}

/** Returns a page that embeds every upload in every possible way, then reports the results. */
const pageOf = (addresses: readonly string[], waitMs: number): string => `<!doctype html>
${addresses
  .map((url) => `<iframe src="${url}"></iframe><object data="${url}"></object><embed src="${url}"><img src="${url}">`)
  .join('\n')}
${addresses.map((url) => `<script src="${url}"></script>`).join('\n')}
<script>
addEventListener('load', async () => {
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  for (const url of ${JSON.stringify(addresses)}) {
    open(url);
    navigator.serviceWorker.register(url).then(() => fetch('/ran?worker'), () => {});
  }
  await wait(${waitMs});
  const shown = [...document.images].filter((image) => image.naturalWidth === 8).length;
  await fetch('/over?shown=' + shown);
});
</script>`;

const skip = chromium ? false : 'there is no Chromium: set SEALPOST_TEST_CHROMIUM';

describe('uploads that carry a script, in a real browser', { skip }, () => {
  let server: TestServer;
  let bob: TestUser;
  let pages: Server;
  let url: string;
  let uploads: Upload[];
  const paths: string[] = [];
  let ran: Set<string>;
  let over: PromiseWithResolvers<string>;

  const everything = (): string[] => [...uploads.map(({ name }) => name), 'worker'].sort();

  /** A foreign site cannot set headers, so this proxy adds bob's token and passes the answers on. */
  async function handOn(path: string, response: ServerResponse): Promise<void> {
    const found = await fetch(server.url + path, { headers: { 'X-Svc-Access': accessToken(bob) } });
    response.writeHead(found.status, Object.fromEntries(found.headers));
    response.end(Buffer.from(await found.arrayBuffer()));
  }

  function serve(path: string, query: string, response: ServerResponse): void {
    const careless = uploads.find(({ name }) => path === `/careless/${name}`);
    if (path.startsWith('/r/')) void handOn(path, response);
    else if (careless) response.writeHead(200, { 'Content-Type': careless.mime }).end(careless.bytes);
    else if (path === '/page') {
      const addresses = query === 'careless' ? uploads.map(({ name }) => `/careless/${name}`) : paths;
      const waitMs = query === 'careless' ? LONGEST_MS : SCRIPTS_MS;
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(pageOf(addresses, waitMs));
    } else {
      if (path === '/ran') ran.add(query);
      if (path === '/over' || ran.size === everything().length) over.resolve(query);
      response.writeHead(204).end();
    }
  }

  before(async () => {
    server = await startServer();
    const objects = objectClient(server);
    const alice = await server.user('alice');
    bob = await server.user('bob');
    uploads = await uploadsOf();
    for (const [index, { name, bytes }] of uploads.entries()) {
      const message = { to: bob.mid, contentType: contentTypes.FILE };
      const { id } = await alice.client.TalkService.sendMessage(100 + index, message);
      const path = `/r/talk/m/${id}`;
      const headers = { 'X-Obs-Params': params({ ver: '2.0', name, type: 'file' }) };
      assert.equal((await objects.post(alice, path, bytes, headers)).status, 201);
      paths.push(path);
    }
    pages = createServer((request, response) => {
      const { pathname, search } = new URL(request.url as string, url);
      serve(pathname, search.slice(1), response);
    });
    await once(pages.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
  });
  after(async () => {
    pages?.closeAllConnections();
    pages?.close();
    await server?.close();
  });

  /** Returns which scripts ran and how many pictures were drawn. */
  async function open(what: string): Promise<{ ran: string[]; shown: string }> {
    ran = new Set();
    over = Promise.withResolvers();
    await browse(chromium as string, `${url}/page?${what}`, over.promise);
    return { ran: [...ran].sort(), shown: await over.promise };
  }

  test('a server that trusts file names lets every script run', async () => {
    assert.deepEqual((await open('careless')).ran, everything());
  });

  test('no script runs from this server, however it is opened, and a picture is still shown', async () => {
    assert.deepEqual(await open('ours'), { ran: [], shown: 'shown=1' });
  });
});
