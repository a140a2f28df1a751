// A real server, and a browser that shows its administration pages to somebody who is logged in.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { logInAdministrator } from '@sealpost/dev-env/administrators';
import { type StartOptions, startServer, type TestServer } from '@sealpost/dev-env/harness';
import { type AdminClient, createAdminClient } from '@sealpost/sdk/admin';
import { type Browser, type BrowserContextOptions, launchBrowser, type Page, sizes } from '../browsers.ts';

export interface Administered {
  readonly server: TestServer;
  readonly admin: AdminClient;
  /** A page that is logged in. */
  readonly page: Page;
  /** Opens the pages in a browser of their own, at the login. The hash may have the token of a setup link. */
  open(options?: BrowserContextOptions, hash?: string): Promise<Page>;
  /** Shows the part of the pages with this address, such as `#/people`. */
  go(hash: string, page?: Page): Promise<void>;
}

const TIMEOUT_MS = 60_000;

/**
 * Returns the cookie of a session as the server sets it. With another path it would stay beside the next one that the
 * server sets.
 */
export const cookieAt = (url: string, value: string, name = 'sealpost_admin') =>
  ({ name, value, domain: new URL(url).hostname, path: '/api/admin', httpOnly: true, sameSite: 'Strict' }) as const;

/** Logs a browser in as a new administrator. */
async function logIn(page: Page, server: TestServer): Promise<void> {
  const { cookie } = await logInAdministrator(server, { name: 'operator' });
  const [name = '', value = ''] = cookie.split('=');
  await page.context().addCookies([cookieAt(server.url, value, name)]);
  await page.reload();
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
}

/** Starts both for the tests of a file. At the end nothing that the pages complained about may be left. */
export function administered(options: StartOptions = {}): Administered {
  let server: TestServer;
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];
  const open = async (more: BrowserContextOptions = {}, hash = ''): Promise<Page> => {
    const context = await browser.newContext({
      ...{ viewport: sizes.desktop, locale: 'en-US', reducedMotion: 'reduce', serviceWorkers: 'block' },
      ...more,
    });
    context.setDefaultTimeout(TIMEOUT_MS);
    const opened = await context.newPage();
    opened.on('pageerror', ({ message }) => problems.push(message));
    opened.on('console', (said) => {
      // Refused calls are what some tests are about.
      if (said.type() === 'error' && !said.text().startsWith('Failed to load resource')) problems.push(said.text());
      // Browsers warn about each feature in a header that they do not know.
      if (/permissions-policy/i.test(said.text())) problems.push(said.text());
    });
    await opened.goto(`${server.url}/admin${hash}`);
    return opened;
  };
  before(async () => {
    server = await startServer(options);
    browser = await launchBrowser();
    page = await open();
    await logIn(page, server);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
    assert.deepEqual(problems, []);
  });
  return {
    get server() {
      return server;
    },
    get admin() {
      return createAdminClient({ url: server.url, token: server.adminToken });
    },
    get page() {
      return page;
    },
    open,
    async go(hash, where = page) {
      await where.evaluate((to) => {
        location.hash = to;
      }, hash);
    },
  };
}
