// The page at /docs in a real browser: the calls that it shows, and whether it fits the window.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { operationTypes } from '@sealpost/contract';
import { browse, chromium } from '@sealpost/dev-env/chromium';
import { startServer, type TestServer } from '@sealpost/dev-env/harness';
import { documentedHttpEndpoints, documentedMethods } from '@sealpost/reference';

interface Shown {
  readonly width: number;
  readonly call: string;
  /** Pixels by which the page exceeds the width of its window. */
  readonly tooWide: number;
  readonly operations: readonly string[];
}

const WIDTHS = [320, 400, 720, 1280];

/** A page that opens every call in windows of several widths and reports what it sees. */
const observer = `<!doctype html><script type="module">
const seen = [];
for (const width of ${JSON.stringify(WIDTHS)}) {
  const frame = document.createElement('iframe');
  Object.assign(frame, { width, height: 800, src: '/docs' });
  document.body.append(frame);
  await new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  const page = frame.contentWindow;
  const turn = () => new Promise((resolve) => page.requestAnimationFrame(resolve));
  while (!page.document.querySelector('#calls a') || page.document.querySelector('#call').hidden) await turn();
  for (const details of page.document.querySelectorAll('details')) details.open = true;
  for (const link of page.document.querySelectorAll('#calls a')) {
    const call = decodeURIComponent(link.hash.slice(1));
    page.location.hash = link.hash;
    while (page.document.querySelector('#name').textContent !== call) await turn();
    const { scrollWidth, clientWidth } = page.document.documentElement;
    const operations = [...page.document.querySelectorAll('#operations li')].map((item) => item.innerText);
    seen.push({ width, call, tooWide: scrollWidth - clientWidth, operations });
  }
}
await fetch('/seen', { method: 'POST', body: JSON.stringify(seen) });
</script>`;

const skip = chromium ? false : 'there is no Chromium: set SEALPOST_TEST_CHROMIUM';

describe('the page at /docs, in a real browser', { skip }, () => {
  let server: TestServer;
  let pages: Server;
  let seen: readonly Shown[];

  before(async () => {
    server = await startServer();
    const over = Promise.withResolvers<string>();
    pages = createServer((request, response) => {
      if (request.url === '/seen') text(request).then(over.resolve, over.reject);
      else if (request.url === '/observer') response.writeHead(200, { 'Content-Type': 'text/html' }).end(observer);
      else void handOn(request, response);
    });
    pages.listen(0, '127.0.0.1');
    await once(pages, 'listening');
    const { port } = pages.address() as AddressInfo;
    await browse(chromium as string, `http://127.0.0.1:${port}/observer`, over.promise);
    seen = JSON.parse(await over.promise) as Shown[];
  });
  after(async () => {
    pages?.close();
    await server?.close();
  });

  /**
   * Serves the docs without the server's security policy. The policy forbids frames around its pages, and the test
   * needs frames.
   */
  async function handOn({ url }: IncomingMessage, response: ServerResponse): Promise<void> {
    const found = await fetch(server.url + url);
    response.writeHead(found.status, { 'Content-Type': found.headers.get('content-type') ?? '' });
    response.end(Buffer.from(await found.arrayBuffer()));
  }

  test('every call fits into windows of every width, with all of it unfolded', () => {
    assert.ok(seen.length >= WIDTHS.length * documentedMethods.length);
    assert.deepEqual(
      seen.filter(({ tooWide }) => tooWide > 0).map(({ width, call, tooWide }) => `${call} at ${width}: ${tooWide}`),
      [],
    );
  });

  test('every operation that a call emits is listed once, with its receivers and its condition', () => {
    const shown = new Map(seen.map((page) => [page.call, page.operations]));
    for (const { name, entry } of [...documentedMethods, ...documentedHttpEndpoints]) {
      const listed = shown.get(name);
      if (!listed) continue;
      const emits = entry.emits ?? [];
      const types = new Set(emits.map(({ type }) => `${operationTypes[type]} ${type}`));
      assert.deepEqual(listed.map((item) => item.split('\n')[0]).sort(), [...types].sort(), name);
      for (const { type, to, when = '' } of emits) {
        const item = listed.find((one) => one.startsWith(`${operationTypes[type]} ${type}\n`)) ?? '';
        const line = item.split('\n').find((one) => one.endsWith(when) && one.includes(to));
        assert.ok(line !== undefined, `${name}: ${type} to ${to} (${when}) in ${item}`);
      }
    }
  });
});
