// The client in a real browser: sealed messages, state that outlives the page, one owner, nothing readable at rest; and
// order behind connections that are cut.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { seed } from '@sealpost/dev-env/chance';
import { browse, chromium } from '@sealpost/dev-env/chromium';
import { startServer, type TestServer } from '@sealpost/dev-env/harness';
import { cuttingProxy } from '@sealpost/dev-env/proxies/cutting';
import { createRandom } from '@sealpost/dev-env/workload/random';
import { servePages } from './browser-pages.ts';

const skip = chromium ? false : 'there is no Chromium: set SEALPOST_TEST_CHROMIUM';
const program = new URL('./browser-page.ts', import.meta.url);

type Told = Readonly<Record<string, unknown>>;

describe('the client in a browser', { skip }, () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ flags: { 'allowed-origins': '*' } });
  });
  after(() => server?.close());

  /** Opens the page at a path for two new people, until it has told some times, or failed. Returns what it told. */
  async function told(path: string, times: number, { url = server.url, heard = (_: Told): void => {} } = {}) {
    const [ann, ben] = [await server.user('ann'), await server.user('ben')];
    const given = {
      url,
      ann: { userid: ann.userid, password: ann.password },
      ben: { userid: ben.userid, password: ben.password },
    };
    const all: Told[] = [];
    const over = Promise.withResolvers<void>();
    const pages = await servePages({
      program,
      given,
      heard(what) {
        all.push(what);
        heard(what);
        if (all.length === times || 'failed' in what) over.resolve();
      },
    });
    try {
      await browse(chromium as string, new URL(path, pages.url).href, over.promise);
    } finally {
      pages.close();
    }
    return all;
  }

  test('two people talk sealed; state and outbox outlive the page; a logout leaves no state', async () => {
    assert.deepEqual(await told('/', 2), [
      { sealed: true, text: 'hello from a page', state: 'opened', refused: 'in-use', unread: [1] },
      {
        kept: [['ann', 'hello from a page']],
        answer: 'written without a connection',
        readable: false,
        rows: true,
        left: [],
        deleted: true,
      },
    ]);
  });

  test('messages arrive once and in order over connections that are cut at random bytes', async () => {
    const random = createRandom(seed);
    const proxy = await cuttingProxy(server.url);
    const cut = (): void => proxy.cutAfter(random.pick(['requests', 'answers']), random.below(3000));
    const all = await told('/cut', 41, {
      url: proxy.url,
      heard: ({ queued }) => void (Number(queued) % 4 === 0 && cut()),
    });
    const cuts = proxy.cuts;
    await proxy.close();
    const texts = Array.from({ length: 20 }, (_, number) => String(number));
    assert.deepEqual(all.at(-1), { anns: texts, bens: texts, left: 0 });
    assert.ok(cuts > 0);
  });
});
