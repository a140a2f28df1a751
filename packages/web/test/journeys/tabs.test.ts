// Several tabs of one browser: one of them does the work for all, and they never disagree.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page, Worker } from 'playwright-core';
import { befriend, messageWith, openChat, type Person, skip, world, write } from '../browsers.ts';

describe('several tabs', { skip }, () => {
  const place = world();
  let ann: Person;
  let ben: Person;
  let second: Person;

  /** The same person in another tab. */
  const inTab = (person: Person, page: Page): Person => ({ ...person, page });

  test('a second tab is logged in, and both show what one of them writes', async () => {
    ann = await place.loggedIn('Ann');
    ben = await place.loggedIn('Ben');
    await befriend(ann, ben);
    second = inTab(ann, await ann.tab());
    await openChat(ann, ben.user.mid);
    await openChat(second, ben.user.mid);
    await write(second, 'from the second tab');
    await messageWith(ann, 'from the second tab').getByLabel('Sent', { exact: true }).waitFor();
    await messageWith(second, 'from the second tab').getByLabel('Sent', { exact: true }).waitFor();
  });

  test('the browser has one operation stream, however many tabs', async () => {
    await ann.tab();
    const metrics = await place.server.metrics();
    // One of Ann's browser, one of Ben's.
    assert.match(metrics, /^sealpost_streams 2$/m);
  });

  test('a draft of one tab is a draft in the other', async () => {
    await ann.page.getByRole('textbox', { name: 'Write a message' }).fill('not finished');
    await ann.page.getByRole('link', { name: 'Contacts' }).click();
    await second.page.getByRole('link', { name: 'Contacts' }).click();
    await second.page.getByRole('link', { name: /Chats/ }).click();
    await second.page.getByRole('link', { name: /Draft: not finished/ }).click();
    assert.equal(await second.page.getByRole('textbox', { name: 'Write a message' }).inputValue(), 'not finished');
  });

  test('what one tab reads or unsends is read and unsent in the other', async () => {
    const inList = ({ page }: Person, name: RegExp) =>
      page.getByRole('region', { name: 'Chats', exact: true }).getByRole('link', { name });
    for (const { page } of [ann, second]) await page.getByRole('link', { name: 'Contacts' }).click();
    await openChat(ben, ann.user.mid);
    await write(ben, 'for both tabs');
    for (const { page } of [ann, second]) await page.getByRole('link', { name: /1 chat with unread/ }).click();
    for (const person of [ann, second]) await inList(person, /1 unread message/).waitFor();
    await openChat(ann, ben.user.mid);
    await inList(second, /1 unread message/).waitFor({ state: 'detached' });
    await openChat(second, ben.user.mid);
    await messageWith(second, 'for both tabs').waitFor();
    await messageWith(ben, 'for both tabs').hover();
    await messageWith(ben, 'for both tabs').getByRole('button', { name: 'More about this message' }).click();
    await ben.page.getByRole('menuitem', { name: 'Unsend' }).click();
    await ben.page.getByRole('region', { name: 'Messages of the page' }).getByRole('button', { name: 'Close' }).click();
    for (const person of [ann, second]) await messageWith(person, 'for both tabs').waitFor({ state: 'detached' });
  });

  test('each tab keeps the results of its own search, also while both search', async () => {
    const fay = await place.person('Fay');
    const gus = await place.server.user('Gus');
    await befriend(fay, { user: gus });
    for (const text of ['red apple', 'green pear', 'the newest'])
      await gus.client.TalkService.sendMessage(gus.client.nextReqSeq(), { to: fay.user.mid, contentType: 0, text });
    await fay.logIn();
    const tabs = [
      { page: fay.page, query: 'apple', found: 'red apple' },
      { page: await fay.tab(), query: 'pear', found: 'green pear' },
    ];
    // The older messages come late, so the searches go on at the same time.
    const open = Promise.withResolvers<void>();
    await fay.context.route(/\/getPreviousMessages\w+$/, (route) => open.promise.then(() => route.continue()));
    const results = (page: Page) => page.getByRole('region', { name: 'Search messages' });
    for (const { page, query } of tabs) {
      await page.getByRole('heading', { name: 'Chats', exact: true }).waitFor();
      await page.keyboard.press('Control+Shift+F');
      await page.getByRole('searchbox', { name: 'Search messages' }).fill(query);
      await page.waitForTimeout(500);
    }
    open.resolve();
    for (const { page, found } of tabs) await results(page).getByRole('button', { name: found }).waitFor();
    for (const { page, query } of tabs) assert.deepEqual(await results(page).locator('mark').allInnerTexts(), [query]);
  });

  test('when the tab that does the work is closed, another one takes over', async () => {
    await ann.page.close();
    await openChat(ben, ann.user.mid);
    await write(ben, 'are you there?');
    await messageWith(second, 'are you there?').waitFor();
    await write(second, 'I am');
    await messageWith(ben, 'I am').waitFor();
  });
});

describe('a tab that does the work for all and is closed too soon', { skip }, () => {
  const place = world();
  const BUSY_MS = 4000;
  const soon = {
    /** The engine does not hear the call, because it is busy until its end. */
    'before it heard of a text': (engine: Worker) =>
      void engine
        .evaluate((ms) => {
          for (const end = Date.now() + ms; Date.now() < end; );
        }, BUSY_MS)
        .catch(() => undefined),
    /** The engine stores the text, and its page never hears so. */
    'before it told that a text is stored': (engine: Worker) =>
      engine.evaluate(() => {
        const post = BroadcastChannel.prototype.postMessage;
        BroadcastChannel.prototype.postMessage = function postOthers(said: { kind: string }) {
          if (said.kind !== 'answer') post.call(this, said);
        };
      }),
  };

  for (const [when, hinder] of Object.entries(soon)) {
    test(`${when}: the text is sent once`, async () => {
      const [ann, ben] = [await place.loggedIn('Ann'), await place.loggedIn('Ben')];
      await befriend(ann, ben);
      const second: Person = { ...ann, page: await ann.tab() };
      await openChat(second, ben.user.mid);
      const [engine] = ann.page.workers();
      assert.ok(engine);
      await hinder(engine);
      await write(second, 'just once');
      await ann.page.close();
      await messageWith(second, 'just once').getByLabel('Sent', { exact: true }).waitFor();
      assert.equal(await second.page.getByRole('textbox', { name: 'Write a message' }).inputValue(), '');
      assert.equal(await second.page.getByText(/not open|Nobody is logged in/).count(), 0);
      const sent = await ben.user.client.TalkService.getRecentMessagesV2(ann.user.mid, 10);
      assert.equal(sent.length, 1);
    });
  }
});
