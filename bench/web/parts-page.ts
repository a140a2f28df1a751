// The parts of the bench about the page itself: loading, typing, scrolling, searching.

import { setTimeout as pause } from 'node:timers/promises';
import { pageLoad } from '../../packages/web/first-load.ts';
import { sizes, write } from '../../packages/web/test/browsers.ts';
import { median } from '../statistics.ts';
import { type Figure, type Findings, p95, shares } from './figures.ts';
import { RARE } from './fill.ts';
import type { Bench } from './parts.ts';
import { type Notes, openingMs, searchTimes, shiftOf } from './probes.ts';
import { phoneNetwork } from './slow-network.ts';
import { openMessages, openTab, PHONE_CPU, type Tab } from './tab.ts';

const LCP_MS = 2_500;
const TBT_MS = 150;
const FRAME_MS = 50;
const SEARCH_MS = 1_000;
/** Milliseconds between a key press and the search, on every device. The page waits for further keys. */
const SEARCH_PAUSE_MS = 150;
/** The time between two letters of somebody who types fast. */
const LETTER_MS = 80;
const RELOAD_MS = 1_000;
const FIRST_LOAD_KB = 150;
/** The browser does not report events that take less than this. */
const UNTOLD_MS = 16;

/** Returns the milliseconds for which long tasks kept the page from reacting after its first paint. */
const blockingMs = ({ longTasks, firstPaint }: Notes): number =>
  longTasks
    .filter(({ start, duration }) => start + duration > firstPaint)
    .reduce((sum, { start, duration }) => sum + Math.max(0, start + duration - Math.max(start, firstPaint) - 50), 0);

/**
 * Measures the first visit, and a later visit of a user who is logged in. Both with the network and the processor of a
 * phone.
 */
export async function measureLoads({ network, browser, tab, amounts }: Bench): Promise<Findings> {
  const settle = async (of: Tab): Promise<Notes> => {
    await pause(amounts.settleMs);
    return of.notes();
  };
  const first: Notes[] = [];
  const later: Notes[] = [];
  for (let round = 0; round < amounts.rounds; round++) {
    network.use(phoneNetwork);
    const visitor = await openTab(browser, { viewport: sizes.phone, serviceWorkers: 'block' });
    await visitor.throttle(PHONE_CPU);
    await visitor.page.goto(network.url);
    await visitor.page.getByLabel('Password').waitFor();
    first.push(await settle(visitor));
    await visitor.close();
  }
  network.use(undefined);
  // The page offers a backup only once, so this offer is dismissed here.
  await tab.page.getByRole('button', { name: 'Later' }).click();
  await tab.cdp.send('Network.enable');
  await tab.cdp.send('Network.setBypassServiceWorker', { bypass: true });
  await tab.cdp.send('Emulation.setDeviceMetricsOverride', { ...sizes.phone, deviceScaleFactor: 1, mobile: false });
  for (let round = 0; round < amounts.rounds; round++) {
    await tab.cdp.send('Network.clearBrowserCache');
    network.use(phoneNetwork);
    await tab.throttle(PHONE_CPU);
    await tab.page.reload();
    await tab.page.locator('li[data-index]').first().waitFor();
    later.push(await settle(tab));
  }
  network.use(undefined);
  await tab.throttle(1);
  await tab.cdp.send('Emulation.clearDeviceMetricsOverride');
  await tab.cdp.send('Network.setBypassServiceWorker', { bypass: false });
  const figuresOf = (who: string, notes: readonly Notes[]): Figure[] => [
    { what: `${who}: largest paint`, value: median(notes.map((one) => one.largestPaint)), unit: 'ms', bar: LCP_MS },
    { what: `${who}: blocking time`, value: median(notes.map(blockingMs)), unit: 'ms', bar: TBT_MS },
  ];
  return {
    figures: [
      await weight(),
      ...figuresOf('First visit on a phone', first),
      ...figuresOf(`Visit on a phone, logged in with ${amounts.chats} chats, nothing cached`, later),
    ],
  };
}

async function weight(): Promise<Figure> {
  const here = process.cwd();
  const { first, chat } = await pageLoad();
  process.chdir(here);
  const kB = (files: typeof first): number => files.reduce((sum, { gzipped }) => sum + gzipped, 0) / 1000;
  return {
    what: 'JavaScript until the list of chats is shown, gzipped',
    ...{ value: kB(first), unit: 'kB', bar: FIRST_LOAD_KB },
    beside: `${Math.round(kB(chat))} kB more until the first chat is shown`,
  };
}

/** Measures the time from each key press to the frame that shows its letter. */
export async function measureTyping({ place, tab, amounts }: Bench): Promise<Findings> {
  await openMessages(tab, place.friend.mid);
  await tab.page.getByRole('textbox', { name: 'Write a message' }).focus();
  await pause(amounts.settleMs);
  await tab.throttle(PHONE_CPU);
  const before = (await tab.notes()).keys.length;
  for (let key = 0; key < amounts.keys; key++) {
    await tab.page.keyboard.press(key % 6 === 5 ? 'Space' : 'n');
    // The pause is long enough that the page stores the draft.
    await pause(key % 12 === 11 ? 500 : 80);
  }
  await tab.throttle(1);
  const { keys, events } = await tab.notes();
  const delays = keys.slice(before).map((pressed, at, all) => {
    const next = all[at + 1] ?? Number.POSITIVE_INFINITY;
    const caused = events.filter(({ start }) => start >= pressed - 1 && start < next);
    return Math.max(UNTOLD_MS, ...caused.map(({ start, duration }) => start + duration - pressed));
  });
  await tab.page.getByRole('textbox', { name: 'Write a message' }).fill('');
  const where = `in a chat of ${amounts.messagesInLargeChat} messages among ${amounts.chats} chats`;
  return {
    figures: [p95(`A key press until it is shown, ${where}, processor 4 times slower`, delays, FRAME_MS)],
    plots: [
      {
        ...{ file: 'web-typing', title: 'A key press until it is shown', x: 'ms', y: '% of key presses' },
        ...{ curves: [shares('processor 4 times slower', delays)], barX: FRAME_MS },
      },
    ],
  };
}

/** Measures the time from pressing Enter to the frame that shows the sent message. */
export async function measureOwn({ place, tab, amounts, mark }: Bench): Promise<Findings> {
  await openMessages(tab, place.friend.mid);
  const delays: number[] = [];
  for (let message = 0; message < amounts.ownMessages; message++) {
    const number = mark();
    await write(tab, `a message of mine §${number}§`);
    await tab.page.waitForFunction((wanted) => globalThis.benchNotes.shown[wanted] !== undefined, number);
    const { keys, shown } = await tab.notes();
    delays.push((shown[number] ?? Number.NaN) - (keys.at(-1) ?? Number.NaN));
    await pause(100);
  }
  return {
    figures: [p95('Enter until the own message is shown', delays, FRAME_MS)],
    plots: [
      {
        ...{ file: 'web-own', title: 'Enter until the own message is shown', x: 'ms', y: '% of messages' },
        ...{ curves: [shares('own messages', delays)], barX: FRAME_MS },
      },
    ],
  };
}

/** Measures how far messages move on the screen when older messages are loaded above them. */
export async function measureOlder({ place, network, tab, amounts }: Bench): Promise<Findings> {
  await openMessages(tab, place.friend.mid);
  await pause(amounts.settleMs);
  // With a fast network, older messages would arrive before the messages in view have their final place.
  network.use(phoneNetwork);
  const shifts: number[] = [];
  for (let page = 0; page < amounts.olderPages; page++) {
    const { pixels, grew } = await tab.page.evaluate(shiftOf, { scrollTop: 400, frames: 30 });
    if (grew) shifts.push(pixels);
  }
  network.use(undefined);
  return {
    figures: [
      {
        what: 'Largest shift of a row while older messages load above it',
        value: shifts.length === 0 ? Number.NaN : Math.max(...shifts),
        unit: 'px',
        bar: 0.5,
        beside: `${shifts.length} pages`,
      },
    ],
  };
}

/** Measures how long chats take to open, and how long a large group takes. */
export async function measureOpening({ place, tab, amounts }: Bench): Promise<Findings> {
  const mids = await tab.page.evaluate(() =>
    [...document.querySelectorAll<HTMLAnchorElement>('li[data-index] a')].map(({ hash }) => hash.split('/')[2] ?? ''),
  );
  const others = mids.filter((mid) => mid !== place.groupMid && mid !== place.friend.mid);
  await openMessages(tab, place.friend.mid);
  await tab.throttle(PHONE_CPU);
  const opened: number[] = [];
  for (const mid of others.slice(0, amounts.openedChats)) {
    opened.push(await tab.page.evaluate(openingMs, mid));
    await pause(300);
  }
  const group = await tab.page.evaluate(openingMs, place.groupMid);
  await tab.throttle(1);
  return {
    figures: [
      p95('A chat opens, processor 4 times slower', opened),
      {
        what: `A group of ${amounts.groupMembers} opens, processor 4 times slower`,
        value: group,
        unit: 'ms',
        bar: 1_000,
      },
    ],
  };
}

/** Measures a search in all chats. */
export async function measureSearch({ tab, amounts }: Bench): Promise<Findings> {
  const { page } = tab;
  /** Searches for a word, with a pause after each letter but the last. The time counts from the last letter. */
  const search = async (word: string, pauseMs = 0) => {
    const field = page.getByRole('searchbox', { name: 'Search messages' });
    // After a reload, the page listens to this key a moment later than it shows the chats.
    for (; !(await field.isVisible()); await page.waitForTimeout(20)) await page.keyboard.press('Control+Shift+F');
    await field.fill('');
    await field.pressSequentially(word.slice(0, -1), { delay: pauseMs });
    const times = page.evaluate(searchTimes);
    await field.press(word.slice(-1));
    const found = await times;
    await page.getByRole('button', { name: 'Back to the chats' }).click();
    await page.getByRole('heading', { name: 'Chats', exact: true }).waitFor();
    return found;
  };
  // The first search downloads the messages to this device, as reading the chats would do.
  const first = await search(RARE);
  const again = [];
  for (let round = 0; round < amounts.rounds; round++) again.push(await search(RARE));
  // After a reload, no texts are in memory.
  const fresh = [];
  for (let round = 0; round < amounts.rounds; round++) {
    await page.reload();
    await page.getByRole('heading', { name: 'Chats', exact: true }).waitFor();
    fresh.push(await search(RARE, LETTER_MS));
  }
  const { searched = 0, results = 0 } = again[0] ?? {};
  const asOnPhone = (ms: number): number => SEARCH_PAUSE_MS + (ms - SEARCH_PAUSE_MS) * PHONE_CPU;
  const all = median(again.map(({ allMs }) => allMs));
  const allFresh = median(fresh.map(({ allMs }) => allMs));
  const where = `${searched} messages in ${amounts.chats} chats`;
  return {
    figures: [
      {
        what: `Search of ${where}, all of them`,
        ...{ value: asOnPhone(all), unit: 'ms', bar: SEARCH_MS },
        beside: `${Math.round(all)} ms here; ${results} results, the first after ${Math.round(median(again.map(({ firstMs }) => firstMs)))} ms`,
      },
      {
        what: 'The first such search after a reload',
        ...{ value: asOnPhone(allFresh), unit: 'ms', bar: SEARCH_MS },
        beside: `${Math.round(allFresh)} ms here; ${LETTER_MS} ms between two letters`,
      },
      { what: 'The same before this device had the messages', value: first.allMs, unit: 'ms' },
    ],
  };
}

/** Measures a reload of the page without a connection. */
export async function measureOffline({ place, tab, amounts }: Bench): Promise<Findings> {
  await openMessages(tab, place.friend.mid);
  await tab.page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await tab.page.reload();
  await tab.page.getByRole('log').getByRole('article').last().waitFor();
  place.network.down(true);
  const times: number[] = [];
  for (let round = 0; round < amounts.reloads; round++) {
    await tab.page.reload();
    await tab.page.getByRole('log').getByRole('article').last().waitFor();
    await tab.page.waitForFunction(() => globalThis.benchNotes.firstMessage > 0 && globalThis.benchNotes.firstChat > 0);
    const { firstChat, firstMessage } = await tab.notes();
    times.push(Math.max(firstChat, firstMessage));
  }
  place.network.down(false);
  return { figures: [p95('A reload without a connection until chats and messages are shown', times, RELOAD_MS)] };
}
