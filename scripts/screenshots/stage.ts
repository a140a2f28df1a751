// The browsers of the screenshots: Maya's at a desk and in her hand, and one that nobody is logged in to.
import type { TestServer } from '@sealpost/dev-env/harness';
import { type CuttingProxy, cuttingProxy } from '@sealpost/dev-env/proxies/cutting';
import { type Browser, type BrowserContextOptions, logIn, type Page, sizes } from '../../packages/web/test/browsers.ts';
import type { Cast } from './cast.ts';
import { NOW } from './fixed.ts';
import type { Told } from './story.ts';

export interface Stage extends Cast, Told {
  readonly desk: Page;
  readonly hand: Page;
  /** The page of somebody whose account is new. It shows the login. */
  readonly stranger: Page;
  readonly logInStranger: () => Promise<void>;
  readonly network: CuttingProxy;
  close(): Promise<void>;
}

const common = { locale: 'en-US', timezoneId: 'UTC', reducedMotion: 'reduce', serviceWorkers: 'block' } as const;
const atDesk = { ...common, viewport: sizes.desktop } as const;
const inHand = { ...common, viewport: sizes.phone, hasTouch: true, isMobile: true, deviceScaleFactor: 2 } as const;

/** Opens a browser of somebody, whose time stands still in its pages and in the worker with the engine. */
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

/** Opens the browsers, and lets Maya's in by a code that her other device confirms. */
export async function setStage(server: TestServer, browser: Browser, cast: Cast, told: Told): Promise<Stage> {
  const network = await cuttingProxy(server.url);
  const desk = await sit(browser, network.url, atDesk);
  const hand = await sit(browser, network.url, inHand);
  const stranger = await sit(browser, network.url, atDesk);
  for (const page of [desk, hand]) {
    await letIn(page, cast);
    await page.getByRole('heading', { name: 'Chats', exact: true }).waitFor();
    await page.getByText('Harbour walk').first().waitFor();
  }
  await told.goOn();
  const noa = await server.user('Noa');
  const logInStranger = () => logIn(stranger, noa);
  return { ...cast, ...told, desk, hand, stranger, logInStranger, network, close: () => network.close() };
}

/** Returns the address in the code that a login page shows. */
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

/** Goes to an address behind the #. */
export const go = (page: Page, path: string): Promise<void> =>
  page.evaluate((hash) => {
    // Else the page gives the focus to a neighbour of what had it.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    location.hash = hash;
  }, path);

/** Waits until what a page shows has come to rest: its data, pictures and fonts. */
export async function settled(page: Page): Promise<void> {
  // Nothing is under the pointer.
  await page.mouse.move(0, 0);
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  await page.evaluate(async () => {
    await document.fonts.ready;
    // A broken picture is not waited for: one sees it.
    await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)));
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  });
}
