// A browser with an outbox in IndexedDB is killed again and again: what was queued arrives, once, and in order.
import { after, before, describe, test } from 'node:test';
import { seed } from '@sealpost/dev-env/chance';
import { type Browser, chromium, newProfile, removeProfile, startBrowser } from '@sealpost/dev-env/chromium';
import { startServer, type TestServer } from '@sealpost/dev-env/harness';
import { repeats } from '@sealpost/dev-env/repeats';
import { createRandom } from '@sealpost/dev-env/workload/random';
import { createClient, memoryStore } from '@sealpost/sdk';
import { type Pages, servePages } from './browser-pages.ts';
import { assertNumbered } from './numbered.ts';

const skip = chromium ? false : 'there is no Chromium: set SEALPOST_TEST_CHROMIUM';
/** How often the browser is killed. */
const KILLS = repeats(4);
/** The most numbers that a page may tell before its browser is killed. */
const LINES = 12;
/** Milliseconds after which a browser that has not loaded the page is started anew. A busy machine may lose a start. */
const LOAD_MS = 60_000;
const STARTS = 3;
const MESSAGES = 100_000;

describe(`an outbox in a browser, killed ${KILLS} times`, { skip }, () => {
  const profile = newProfile();
  let server: TestServer;
  let pages: Pages;
  let plan: object;
  let heard: (what: Readonly<Record<string, unknown>>) => void;
  let loaded = (): void => {};
  let browser: Browser | undefined;
  before(async () => {
    server = await startServer({ flags: { 'allowed-origins': '*' } });
    const program = new URL('./browser-sender.ts', import.meta.url);
    pages = await servePages({
      program,
      plan() {
        loaded();
        return plan;
      },
      heard: (what) => heard(what),
    });
  });
  after(async () => {
    // After a failure it may still run.
    await browser?.kill();
    pages.close();
    await server.close();
    removeProfile(profile);
  });

  /** Starts a browser whose page has begun. */
  async function begun(): Promise<Browser> {
    for (let starts = 1; ; starts++) {
      const page = Promise.withResolvers<boolean>();
      loaded = () => page.resolve(true);
      const started = startBrowser(chromium as string, pages.url, profile);
      browser = started;
      const late = setTimeout(() => page.resolve(false), LOAD_MS);
      const isLoaded = await Promise.race([page.promise, started.ended]).finally(() => clearTimeout(late));
      if (isLoaded || starts === STARTS) return started;
      await started.kill();
    }
  }

  /** Runs the browser until its page has told some numbers, or that its outbox is empty. Returns the last number. */
  async function run(given: object, first: number, most: number, lines: number): Promise<number> {
    plan = { ...given, first, most };
    const over = Promise.withResolvers<void>();
    let last = first - 1;
    let seen = 0;
    heard = (what) => {
      if ('failed' in what) over.reject(new Error(String(what.failed)));
      if ('queued' in what) last = Number(what.queued);
      seen += 1;
      if ('empty' in what || seen === lines) over.resolve();
    };
    const running = await begun();
    try {
      await Promise.race([over.promise, running.ended]);
    } finally {
      await running.kill();
    }
    return last;
  }

  test('loses nothing, doubles nothing and keeps the order', async () => {
    const random = createRandom(seed);
    const [ann, ben] = [await server.user('ann'), await server.user('ben')];
    const store = memoryStore();
    await store.session.save((await ben.session()).session);
    const bens = createClient({ url: server.url, store });
    await bens.open();
    const { chat } = await ann.client.TalkService.createChat({
      reqSeq: 5,
      type: 1,
      name: '',
      targetUserMids: [ben.mid],
    });
    const chats = [ben.mid, chat.chatMid];
    const given = { url: server.url, userid: ann.userid, password: ann.password, chats };
    let next = 0;
    for (let kill = 0; kill < KILLS; kill++) next = (await run(given, next, MESSAGES, 1 + random.below(LINES))) + 1;
    await run(given, next, next, Number.POSITIVE_INFINITY);
    await assertNumbered(bens, [ann.mid, chat.chatMid], next);
    await bens.close();
  });
});
