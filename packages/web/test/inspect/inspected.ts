// A test server and a browser that shows its inspector.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { startTestServer, type TestServer, type TestServerOptions } from '@sealpost/testing';
import { type Browser, launchBrowser, type Page, sizes } from '../browsers.ts';

export interface Inspected {
  readonly server: TestServer;
  readonly page: Page;
}

/** Opens the inspector of a server. */
export async function openInspector(browser: Browser, url: string, path = ''): Promise<Page> {
  const context = await browser.newContext({
    viewport: sizes.desktop,
    locale: 'en-US',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  await page.goto(`${url}/inspect${path}`);
  await page.getByText('Live', { exact: true }).waitFor();
  return page;
}

/** Starts both for the tests of a file. At the end nothing that the page complained about may be left. */
export function inspected(options: TestServerOptions = {}): Inspected {
  let server: TestServer;
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];
  before(async () => {
    server = await startTestServer({ accounts: ['ann', 'ben', 'cara'], ...options });
    browser = await launchBrowser();
    page = await openInspector(browser, server.url);
    page.on('pageerror', ({ message }) => problems.push(message));
    page.on('console', (said) => {
      // Refused calls are what some tests are about.
      if (said.type() === 'error' && !said.text().startsWith('Failed to load resource')) problems.push(said.text());
    });
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
    get page() {
      return page;
    },
  };
}
