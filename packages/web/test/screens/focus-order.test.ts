// Tab and Shift+Tab: the stops of screens and dialogs in their order. Every stop has a role and a name, no stop holds the
// focus, and what opened something gets the focus back.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { CDPSession, Page } from 'playwright-core';
import { openChat, skip, world } from '../browsers.ts';
import { closeOver, createScene, openOver, overlays, type Scene, screens, show } from './surfaces.ts';

type Key = 'Tab' | 'Shift+Tab';

interface Stop {
  /** Tells elements apart. */
  readonly id: number;
  /** Its role and name, as the browser tells them to screen readers. */
  readonly told: string;
}

/** More stops than any screen has. */
const MOST_STOPS = 120;
/** What the browser says of an element that is nothing in itself. */
const NO_ROLE = ['none', 'generic', 'paragraph', 'RootWebArea'];

const nameless = ({ told }: Stop): boolean => /^\S+$/.test(told) || NO_ROLE.some((role) => told.startsWith(`${role} `));

/** Returns what has the focus; undefined if it is with the browser and not with the page. */
async function stopOf(page: Page, browser: CDPSession): Promise<Stop | undefined> {
  // The edges of a dialog hand the focus on, a moment later.
  await page.waitForFunction(() => !document.activeElement?.matches('[data-base-ui-focus-guard]'));
  const { result } = await browser.send('Runtime.evaluate', {
    expression: 'document.activeElement === document.body ? null : document.activeElement',
  });
  if (result.objectId === undefined) return undefined;
  const { nodes } = await browser.send('Accessibility.getPartialAXTree', {
    objectId: result.objectId,
    fetchRelatives: false,
  });
  const [{ role, name, backendDOMNodeId = 0 } = {}] = nodes;
  // The name of a chat in the list ends with its time and its last message.
  const [known = ''] = String(name?.value ?? '').split(/ \d{1,2}:\d\d/u);
  return { id: backendDOMNodeId, told: `${role?.value ?? ''} ${known}`.trim() };
}

/** Presses a key until the focus is back where it was, and returns the stops on the way. */
async function round(page: Page, key: Key = 'Tab'): Promise<readonly Stop[]> {
  const browser = await page.context().newCDPSession(page);
  try {
    const first = await stopOf(page, browser);
    if (!first) assert.fail('nothing has the focus');
    const stops = [first];
    while (stops.length < MOST_STOPS) {
      await page.keyboard.press(key);
      const stop = await stopOf(page, browser);
      if (stop?.id === first.id) return stops;
      if (stop) stops.push(stop);
    }
    assert.fail(`the focus does not come back with ${key}: ${stops.map(({ told }) => told).join(', ')}`);
  } finally {
    await browser.detach();
  }
}

const toldOf = (stops: readonly Stop[]): readonly string[] => stops.map(({ told }) => told);

/** Checks the stops with Tab. With Shift+Tab they come the other way round. */
async function assertOrder(page: Page, expected: readonly string[]): Promise<void> {
  assert.deepEqual(toldOf(await round(page)), expected);
  const [first = '', ...others] = expected;
  assert.deepEqual(toldOf(await round(page, 'Shift+Tab')), [first, ...others.toReversed()]);
}

/** Gives the focus to the first stop of the page. */
const begin = (page: Page): Promise<void> =>
  page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Chats' }).focus();

/** Returns what has the focus in a dialog or menu, or the dialog or menu itself. */
const focusInside = (page: Page) =>
  page.locator(['dialog', 'menu'].map((role) => `[role=${role}]:focus, [role=${role}] :focus`).join());

/** Checks that Tab has closed a menu, which is one stop, and that what opened it has the focus. */
async function assertClosedByTab(page: Page): Promise<void> {
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await page.locator('[aria-haspopup=menu]:focus, a:focus').waitFor();
}

const sections = ['link Chats', 'link Contacts', 'link Settings'];
const chats = ['button New chat', 'searchbox Find a chat', 'link Tea', 'button Actions for Tea'];
const actions = ['button Reply', 'button React', 'button More about this message'];

describe('the order of the focus', { skip }, () => {
  const place = world();
  let scene: Scene;
  let page: Page;
  before(async () => {
    if (skip) return;
    scene = await createScene(place);
    ({ page } = scene.ann);
    await page.getByRole('region', { name: 'Backup of your keys' }).getByRole('button', { name: 'Later' }).click();
  });

  test('in the list of chats', async () => {
    await show(page, '/');
    await page.getByRole('button', { name: 'Actions for Tea' }).waitFor();
    await begin(page);
    await assertOrder(page, [...sections, ...chats]);
  });

  test('in a conversation: its head, the messages with their actions, the field', async () => {
    await openChat(scene.ann, scene.ben.user.mid);
    await page.getByRole('textbox', { name: 'Write a message' }).and(page.locator(':focus')).waitFor();
    await page.getByRole('button', { name: 'Open the picture hill.png' }).locator('img').waitFor();
    await begin(page);
    // The actions of a message are there while it has the focus.
    assert.deepEqual(toldOf(await round(page)), [
      ...sections,
      ...chats,
      'button Sealed: what this means',
      'button Search in this chat',
      'button Details of the chat',
      'log Messages',
      'link https://example.org/',
      ...actions,
      'button Open the picture hill.png',
      ...actions,
      'button Attach',
      'textbox Write a message',
      'button Emoji and stickers',
    ]);
  });

  test('in the dialog of a new chat, where the focus stays inside', async () => {
    await show(page, '/');
    await page.getByRole('button', { name: 'New chat' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New chat' });
    await dialog.getByRole('searchbox', { name: 'Search people' }).and(page.locator(':focus')).waitFor();
    await dialog.getByRole('option', { name: 'Ben' }).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).focus();
    const head = ['button Close', 'searchbox Search people'];
    await assertOrder(page, [...head, 'option Ben', 'button Find somebody new']);
    await dialog.getByRole('option', { name: 'Ben' }).press('Space');
    await dialog.getByRole('button', { name: 'Open the chat', disabled: false }).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).focus();
    await assertOrder(page, [
      'button Close',
      'button Do not choose Ben',
      'searchbox Search people',
      'option Ben',
      'button Find somebody new',
      'button Open the chat',
    ]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'New chat' }).and(page.locator(':focus')).waitFor();
  });

  test('in the settings', async () => {
    await show(page, '/settings/appearance');
    await page.getByRole('combobox', { name: 'Language' }).waitFor();
    await begin(page);
    const pages = ['Profile', 'Account', 'Privacy', 'Notifications', 'Blocked people', 'Devices', 'Security'];
    await assertOrder(page, [
      ...sections,
      ...[...pages, 'Appearance and language', 'Chats', 'News', 'About'].map((name) => `link ${name}`),
      'combobox Theme',
      'combobox Language',
    ]);
  });

  test('in the details of a contact', async () => {
    await show(page, `/contacts/${scene.ben.user.mid}`);
    await page.getByRole('button', { name: 'Safety number' }).waitFor();
    await begin(page);
    await assertOrder(page, [
      ...sections,
      'button Let others add you',
      'button Find somebody new',
      'searchbox Search contacts',
      'link Ben',
      'link Cem',
      'button Write a message',
      'button Block',
      'button Remove',
      'button Report',
      'textbox Name you give them',
      'switch Favourite',
      'switch Mute',
      'switch Hide',
      'button Safety number',
    ]);
  });

  const openers: readonly (readonly [name: string, path: (scene: Scene) => string])[] = [
    ['New chat', () => '/'],
    ['Actions for Tea', () => '/'],
    ['Let others add you', () => '/contacts'],
    ...['Block', 'Report', 'Safety number'].map(
      (name) => [name, ({ ben }: Scene) => `/contacts/${ben.user.mid}`] as const,
    ),
    ...['Sealed: what this means', 'Open the picture hill.png', 'Attach'].map(
      (name) => [name, ({ ben }: Scene) => `/chats/${ben.user.mid}`] as const,
    ),
    ['Invite people', ({ group }) => `/chats/${group}/details`],
    ['Add a device', () => '/settings/devices'],
  ];
  for (const [name, path] of openers) {
    test(`goes back to “${name}” when what it opened is closed`, async () => {
      await show(page, path(scene));
      const opener = page.getByRole('button', { name, exact: true });
      await opener.focus();
      await page.keyboard.press('Enter');
      await focusInside(page).waitFor();
      await closeOver(scene.ann);
      await opener.and(page.locator(':focus')).waitFor();
    });
  }

  for (const [name, path] of screens) {
    test(`has only stops with a name on the screen ${name}, and comes back`, async () => {
      await show(page, path(scene));
      await begin(page);
      assert.deepEqual(toldOf((await round(page)).filter(nameless)), []);
    });
  }

  for (const [file, ways] of Object.entries(overlays)) {
    test(`has only stops with a name in ${file}, and is not lost`, async () => {
      for (const open of ways) {
        await openOver(scene, open);
        await focusInside(page).waitFor();
        const isMenu = (await page.getByRole('menu').count()) > 0;
        if (isMenu) await page.getByRole('menu', { name: /\S/ }).waitFor();
        await page.keyboard.press('Tab');
        if (isMenu) await assertClosedByTab(page);
        else assert.deepEqual(toldOf((await round(page)).filter(nameless)), []);
        await closeOver(scene.ann);
      }
    });
  }
});
