// People in real browsers: each has a browser context of their own, on one real server, and is driven as a person would.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { chromium as chromiumPath } from '@sealpost/dev-env/chromium';
import { type StartOptions, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { type CuttingProxy, cuttingProxy } from '@sealpost/dev-env/proxies/cutting';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core';

/** Why the tests of pages do not run; false if they run. */
export const skip = chromiumPath ? false : 'there is no Chromium: set SEALPOST_TEST_CHROMIUM';

export const sizes = {
  desktop: { width: 1280, height: 800 },
  tablet: { width: 768, height: 1024 },
  phone: { width: 390, height: 844 },
} as const;

export interface PersonOptions extends BrowserContextOptions {
  /** The account, for a second browser of somebody. */
  readonly user?: TestUser;
  readonly size?: keyof typeof sizes;
}

/** One person in front of a browser of their own. */
export interface Person {
  readonly user: TestUser;
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors of scripts, and what the content security policy refused. */
  readonly problems: string[];
  /** Opens the page in a further tab of the same browser. */
  tab(): Promise<Page>;
  logIn(page?: Page): Promise<void>;
}

export interface World {
  readonly server: TestServer;
  readonly browser: Browser;
  /** The network between the browsers and the server. */
  readonly network: CuttingProxy;
  /** Creates an account, and opens a browser for it that shows the login. */
  person(name: string, options?: PersonOptions): Promise<Person>;
  /** Creates an account, opens a browser, and logs in. */
  loggedIn(name: string, options?: PersonOptions): Promise<Person>;
}

const TIMEOUT_MS = 15_000;

/** Starts a server and a browser for the tests of a file. At the end nothing that a page complained about may be left. */
export function world(options: StartOptions = {}): World {
  let server: TestServer;
  let browser: Browser;
  let network: CuttingProxy;
  const people: Person[] = [];
  before(async () => {
    server = await startServer(options);
    network = await cuttingProxy(server.url);
    browser = await chromium.launch({
      executablePath: chromiumPath as string,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-dev-shm-usage',
        '--use-fake-device-for-media-stream',
        '--use-fake-ui-for-media-stream',
      ],
    });
  });
  after(async () => {
    await browser?.close();
    await network?.close();
    await server?.close();
    assert.deepEqual(
      people.flatMap(({ problems }) => problems),
      [],
    );
  });

  async function person(
    name: string,
    { size = 'desktop', user: known, ...context }: PersonOptions = {},
  ): Promise<Person> {
    const user = known ?? (await server.user(name));
    const opened = await browser.newContext({ viewport: sizes[size], locale: 'en-US', ...context });
    opened.setDefaultTimeout(TIMEOUT_MS);
    const problems: string[] = [];
    const tab = async (): Promise<Page> => {
      const page = await opened.newPage();
      page.on('pageerror', (error) => problems.push(`${name}: ${error.message}`));
      page.on('console', (said) => {
        // A refused connection is what some tests are about.
        const isNetwork = said.text().startsWith('Failed to load resource');
        if (said.type() === 'error' && !isNetwork) problems.push(`${name}: ${said.text()}`);
      });
      await page.goto(network.url);
      return page;
    };
    const page = await tab();
    const made: Person = {
      user,
      context: opened,
      page,
      problems,
      tab,
      logIn: async (where = page) => {
        await where.getByLabel('User id, e-mail or phone').fill(user.userid);
        await where.getByLabel('Password').fill(user.password);
        await where.getByRole('button', { name: 'Log in', exact: true }).click();
        await where.getByRole('heading', { name: 'Chats', exact: true }).waitFor();
      },
    };
    people.push(made);
    return made;
  }

  return {
    get server() {
      return server;
    },
    get browser() {
      return browser;
    },
    get network() {
      return network;
    },
    person,
    async loggedIn(name, options) {
      const made = await person(name, options);
      await made.logIn();
      return made;
    },
  };
}

/** Makes two people contacts of each other. */
export async function befriend(one: Person, other: Person): Promise<void> {
  for (const [{ user }, { user: friend }] of [
    [one, other],
    [other, one],
  ] as const) {
    await user.client.RelationService.addFriendByMid({ reqSeq: user.client.nextReqSeq(), userMid: friend.mid });
  }
}

/** Opens the chat with somebody, by address. */
export async function openChat({ page }: Person, chatMid: string): Promise<void> {
  await page.evaluate((mid) => {
    location.hash = `#/chats/${mid}`;
  }, chatMid);
  await page.getByRole('log', { name: 'Messages' }).waitFor();
}

/** Writes a text in the open chat, and sends it with Enter. */
export async function write({ page }: Person, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Write a message' }).fill(text);
  await page.keyboard.press('Enter');
}

/** Returns the message with a text in the open chat. */
export const messageWith = ({ page }: Person, text: string): Locator =>
  page.getByRole('log', { name: 'Messages' }).getByRole('article').filter({ hasText: text });
