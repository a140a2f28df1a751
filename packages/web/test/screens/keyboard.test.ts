// The keyboard alone: where the focus is after something closes or goes away, and what a screen reader is told.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { chatTypes } from '@sealpost/contract';
import type { Page } from 'playwright-core';
import { befriend, messageWith, openChat, skip, world, write } from '../browsers.ts';
import { closeOver, createScene, openOver, overlays, type Scene, show } from './surfaces.ts';

/** Presses Tab, and returns the name of what has the focus then. */
async function tab(page: Page): Promise<string> {
  await page.keyboard.press('Tab');
  return page.evaluate(() => {
    const { activeElement: at } = document;
    if (!(at instanceof HTMLElement)) return '';
    return at.getAttribute('aria-label') ?? at.querySelector('bdi')?.textContent ?? at.innerText.trim();
  });
}

/** Waits until an element with a name has the focus. */
const focusIsOn = (page: Page, name: string | RegExp): Promise<void> =>
  page
    .locator(':focus')
    .and(page.getByLabel(name).or(page.getByText(name)))
    .waitFor();

describe('the keyboard', { skip }, () => {
  const place = world();
  let scene: Scene;
  before(async () => {
    if (skip) return;
    scene = await createScene(place, { reducedMotion: 'reduce' });
    const { page } = scene.ann;
    await page.getByRole('region', { name: 'Backup of your keys' }).getByRole('button', { name: 'Later' }).click();
  });

  for (const [file, ways] of Object.entries(overlays)) {
    test(`after ${file} is closed, the focus is not lost`, async () => {
      for (const open of ways) {
        await openOver(scene, open);
        await closeOver(scene.ann);
        await scene.ann.page.locator(':focus').waitFor();
      }
    });
  }

  test('when a row is removed, the focus goes to the next one, and is not lost after the last one', async () => {
    const { ann, ben } = scene;
    const { page } = ann;
    const cem = await place.server.user('Dan');
    for (const mid of [ben.user.mid, cem.mid])
      await ann.user.client.TalkService.blockContact(ann.user.client.nextReqSeq(), mid);
    await show(page, '/settings/blocked');
    await page.getByRole('button', { name: 'Unblock Ben' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Dan' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Tab');
    await focusIsOn(page, 'Unblock Dan');
    await page.keyboard.press('Enter');
    await page.getByText('Nobody is blocked').waitFor();
    await page.locator(':focus').waitFor();
  });

  test('the list of chats is a stop of Tab, wherever it was scrolled and whatever is searched', async () => {
    const dora = await place.person('Dora');
    const { page, user } = dora;
    for (let number = 1; number <= 40; number++)
      await user.client.TalkService.createChat({
        reqSeq: user.client.nextReqSeq(),
        type: chatTypes.GROUP,
        name: `Group ${number}`,
        targetUserMids: [scene.ben.user.mid],
      });
    await user.client.logout();
    await dora.logIn();
    const list = page.getByRole('region', { name: 'Chats', exact: true });
    const field = list.getByRole('searchbox', { name: 'Find a chat' });
    const focused = list.getByRole('listitem').getByRole('link').and(page.locator(':focus'));
    await list.getByRole('link', { name: 'Group 40' }).waitFor();
    await field.focus();
    await page.keyboard.press('Tab');
    await focused.waitFor();
    await page.keyboard.press('End');
    await list
      .getByRole('link', { name: /^Group 1\b/ })
      .and(focused)
      .waitFor();
    await list.getByRole('list').evaluate(({ parentElement }) => parentElement?.scrollTo(0, 0));
    await list.getByRole('link', { name: 'Group 40' }).waitFor();
    await field.focus();
    await page.keyboard.press('Tab');
    assert.match(await focused.innerText({ timeout: 10_000 }), /Group/);
    await page.keyboard.press('End');
    await list
      .getByRole('link', { name: /^Group 1\b/ })
      .and(focused)
      .waitFor();
    await field.fill('Group 40');
    await list.getByRole('link', { name: /^Group 1\b/ }).waitFor({ state: 'detached' });
    await page.keyboard.press('Tab');
    await list
      .getByRole('button', { name: /^Search messages for/ })
      .and(page.locator(':focus'))
      .waitFor();
    await page.keyboard.press('Tab');
    assert.match(await focused.innerText({ timeout: 10_000 }), /Group 40/);
  });

  test('sending with the button gives the focus back to the field', async () => {
    const { page } = scene.ann;
    await openChat(scene.ann, scene.ben.user.mid);
    await page.getByRole('textbox', { name: 'Write a message' }).fill('by the button');
    await page.getByRole('button', { name: 'Send', exact: true }).focus();
    await page.keyboard.press('Space');
    await messageWith(scene.ann, 'by the button').waitFor();
    await focusIsOn(page, 'Write a message');
  });

  test('one person does everything from the login to an answer by keyboard alone', async () => {
    const { ben } = scene;
    const kim = await place.person('Kim');
    const { page } = kim;
    const press = (...keys: string[]) =>
      keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
    const goTo = async (name: string): Promise<void> => {
      for (let presses = 0; presses < 40; presses++) if ((await tab(page)) === name) return;
      assert.fail(`Tab never comes to ${name}`);
    };
    await page.getByLabel('User id, e-mail or phone').and(page.locator(':focus')).waitFor();
    await page.keyboard.type(kim.user.userid);
    await press('Tab');
    await page.keyboard.type(kim.user.password);
    await press('Enter');
    await page.getByRole('heading', { name: 'Chats', exact: true }).waitFor();
    await goTo('Contacts');
    await press('Enter');
    await page.getByRole('heading', { name: 'Contacts', exact: true }).waitFor();
    await goTo('Find somebody new');
    await press('Enter');
    await page.locator('input:focus').waitFor();
    await page.keyboard.type(ben.user.userid);
    await press('Enter');
    await page.getByRole('heading', { name: 'Ben' }).waitFor();
    await goTo('Add to contacts');
    await press('Enter');
    await page.getByRole('button', { name: 'Write a message' }).waitFor();
    await goTo('Write a message');
    await press('Enter');
    await page.getByRole('textbox', { name: 'Write a message' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('written without a mouse');
    await press('Enter');
    await messageWith(kim, 'written without a mouse').waitFor();
    await openChat(ben, kim.user.mid);
    await write(ben, 'so I see');
    await messageWith(kim, 'so I see').waitFor();
    await press('Shift+Tab', 'Shift+Tab', 'ArrowUp');
    await page.locator('article:focus', { hasText: 'so I see' }).waitFor();
    await press('r');
    await page.getByRole('button', { name: 'Do not reply' }).waitFor();
    await page.getByRole('textbox', { name: 'Write a message' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('an answer by keys');
    await press('Enter');
    await messageWith(ben, 'an answer by keys')
      .getByRole('button', { name: /so I see/ })
      .waitFor();
    for (let presses = 0; presses < 6; presses++) {
      await press('Shift+Tab');
      if ((await page.locator('article button[data-action=react]:focus').count()) > 0) break;
    }
    await press('Enter');
    await page.getByRole('menuitem', { name: 'Like' }).waitFor();
    await press('ArrowDown');
    await page.getByRole('menuitem', { name: 'Like' }).and(page.locator(':focus')).waitFor();
    await press('Enter');
    await messageWith(ben, 'so I see').first().getByRole('button', { name: 'Like: 1 (Kim)' }).waitFor();
    await page.locator('article:focus-within', { hasText: 'so I see' }).waitFor();
  });
});

describe('what a screen reader is told', { skip }, () => {
  const place = world();

  test('messages that come in are said politely: sender, text, then time; own ones are not', async () => {
    const ann = await place.loggedIn('Ann');
    const ben = await place.loggedIn('Ben');
    await befriend(ann, ben);
    const { page } = ann;
    await openChat(ann, ben.user.mid);
    await openChat(ben, ann.user.mid);
    await page.evaluate(() => {
      const said: string[] = [];
      Reflect.set(window, 'said', said);
      const region = document.querySelector('[role=status][aria-live=polite][aria-atomic=true]');
      const hear = (): void => void (region?.textContent && said.push(region.textContent));
      if (region) new MutationObserver(hear).observe(region, { childList: true, characterData: true, subtree: true });
    });
    // The region is empty again some seconds later, so the tests wait for what it said, not for what it says.
    const said = async (number: number): Promise<string[]> => {
      await page.waitForFunction((wanted) => Reflect.get(window, 'said').length >= wanted, number);
      return page.evaluate(() => Reflect.get(window, 'said'));
    };
    await write(ben, 'can you hear me');
    const [first = ''] = await said(1);
    assert.match(first, /^Ben: can you hear me, \d{1,2}:\d\d\s[AP]M\u200b?$/);
    await write(ann, 'yes, I can');
    await messageWith(ann, 'yes, I can')
      .getByRole('img', { name: /Sent|Read/ })
      .waitFor();
    await write(ben, 'then all is well');
    const heard = await said(2);
    assert.equal(heard.length, 2, JSON.stringify(heard));
    assert.match(heard[1] ?? '', /^Ben: then all is well, /);
    // The list itself is silent, or everything would be said twice.
    assert.equal(await page.getByRole('log').getAttribute('aria-live'), 'off');
  });

  test('a message is read as sender, text, seal, and time', async () => {
    const { ann, ben } = await createScene(place);
    await openChat(ann, ben.user.mid);
    const heard = await messageWith(ann, 'an answer').ariaSnapshot();
    assert.match(heard, /article "Ben":[\s\S]*an answer[\s\S]*img "Sealed"[\s\S]*time: \d/);
  });
});
