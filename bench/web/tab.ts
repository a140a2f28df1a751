// A browser tab that is measured. It can be slowed down, inspected, and used like by a person.
import {
  type Browser,
  type BrowserContextOptions,
  type CDPSession,
  launchBrowser,
  logIn,
  openChat,
  type Page,
  sizes,
} from '../../packages/web/test/browsers.ts';
import { commandPath } from '../../scripts/debian-packages.ts';
import { type Engine, engineOf } from './engine.ts';
import type { Account } from './place.ts';
import { type Notes, takeNotes } from './probes.ts';

/** The factor by which the processor of a phone is slower, as audits of web pages usually assume it. */
export const PHONE_CPU = 4;
const PATIENCE_MS = 120_000;

export interface Tab {
  readonly page: Page;
  readonly cdp: CDPSession;
  readonly engine: Engine;
  /** Makes the main thread of the page slower by this factor. Workers keep their speed. */
  throttle(times: number): Promise<void>;
  notes(): Promise<Notes>;
  close(): Promise<void>;
}

export function startBrowser(): Promise<Browser> {
  const executable = process.env.SEALPOST_TEST_CHROMIUM ?? commandPath('chromium');
  if (!executable) throw new Error('there is no Chromium: install it, or set SEALPOST_TEST_CHROMIUM');
  return launchBrowser(executable, undefined, `--window-size=${sizes.desktop.width},${sizes.desktop.height}`);
}

/**
 * Opens a page in a new profile, with the size of the window. A larger page would give wrong results, because the
 * browser does not report paints below the window.
 */
export async function openTab(browser: Browser, options: BrowserContextOptions = {}): Promise<Tab> {
  const context = await browser.newContext({ viewport: null, locale: 'en-US', ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  await context.addInitScript(takeNotes);
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  return {
    page,
    cdp,
    engine: await engineOf(cdp),
    throttle: async (rate) => void (await cdp.send('Emulation.setCPUThrottlingRate', { rate })),
    notes: () => page.evaluate(() => globalThis.benchNotes),
    close: () => context.close(),
  };
}

/** Opens a page, logs in, and waits until the client has read the whole account. */
export async function openAccount(
  browser: Browser,
  { url, account }: { readonly url: string; readonly account: Account },
  options: BrowserContextOptions = {},
): Promise<Tab> {
  const tab = await openTab(browser, options);
  await tab.page.goto(url);
  await logIn(tab.page, account);
  await tab.page.locator('li[data-index]').first().waitFor();
  return tab;
}

/** Opens a chat, and waits until its messages are in view. */
export async function openMessages(tab: Tab, chatMid: string): Promise<void> {
  await openChat(tab, chatMid);
  await tab.page.getByRole('log').getByRole('article').last().waitFor();
}

/** Waits for a fixed time, for measurements over time. */
