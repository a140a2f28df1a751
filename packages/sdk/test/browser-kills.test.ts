// A browser with an outbox in IndexedDB is killed again and again: what was queued arrives, once, and in order.
//
// In about one of 500 kills under load, Chromium finds its own database damaged at the next start, and removes it. It
// says so in the event of the new database. No page can do anything about it: the test then begins again with a new
// profile.
import { after, before, describe, type TestContext, test } from 'node:test';
import { seed } from '@sealpost/dev-env/chance';
import { type Browser, chromium, newProfile, removeProfile, startBrowser } from '@sealpost/dev-env/chromium';
import { startServer, type TestServer } from '@sealpost/dev-env/harness';
import { repeats } from '@sealpost/dev-env/repeats';
import { createRandom } from '@sealpost/dev-env/workload/random';
import { type Client, createClient, memoryStore } from '@sealpost/sdk';
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
/** The most times that the browser may remove its database. */
const LOSSES = Math.max(2, Math.ceil(KILLS / 20));

/** Means that the browser has removed its own damaged data. The login and the outbox were among them. */
class RemovedByBrowser extends Error {}

interface Given {
  readonly first: number;
  readonly most: number;
}

/** One profile of the browser, with the account that is logged in there, and the one that it writes to. */
interface Place {
  readonly profile: string;
  readonly given: { readonly url: string; readonly userid: string; readonly password: string };
  readonly chats: readonly string[];
  readonly receiver: Client;
  /** The same chats, as the receiver names them. */
  readonly received: readonly string[];
}

describe(`an outbox in a browser, killed ${KILLS} times`, { skip }, () => {
  let server: TestServer;
  let pages: Pages;
  let plan: object;
  let heard: (what: Readonly<Record<string, unknown>>) => void;
  let browser: Browser | undefined;
  const profiles: string[] = [];
  /** The steps that the pages of the current profile have told. */
  let steps: string[] = [];
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
    profiles.forEach(removeProfile);
  });

  /** Makes an empty profile, and two people with two chats. */
  async function newPlace(t: TestContext, number: number): Promise<Place> {
    const profile = newProfile();
    profiles.push(profile);
    steps = [];
    const [ann, ben] = [await server.user(`ann${number}`), await server.user(`ben${number}`)];
    const store = memoryStore();
    await store.session.save((await ben.session()).session);
    const receiver = createClient({ url: server.url, store });
    t.after(() => receiver.close());
    await receiver.open();
    const group = { reqSeq: 5, type: 1 as const, name: '', targetUserMids: [ben.mid] };
    const { chat } = await ann.client.TalkService.createChat(group);
    return {
      profile,
      given: { url: server.url, userid: ann.userid, password: ann.password },
      chats: [ben.mid, chat.chatMid],
      receiver,
      received: [ann.mid, chat.chatMid],
    };
  }

  /**
   * Runs the browser until its page has told some numbers, or that its outbox is empty. Returns the last number.
   * @param tell prints why a browser was started anew
   */
  async function run(place: Place, given: Given, lines: number, tell: (why: string) => void): Promise<number> {
    let last = given.first - 1;
    let seen = 0;
    let step = 'starts';
    for (let starts = 1; starts <= STARTS; starts++) {
      plan = { ...place.given, chats: place.chats, ...given, first: last + 1 };
      const over = Promise.withResolvers<boolean>();
      const silence = setTimeout(() => over.resolve(false), SILENCE_MS);
      heard = (what) => {
        silence.refresh();
        if ('failed' in what) over.reject(new Error(String(what.failed)));
        if ('step' in what) {
          step = String(what.step);
          steps.push(`after ${last}: ${step}`);
          // The login was stored before the first number was told.
          if (last >= 0 && step.includes('loss total')) over.reject(new RemovedByBrowser(`after ${last}: ${step}`));
          if (last >= 0 && step === 'logs in')
            over.reject(new Error(`the login was lost after number ${last}: ${steps.join('; ')}`));
          return;
        }
        if ('queued' in what) last = Number(what.queued);
        seen += 1;
        if ('empty' in what || seen === lines) over.resolve(true);
      };
      browser = startBrowser(chromium as string, pages.url, place.profile);
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
    const tell = (why: string): void => t.diagnostic(why);
    let kills = 0;
    for (let number = 1; ; number++) {
      const place = await newPlace(t, number);
      let next = 0;
      try {
        for (; kills < KILLS; kills++)
          next = (await run(place, { first: next, most: MESSAGES }, 1 + random.below(LINES), tell)) + 1;
        await run(place, { first: next, most: next }, Number.POSITIVE_INFINITY, tell);
        await assertNumbered(place.receiver, place.received, next);
        return;
      } catch (error) {
        if (!(error instanceof RemovedByBrowser) || number > LOSSES) {
          tell(steps.join('; '));
          throw error;
        }
        tell(`the browser has removed its data, so a new profile begins: ${error.message}`);
        // What had arrived before is still there once, in order and without a gap.
        await assertNumbered(place.receiver, place.received, 0);
        kills = Math.min(kills, KILLS - 1);
      }
    }
  });
});
