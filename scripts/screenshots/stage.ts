// The browsers of the screenshots: Maya's on a desk and in her hand, and one in which nobody is logged in.
import type { TestServer } from '@sealpost/dev-env/harness';
import { operator } from '@sealpost/dev-env/people';
import { type CuttingProxy, cuttingProxy } from '@sealpost/dev-env/proxies/cutting';
import { type Browser, type BrowserContextOptions, logIn, type Page, sizes } from '../../packages/web/test/browsers.ts';
import type { Cast } from './cast.ts';
import { NOW } from './fixed.ts';
import { type Inspected, openInspected } from './inspected.ts';
import type { Told } from './story.ts';

export interface Stage extends Cast, Told, Omit<Inspected, 'close'> {
  readonly desk: Page;
  readonly hand: Page;
  /** A page of a user with a new account. It shows the login. */
  readonly stranger: Page;
  /** A page behind the link of an invite. */
  readonly newcomer: Page;
  readonly logInStranger: () => Promise<void>;
  readonly network: CuttingProxy;
  close(): Promise<void>;
}

/** What all pages of the screenshots have in common. */
export const common = { locale: 'en-US', timezoneId: 'UTC', reducedMotion: 'reduce', serviceWorkers: 'block' } as const;
const atDesk = { ...common, viewport: sizes.desktop } as const;
const inHand = { ...common, viewport: sizes.phone, hasTouch: true, isMobile: true, deviceScaleFactor: 2 } as const;

/**
 * Opens a page in a new browser profile. The clock of the page stands still, and so does that of its worker with the
 * SDK.
 */
async function sit(browser: Browser, url: string, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(options);
  await context.clock.setFixedTime(NOW);
  await context.route('**/assets/engine-*.js', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `Date.now = () => ${NOW};\n${await response.text()}` });
  });
  const page = await context.newPage();
  page.on('pageerror', ({ message }) => console.error(message));
  await page.goto(url);
  return page;
}

/**
 * Pretends that the page could turn notifications on. It cannot, because a service worker would answer in place of the
 * routes of `sit`.
 */
async function withNotifications(page: Page): Promise<void> {
  await page.context().grantPermissions(['notifications']);
  await page.context().addInitScript(() => {
    const ready = Promise.resolve({ pushManager: { getSubscription: async () => null } });
    Object.defineProperty(navigator.serviceWorker, 'ready', { value: ready });
  });
  await page.reload();
}

/** Opens the browsers. Maya's two browsers log in by a code that another device of hers confirms. */
export async function setStage(server: TestServer, browser: Browser, cast: Cast, told: Told): Promise<Stage> {
  const network = await cuttingProxy(server.url);
  const desk = await sit(browser, network.url, atDesk);
  const hand = await sit(browser, network.url, inHand);
  await withNotifications(desk);
  const stranger = await sit(browser, network.url, atDesk);
  const { code } = await operator(server).createInvite({ from: 'Sakura', name: 'Nora', userid: 'nora' });
  const newcomer = await sit(browser, `${network.url}/join#${code}`, atDesk);
  for (const page of [desk, hand]) {
    await letIn(page, cast);
    await page.getByRole('heading', { name: 'Chats', exact: true }).waitFor();
    await page.getByText('Harbour walk').first().waitFor();
  }
  await told.goOn();
  const noa = await server.user('Noa');
  const logInStranger = () => logIn(stranger, noa);
  const { close, ...inspected } = await openInspected(browser, common);
  return {
    ...{ ...cast, ...told, ...inspected, desk, hand, stranger, newcomer, logInStranger, network },
    async close() {
      await network.close();
      await close();
    },
  };
}

/** Returns the address that the QR code of a login page contains. */
export async function addressOf(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Log in with another device' }).click();
  await page.getByRole('img', { name: 'Code for the login' }).waitFor();
  return (await page.locator('code').textContent()) ?? '';
}

async function letIn(page: Page, { client: { maya } }: Cast): Promise<void> {
  const address = await addressOf(page);
  await maya.devices.approve(await maya.devices.scan(address));
  const offer = await maya.devices.offer(address);
  const pinCode = (await page.getByLabel('PIN', { exact: true }).textContent()) ?? '';
  await maya.devices.submitPin(address, { pinCode, words: offer?.words });
}

/** Opens the part of the page whose address is `#` and the path. */
export const go = (page: Page, path: string): Promise<void> =>
  page.evaluate((hash) => {
    // Without this, the page would move the focus to a neighbour of the element that disappears.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    location.hash = hash;
  }, path);

/** Waits until the page no longer changes: its data, pictures and fonts are loaded. */
export async function settled(page: Page): Promise<void> {
  // Moves the mouse pointer away, so that nothing on the page is highlighted.
  await page.mouse.move(0, 0);
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  await page.evaluate(async () => {
    await document.fonts.ready;
    // A broken picture does not stop the run, because it can be seen in the screenshot.
    await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)));
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  });
}
