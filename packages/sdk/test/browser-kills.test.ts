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
/** Milliseconds without news from a browser, after which it is started anew. A busy machine may lose a start. */
const SILENCE_MS = 60_000;
const STARTS = 3;
const MESSAGES = 100_000;

interface Given {
  readonly first: number;
  readonly most: number;
}

describe(`an outbox in a browser, killed ${KILLS} times`, { skip }, () => {
  const profile = newProfile();
  let server: TestServer;
  let pages: Pages;
  let plan: object;
  let heard: (what: Readonly<Record<string, unknown>>) => void;
  let browser: Browser | undefined;
  /** The steps that the pages have told. */
  const steps: string[] = [];
  before(async () => {
    server = await startServer({ flags: { 'allowed-origins': '*' } });
    const program = new URL('./browser-sender.ts', import.meta.url);
    pages = await servePages({ program, plan: () => plan, heard: (what) => heard(what) });
  });
  after(async () => {
    // After a failure it may still run.
    await browser?.kill();
    pages.close();
    await server.close();
    removeProfile(profile);
  });

  /**
   * Runs the browser until its page has told some numbers, or that its outbox is empty. Returns the last number.
   * @param tell prints why a browser was started anew
   */
  async function run(given: Given, lines: number, tell: (why: string) => void): Promise<number> {
    let last = given.first - 1;
    let seen = 0;
    let step = 'starts';
    for (let starts = 1; starts <= STARTS; starts++) {
      plan = { ...given, first: last + 1 };
      const over = Promise.withResolvers<boolean>();
      const silence = setTimeout(() => over.resolve(false), SILENCE_MS);
      heard = (what) => {
        silence.refresh();
        if ('failed' in what) over.reject(new Error(String(what.failed)));
        if ('step' in what) {
          step = String(what.step);
          steps.push(`after ${last}: ${step}`);
          // The login was stored before the first number was told.
          if (step === 'logs in' && last >= 0)
            over.reject(new Error(`the login was lost after number ${last}: ${steps.join('; ')}`));
          return;
        }
        if ('queued' in what) last = Number(what.queued);
        seen += 1;
        if ('empty' in what || seen === lines) over.resolve(true);
      };
      browser = startBrowser(chromium as string, pages.url, profile);
      const crash = browser.ended.catch((error: Error) => {
        step = error.message;
        return false;
      });
      const isOver = await Promise.race([over.promise, crash]).finally(() => {
        clearTimeout(silence);
        return browser?.kill();
      });
      if (isOver) return last;
      tell(`browser ${starts} is silent after number ${last}: ${step}`);
    }
    throw new Error(`${STARTS} browsers were silent after number ${last}: ${step}`);
  }

  test('loses nothing, doubles nothing and keeps the order', async (t) => {
    const random = createRandom(seed);
    const [ann, ben] = [await server.user('ann'), await server.user('ben')];
    const store = memoryStore();
    await store.session.save((await ben.session()).session);
    const bens = createClient({ url: server.url, store });
    t.after(() => bens.close());
    await bens.open();
    const { chat } = await ann.client.TalkService.createChat({
      reqSeq: 5,
      type: 1,
      name: '',
      targetUserMids: [ben.mid],
    });
    const chats = [ben.mid, chat.chatMid];
    const given = { url: server.url, userid: ann.userid, password: ann.password, chats };
    const tell = (why: string): void => t.diagnostic(why);
    let next = 0;
    for (let kill = 0; kill < KILLS; kill++)
      next = (await run({ ...given, first: next, most: MESSAGES }, 1 + random.below(LINES), tell)) + 1;
    await run({ ...given, first: next, most: next }, Number.POSITIVE_INFINITY, tell);
    await assertNumbered(bens, [ann.mid, chat.chatMid], next).catch((error) => {
      tell(steps.join('; '));
      throw error;
    });
  });
});
