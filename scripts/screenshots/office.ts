// The administration pages of a community, in a browser.
import { setupSecret } from '@sealpost/dev-env/administrators';
import { startServer, type TestServer } from '@sealpost/dev-env/harness';
import { cookieAt } from '../../packages/web/test/admin/administered.ts';
import { type Browser, type Page, sizes } from '../../packages/web/test/browsers.ts';
import { type Community, gatherCommunity } from './community.ts';
import { NOW, seededRandom, storyClock } from './fixed.ts';
import { common } from './stage.ts';

export type Size = keyof typeof sizes;

/** The administration pages of a community, in a browser. */
export interface Office extends Community {
  /** Opens the pages in a browser of a size. The result is logged in, unless it is a stranger's. */
  open(size: Size, stranger?: { readonly hash: string }): Promise<Page>;
  /** Returns the part of an address that opens the setup of a new administrator. */
  setupHash(): Promise<string>;
  close(): Promise<void>;
}

const touch = { hasTouch: true, isMobile: true } as const;

export async function openOffice(browser: Browser): Promise<Office> {
  const clock = storyClock();
  const server = await startServer({ ports: { clock, random: seededRandom('administration') } });
  const community = await gatherCommunity(server, clock);
  const [name = '', value = ''] = community.operator.cookie.split('=');
  return {
    ...community,
    async open(size, stranger) {
      const context = await browser.newContext({ ...common, viewport: sizes[size], ...(size !== 'desktop' && touch) });
      await context.clock.setFixedTime(NOW);
      await showBusyHour(context, server);
      if (!stranger) await context.addCookies([cookieAt(server.url, value, name)]);
      const page = await context.newPage();
      page.on('pageerror', ({ message }) => console.error(message));
      await page.goto(`${server.url}/admin${stranger?.hash ?? ''}`);
      return page;
    },
    setupHash: async () => `#setup=${await setupSecret(server)}`,
    close: () => server.close(),
  };
}

const SAMPLES = 240;
const GB = 1e9;

/** Gives the state of the server an hour of work, a disk, and an address. These would differ in each run. */
async function showBusyHour(
  context: Awaited<ReturnType<Browser['newContext']>>,
  { url }: Pick<TestServer, 'url'>,
): Promise<void> {
  await context.route(`${url}/api/admin/v1/status`, async (route) => {
    const response = await route.fetch();
    const status = await response.json();
    const waves = (i: number, length: number): number => 1 + Math.sin(i / length) * 0.4 + Math.sin(i / 5) * 0.15;
    const samples = Array.from({ length: SAMPLES }, (_, i) => ({
      time: new Date(NOW - (SAMPLES - 1 - i) * status.everyMs).toISOString(),
      streams: Math.round(61 * waves(i, 50)),
      sends: Math.round(96 * waves(i, 30)),
      calls: Math.round(540 * waves(i, 40)),
      freeBytes: 212 * GB - i * GB * 0.01,
    }));
    const disk = { freeBytes: 209.6 * GB, totalBytes: 512 * GB };
    const startedTime = new Date(NOW - 12 * 86_400_000).toISOString();
    const more = { samples, disk, startedTime, streams: 74, url: 'https://chat.example.org' };
    await route.fulfill({ response, json: { ...status, ...more } });
  });
}
