// Somebody sends whatever may do harm, as names, texts and files. The page shows it as text, runs nothing of it, asks no
// other server for anything, and keeps its layout.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { contentTypes, httpPaths } from '@sealpost/contract';
import type { TestUser } from '@sealpost/dev-env/harness';
import { until } from '@sealpost/dev-env/until';
import { type Client, createClient, memoryStore } from '@sealpost/sdk';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { shownName } from '../../src/words/shown-name.ts';
import { type Person, sizes, skip, world } from '../browsers.ts';
import { png } from '../files.ts';
import { hostileFiles, hostilePictures, hostileTexts } from '../hostile.ts';

/** Notes in the page whatever runs that should not, and what the content security policy refuses. */
function setTrap(): void {
  const caught: string[] = [];
  const note = (what: unknown): void => void caught.push(String(what));
  Reflect.set(globalThis, '__caught', caught);
  Reflect.set(globalThis, '__ran', note);
  for (const name of ['alert', 'confirm', 'prompt', 'print', 'open']) {
    Reflect.set(globalThis, name, () => note(`${name} was called`));
  }
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    note(`${violatedDirective} refused ${blockedURI}`),
  );
}

const caughtBy = (page: Page): Promise<readonly string[]> => page.evaluate(() => Reflect.get(globalThis, '__caught'));

interface Watched {
  /** Requests to other servers, dialogs, and pages that opened. */
  readonly events: string[];
  /** Returns everything that happened in a page, and should not have. */
  of(page: Page): Promise<readonly string[]>;
}

/** Sets the trap in all pages that a browser opens from now on. */
async function watched(context: BrowserContext, origin: string): Promise<Watched> {
  const events: string[] = [];
  await context.addInitScript(setTrap);
  context.on('request', (request) => {
    const url = request.url();
    if (!/^(blob|data):/.test(url) && new URL(url).origin !== origin) events.push(`request to ${url}`);
  });
  context.on('dialog', (dialog) => {
    events.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on('page', (page) => events.push(`page ${page.url()}`));
  return { events, of: async (page) => [...events, ...(await caughtBy(page))] };
}

/** Returns what can be moved sideways, or stands beyond the edge of the window. */
const outOfPlace = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth) found.push(`the page is ${root.scrollWidth} wide`);
    for (const element of document.querySelectorAll('body *')) {
      const name = `${element.tagName} ${element.getAttribute('aria-label') ?? element.className}`.slice(0, 80);
      const { overflowX, visibility } = getComputedStyle(element);
      const moves = overflowX === 'auto' || overflowX === 'scroll';
      if (moves && element.scrollWidth > element.clientWidth && element.tagName !== 'INPUT')
        found.push(`${name} moves`);
      if (!element.matches('button, a, article') || visibility === 'hidden') continue;
      const { left, right, width } = element.getBoundingClientRect();
      if (width > 1 && (left < -1 || right > innerWidth + 1)) found.push(`${name} ends at ${Math.round(right)}`);
    }
    return found;
  });

/** Returns texts of others that can turn the words of the page beside them. */
const turned = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      if (!/[\u202a-\u202e\u2066-\u2069]/u.test(text.nodeValue ?? '')) continue;
      let around = text.parentElement;
      while (around && getComputedStyle(around).display === 'inline' && !around.matches('bdi, [dir=auto]')) {
        around = around.parentElement;
      }
      if (around?.textContent !== text.nodeValue) found.push(around?.textContent ?? '');
    }
    return found;
  });

async function isUnharmed(page: Page, watch: Watched, where: string): Promise<void> {
  assert.deepEqual(await watch.of(page), [], where);
  assert.deepEqual(await outOfPlace(page), [], where);
  assert.deepEqual(await turned(page), [], where);
}

const go = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => {
    location.hash = to;
  }, path);

/** The browser takes ten downloads of a page in a second. It drops an eleventh without a word. */
const BETWEEN_DOWNLOADS_MS = 110;

const NO_PICTURE = 'This is not a picture that is safe to show.';

/** Cuts a text to a number of characters, as the server counts them. */
const cut = (text: string, most: number): string => [...text].slice(0, most).join('');

interface Attacker {
  readonly what: string;
  readonly text: string;
  readonly user: TestUser;
}

/** Sends a text wherever somebody else would see it. */
async function send({ user: { client }, text }: Attacker, to: string): Promise<void> {
  const { TalkService } = client;
  const contents = [
    { contentType: contentTypes.NONE, text },
    { contentType: contentTypes.FILE, contentMetadata: { FILE_NAME: text, FILE_SIZE: '12' } },
    { contentType: contentTypes.LOCATION, location: { title: text, address: text, latitude: 1, longitude: 2 } },
    { contentType: contentTypes.CONTACT, contentMetadata: { mid: text.slice(0, 60), displayName: text } },
    { contentType: contentTypes.STICKER, contentMetadata: { STKID: '1', STKPKGID: '1', STKVER: '1', STKTXT: text } },
  ];
  for (const content of contents) await TalkService.sendMessage(client.nextReqSeq(), { to, ...content });
}

describe('harm that others send', { skip }, () => {
  const place = world();
  let ann: Person;
  let watch: Watched;
  let attackers: readonly Attacker[];
  let mallory: { readonly user: TestUser; readonly client: Client } | undefined;
  let roomMid = '';

  before(async () => {
    if (skip) return;
    ann = await place.person('Ann');
    watch = await watched(ann.context, new URL(place.network.url).origin);
    await ann.page.reload();
    // Without a sticker, its text stands in its place.
    await ann.context.route(`**${httpPaths.stickerPicture.replace('{stickerId}', '*')}`, (route) => route.abort());
    attackers = await Promise.all(
      Object.entries(hostileTexts).map(async ([what, text]) => ({ what, text, user: await place.server.user('m') })),
    );
    const [first, ...others] = attackers;
    if (!first) throw new Error('nobody attacks');
    const { chat } = await first.user.client.TalkService.createChat({
      reqSeq: first.user.client.nextReqSeq(),
      type: 1,
      targetUserMids: [ann.user.mid, ...others.map(({ user }) => user.mid)],
    });
    roomMid = chat.chatMid;
    for (const attacker of attackers) {
      const { client } = attacker.user;
      const name = cut(attacker.text.replace(/\p{Cc}/gu, ' '), 50);
      const targetUserMids = [ann.user.mid];
      await client.TalkService.createChat({ reqSeq: client.nextReqSeq(), type: 0, name, targetUserMids });
      await send(attacker, ann.user.mid);
      const { text } = attacker;
      await client.TalkService.sendMessage(client.nextReqSeq(), { to: roomMid, contentType: contentTypes.NONE, text });
    }
    lieAboutNames();
    await ann.logIn();
  });

  /** Gives the attackers names that this server refuses, as another server might not. */
  function lieAboutNames(): void {
    const database = new DatabaseSync(join(place.server.dataDir, 'sealpost.db'), { timeout: 10_000 });
    const update = database.prepare(
      'update profile set display_name = ?, status_message = ? where account_id = (select id from account where mid = ?)',
    );
    for (const { text, user } of attackers) update.run(text, text, user.mid);
    database.close();
  }

  after(() => mallory?.client.close());

  /** Returns somebody whose files are sealed. */
  async function malloryWho() {
    if (mallory) return mallory;
    const user = await place.server.user('Mallory');
    const client = createClient({ url: place.server.url, store: memoryStore() });
    mallory = { user, client };
    await client.login({ identifier: user.userid, password: user.password });
    return mallory;
  }

  const log = (): Locator => ann.page.getByRole('log', { name: 'Messages' });
  const messages = (): Locator => log().getByRole('article');

  /** Scrolls up until a message is there: the list has only those near the view. */
  async function reach(message: Locator): Promise<void> {
    await until(async () => {
      const isThere = (await message.count()) > 0;
      if (!isThere) await log().evaluate((list) => list.scrollBy({ top: -list.clientHeight / 2, behavior: 'instant' }));
      return isThere;
    }, 'the message is in the list');
    await message.scrollIntoViewIfNeeded();
    await message.waitFor();
  }

  async function opensChat({ what, text, user }: Attacker): Promise<void> {
    const { page } = ann;
    await go(page, `#/chats/${user.mid}`);
    await reach(messages().filter({ hasText: '1.00000, 2.00000' }));
    const texts = await messages().locator('p[dir="auto"]').allTextContents();
    assert.deepEqual(texts, [text], what);
    for (const href of await messages()
      .locator('a')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href'))))
      assert.match(href ?? '', /^(https?:\/\/(?!javascript)|geo:1\.0)/, what);
    await isUnharmed(page, watch, `the chat with ${what}`);
  }

  test('a careless page would be caught: the same texts run there', async () => {
    const careless = await place.browser.newContext();
    const caught = await watched(careless, 'https://careless.invalid');
    await careless.route('**', (route) => route.fulfill({ body: '', contentType: 'text/html' }));
    const page = await careless.newPage();
    await page.goto('https://careless.invalid');
    // The one that leads to another page is left out, or nothing would stay to be looked at.
    const { base: _, ...texts } = hostileTexts;
    await page.setContent(
      Object.values(texts)
        .map((text) => `<p>${text}</p>`)
        .join(''),
    );
    await page.waitForFunction(() => Reflect.get(globalThis, '__caught').includes('picture'));
    const found = (await caught.of(page)).join('\n');
    for (const what of ['picture', 'frame', 'request to https://elsewhere.invalid/pixel.gif'])
      assert.ok(found.includes(what), found);
    await careless.close();
  });

  test('hostile names of chats and people stand in the list as text', async () => {
    const { page } = ann;
    const rows = page.locator('a[href*="/chats/"]');
    await rows.nth(4).waitFor();
    await isUnharmed(page, watch, 'the list of chats');
    const find = page.getByRole('searchbox', { name: 'Find a chat' });
    await find.fill('__ran(');
    await rows
      .filter({ hasText: shownName(hostileTexts.script ?? '') })
      .first()
      .waitFor();
    await page.getByText('Search messages for “__ran(”').waitFor();
    await isUnharmed(page, watch, 'the chats that were found');
    await find.fill('');
  });

  test('a hostile text is shown as it was written, whatever carries it', async () => {
    for (const attacker of attackers) await opensChat(attacker);
  });

  test('on a phone the same texts stay in place, in the list and in the chats', async () => {
    const { page } = ann;
    await page.setViewportSize(sizes.phone);
    await go(page, '#/');
    await page.locator('a[href*="/chats/"]').nth(4).waitFor();
    await isUnharmed(page, watch, 'the list of chats on a phone');
    for (const attacker of attackers) await opensChat(attacker);
    await page.setViewportSize(sizes.desktop);
  });

  test('a room of hostile people, with its details', async () => {
    const { page } = ann;
    await go(page, `#/chats/${roomMid}`);
    await messages().first().waitFor();
    await isUnharmed(page, watch, 'the room');
    await page.getByRole('button', { name: 'Details of the chat' }).click();
    await page
      .getByRole('complementary', { name: 'Details' })
      .getByText(`${attackers.length + 1} members`)
      .waitFor();
    await isUnharmed(page, watch, 'the details of the room');
  });

  test('the screens of people, with hostile names and status messages', async () => {
    const { page } = ann;
    for (const { what, text, user } of attackers) {
      await go(page, `#/contacts/${user.mid}`);
      const card = { name: shownName(text) || 'Unknown', status: text };
      await page.waitForFunction(({ name, status }) => {
        const head = [...document.querySelectorAll('main header')].find((one) => one.querySelector('p[dir="auto"]'));
        const shown = ['h2', 'p[dir="auto"]'].map((part) => head?.querySelector(part)?.textContent);
        return shown[0] === name && shown[1] === status;
      }, card);
      assert.equal(await page.getByText('Calls themselves').count(), 0, what);
      await isUnharmed(page, watch, `the card of ${what}`);
    }
  });

  test('a file is saved under a harmless name, and never opened', async () => {
    const { page } = ann;
    const { user, client } = await malloryWho();
    for (const { kind, name, content } of hostileFiles)
      await client.messaging.sendFile(ann.user.mid, { kind, name, bytes: new Blob([content]) });
    await go(page, `#/chats/${user.mid}`);
    const address = page.url();
    for (const { name, saved } of hostileFiles) {
      const button = messages().getByRole('button', { name: `Save ${saved}`, exact: true });
      const coming = page.waitForEvent('download');
      // While a file is loaded, the messages move, and a press of the pointer can miss.
      await button.press('Enter');
      const download = await coming;
      const savedAt = performance.now();
      assert.equal(download.suggestedFilename(), saved, name);
      assert.match(download.url(), /^blob:/);
      await until(() => performance.now() - savedAt > BETWEEN_DOWNLOADS_MS, 'the browser takes another download');
    }
    assert.equal(page.url(), new URL(`#/chats/${user.mid}`, address).href);
    await go(page, `#/chats/${user.mid}/details`);
    const files = page.getByRole('region', { name: 'Pictures and files' });
    await files.getByRole('button', { name: 'Show all' }).click();
    await until(async () => (await files.locator('bdi').count()) === hostileFiles.length, 'all files are listed');
    const shown = hostileFiles.map(({ saved }) => (saved === 'File without a name' ? 'File' : saved));
    assert.deepEqual(await files.locator('bdi').allTextContents(), shown.toReversed());
    await isUnharmed(page, watch, 'the files');
  });

  test('what is sent as a picture and is none is not shown, here and in the viewer', async () => {
    const { page } = ann;
    const { user, client } = await malloryWho();
    const { name: seen, buffer } = png('seen.png', 40, 30);
    for (const { kind, name, content } of hostilePictures)
      await client.messaging.sendFile(ann.user.mid, { kind, name, bytes: new Blob([content]) });
    const bytes = new Blob([new Uint8Array(buffer)]);
    await client.messaging.sendFile(ann.user.mid, { kind: 'image', name: seen, bytes });
    await go(page, `#/chats/${user.mid}`);
    const good = messages().getByRole('button', { name: `Open the picture ${seen}` });
    await good.locator('img').waitFor();
    await good.click();
    const viewer = page.getByRole('dialog', { name: 'Pictures of the chat' });
    await viewer.getByRole('button', { name: 'Previous picture' }).click();
    await viewer.locator('.yarl__slide_current').getByText(NO_PICTURE).waitFor();
    await viewer.getByRole('button', { name: 'Close' }).click();
    await viewer.waitFor({ state: 'detached' });
    for (const { saved } of hostilePictures.toReversed()) {
      const message = messages().filter({ hasText: saved });
      await reach(message);
      await message.getByText(NO_PICTURE).waitFor();
      assert.equal(await message.locator('img').count(), 0, saved);
    }
    await isUnharmed(page, watch, 'the pictures');
  });
});
