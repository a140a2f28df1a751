// People in real browsers: each has a browser context of their own, on one real server, and is driven as a person would.
import assert from 'node:assert/strict';
import { after, afterEach, before, type TestContext } from 'node:test';
import { chromium as chromiumPath, headlessShell, withoutUnseenPages } from '@sealpost/dev-env/chromium';
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

export type { Browser, BrowserContextOptions, CDPSession, Page } from 'playwright-core';

/** Why the tests of pages do not run; false if they run. */
export const skip = chromiumPath ? false : 'there is no Chromium: set SEALPOST_TEST_CHROMIUM';

export const sizes = {
  desktop: { width: 1280, height: 800 },
  tablet: { width: 768, height: 1024 },
  phone: { width: 390, height: 844 },
} as const;

/** An account, and a client of it without a browser. */
export type User = Pick<TestUser, 'client' | 'mid' | 'userid' | 'password'>;

/** What browsers need of a server. */
export interface Served {
  readonly url: string;
  user(name: string): Promise<User>;
  close(): Promise<void>;
}

export interface PersonOptions extends BrowserContextOptions {
  /** The account, for a second browser of somebody. */
  readonly user?: User;
  readonly size?: keyof typeof sizes;
}

/** One person in front of a browser of their own. */
export interface Person {
  readonly user: User;
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors of scripts, and what the content security policy refused. */
  readonly problems: string[];
  /** Opens the page in a further tab of the same browser. */
  tab(): Promise<Page>;
  logIn(page?: Page): Promise<void>;
}

export interface World<S extends Served = TestServer> {
  readonly server: S;
  readonly browser: Browser;
  /** The network between the browsers and the server. */
  readonly network: CuttingProxy;
  /** Creates an account, and opens a browser for it that shows the login. */
  person(name: string, options?: PersonOptions): Promise<Person>;
  /** Creates an account, opens a browser, and logs in. */
  loggedIn(name: string, options?: PersonOptions): Promise<Person>;
}

interface PageOptions {
  /** The path of the video that the cameras of this world show. It is read when a camera is opened. */
  readonly camera?: string | undefined;
  /** Whether the browser can show notifications, which only the whole Chromium does. */
  readonly notifications?: boolean | undefined;
  /** Whether pages keep themselves for times without a connection. Elsewhere it would only take time. */
  readonly offline?: boolean | undefined;
}

export interface WorldOptions extends StartOptions, PageOptions {}

const TIMEOUT_MS = 120_000;

/** Starts a server and a browser for the tests of a file. At the end nothing that a page complained about may be left. */
export const world = ({ camera, offline, notifications, ...options }: WorldOptions = {}): World =>
  worldOn(() => startServer(options), { camera, offline, notifications });

/** Like `world`, on a server of another kind. */
export function worldOn<S extends Served>(
  start: () => Promise<S>,
  { camera, offline = false, notifications = false }: PageOptions = {},
): World<S> {
  const served: BrowserContextOptions = { serviceWorkers: offline ? 'allow' : 'block' };
  let server: S;
  let browser: Browser;
  let network: CuttingProxy;
  const people: Person[] = [];
  before(async () => {
    server = await start();
    network = await cuttingProxy(server.url);
    browser = await launchBrowser(notifications ? chromiumPath : headlessShell, camera);
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

  afterEach(async (context) => {
    if ('passed' in context && context.passed === false) await tellPages(context, people);
  });

  async function person(
    name: string,
    { size = 'desktop', user: known, ...context }: PersonOptions = {},
  ): Promise<Person> {
    const user = known ?? (await server.user(name));
    const opened = await browser.newContext({ viewport: sizes[size], locale: 'en-US', ...served, ...context });
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
      logIn: (where = page) => logIn(where, user),
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

/** Says what the pages showed when a test failed, and which of their requests had no answer. */
async function tellPages(test: Pick<TestContext, 'diagnostic'>, people: readonly Person[]): Promise<void> {
  for (const { user, context } of people) {
    for (const page of context.pages()) {
      const requests = await page.requests().catch(() => []);
      const open = requests.filter((one) => !one.existingResponse() && !one.failure()).map((one) => one.url());
      const shown = await page.locator('body').ariaSnapshot({ timeout: 5_000 }).catch(String);
      test.diagnostic(`${user.userid} at ${page.url()}, waiting for ${open.join(', ') || 'no answer'}, saw:\n${shown}`);
    }
  }
}

/** @param camera the path of the video that the cameras show */
export const launchBrowser = (
  executablePath = headlessShell as string,
  camera?: string,
  ...flags: readonly string[]
): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      withoutUnseenPages,
      ...(camera === undefined ? [] : [`--use-file-for-fake-video-capture=${camera}`]),
      ...flags,
    ],
  });

/** Logs in on a page that shows the login, and waits for the list of chats. */
export async function logIn(page: Page, { userid, password }: Pick<TestUser, 'userid' | 'password'>): Promise<void> {
  await page.getByLabel('User id, e-mail or phone').fill(userid);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('heading', { name: 'Chats', exact: true }).waitFor();
}

/** Calls of a method that do not reach the server until they are released. */
export interface HeldCalls {
  /** Resolves when the first call is made. */
  readonly asked: Promise<unknown>;
  /** Lets the calls go on, and resolves when the first one is answered. */
  release(): Promise<void>;
}

/** Holds the calls of a method back in somebody's browser. */
export async function holdCalls({ context }: Pick<Person, 'context'>, method: string): Promise<HeldCalls> {
  const released = Promise.withResolvers<void>();
  const isOne = (url: string): boolean => url.endsWith(`/${method}`);
  await context.route(`**/${method}`, async (route) => {
    await released.promise;
    await route.continue();
  });
  return {
    asked: context.waitForEvent('request', (request) => isOne(request.url())),
    async release() {
      const answered = context.waitForEvent('response', (response) => isOne(response.url()));
      released.resolve();
      await answered;
    },
  };
}

/** Whoever has a page in front of them. */
type InFront = Pick<Person, 'page'>;

/** Makes two people contacts of each other. */
export async function befriend(one: Pick<Person, 'user'>, other: Pick<Person, 'user'>): Promise<void> {
  for (const [{ user }, { user: friend }] of [
    [one, other],
    [other, one],
  ] as const) {
    await user.client.RelationService.addFriendByMid({ reqSeq: user.client.nextReqSeq(), userMid: friend.mid });
  }
}

/** Opens the chat with somebody, by address. */
export async function openChat({ page }: InFront, chatMid: string): Promise<void> {
  await page.evaluate((mid) => {
    location.hash = `#/chats/${mid}`;
  }, chatMid);
  await page.getByRole('log', { name: 'Messages' }).waitFor();
}

/** Writes a text in the open chat, and sends it with Enter. */
export async function write({ page }: InFront, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Write a message' }).fill(text);
  await page.keyboard.press('Enter');
}

/** Returns the message with a text in the open chat. */
export const messageWith = ({ page }: InFront, text: string): Locator =>
  page.getByRole('log', { name: 'Messages' }).getByRole('article').filter({ hasText: text });
