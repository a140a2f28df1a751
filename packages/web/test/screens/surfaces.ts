// All that the page can show: its screens by their addresses, and what lies over them by the file that has it. Tests
// that look at everything go through these tables.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { routes } from '../../src/chat/routes.ts';
import { befriend, messageWith, openChat, type Person, type PersonOptions, type World, write } from '../browsers.ts';
import { png } from '../files.ts';
import { bluePicture } from '../pictures.ts';

const source = join(import.meta.dirname, '../../src');

/** Ann, who looks at everything, and whom she knows. */
export interface Scene {
  readonly ann: Person;
  readonly ben: Person;
  /** The group of Ann, Ben and Cem. */
  readonly group: string;
}

/** Gives Ann two contacts, a chat with texts and a picture, and a group. */
export async function createScene(place: World, options: PersonOptions = {}): Promise<Scene> {
  const ann = await place.person('Ann', options);
  const ben = await place.loggedIn('Ben');
  const cem = { user: await place.server.user('Cem') };
  await befriend(ann, ben);
  await befriend(ann, cem);
  await ann.logIn();
  const { page } = ann;
  await openChat(ann, ben.user.mid);
  await write(ann, 'a message with https://example.org/');
  await page.getByLabel('Choose pictures or videos').setInputFiles(png('hill.png', 64, 48));
  await page.getByRole('list', { name: 'To be sent' }).getByRole('img').waitFor();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('button', { name: 'Open the picture hill.png' }).locator('img').waitFor();
  await openChat(ben, ann.user.mid);
  await write(ben, 'an answer');
  await messageWith(ann, 'an answer').waitFor();
  await page.getByRole('button', { name: 'New chat' }).click();
  for (const name of ['Ben', 'Cem']) await page.getByRole('option', { name }).click();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Tea');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'Tea' }).waitFor();
  const group = new URL(page.url()).hash.replace('#/chats/', '');
  return { ann, ben, group };
}

/** Goes to an address of the page, and waits until what it shows is there. */
export async function show(page: Page, path: string): Promise<void> {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, path);
  await page.locator('main').waitFor();
  await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' });
}

/** The names of the pages of settings, from their table. */
const settingsPages = [
  ...readFileSync(join(source, 'chat/screens/settings/settings-pages.tsx'), 'utf8').matchAll(/ page: '(\w+)'/g),
].map(([, name]) => `/settings/${name}`);

type Address = (scene: Scene) => string;

const byRoute: Readonly<Record<keyof typeof routes, Address>> = {
  chats: () => routes.chats,
  chat: ({ ben }) => `/chats/${ben.user.mid}`,
  contacts: () => routes.contacts,
  contact: ({ ben }) => `/contacts/${ben.user.mid}`,
  add: () => '/add/nobody-has-this-id',
  settings: () => routes.settings,
  setting: () => '/settings/appearance',
};

const strange = `u${'0'.repeat(32)}`;

/** The addresses of all screens by name: one for each route, all pages of settings, and what is shown for wrong ones. */
export const screens: readonly (readonly [name: string, path: Address])[] = [
  ...Object.entries(byRoute),
  ...settingsPages.map((path) => [path, () => path] as const),
  ['a group', ({ group }) => `/chats/${group}`],
  ['the details of a group', ({ group }) => `/chats/${group}/details`],
  ['a chat that is not here', () => `/chats/${strange}`],
  ['a person who is not here', () => `/contacts/${strange}`],
];

type Open = (scene: Scene) => Promise<void>;

const at =
  (path: Address, open: (page: Page) => Promise<void>): Open =>
  async (scene) => {
    await show(scene.ann.page, path(scene));
    await open(scene.ann.page);
  };
const button =
  (name: string | RegExp) =>
  (page: Page): Promise<void> =>
    page.getByRole('button', { name }).first().click();
const inChat = byRoute.chat;
const inGroup = ({ group }: Scene): string => `/chats/${group}/details`;
const security = (): string => '/settings/security';
const account = (): string => '/settings/account';

async function messageMenu(page: Page): Promise<void> {
  const message = page.getByRole('article').filter({ hasText: 'an answer' });
  await message.hover();
  await message.getByRole('button', { name: 'More about this message' }).click();
}
const choose = (name: string) => async (page: Page) => {
  await messageMenu(page);
  await page.getByRole('menuitem', { name, exact: true }).click();
  // The focus goes back to the button when the menu is gone.
  await page.getByRole('menu').waitFor({ state: 'detached' });
};
const inMenu = (name: string) => async (page: Page) => {
  await choose(name)(page);
  await page.getByRole('dialog').waitFor();
};
const attach = (name: string) => async (page: Page) => {
  await button('Attach')(page);
  await page.getByRole('menuitem', { name, exact: true }).click();
  await page.getByRole('dialog').waitFor();
};

/** How each part that lies over the page is opened, by its file. The first ones make what later ones show. */
export const overlays: Readonly<Record<string, readonly Open[]>> = {
  'chat/overlays/new-chat-dialog.tsx': [
    at(byRoute.chats, button('New chat')),
    at(byRoute.chats, async (page) => {
      await button('New chat')(page);
      for (const name of ['Ben', 'Cem']) await page.getByRole('option', { name }).click();
      await button('Next')(page);
    }),
  ],
  'chat/overlays/account-dialog.tsx': [
    at(account, button('Change the password')),
    at(account, button('Change the user id')),
    at(account, button('Change the phone number')),
    at(account, button('Delete the account')),
  ],
  'chat/people/chat-menu.tsx': [
    at(byRoute.chats, (page) => page.getByRole('link', { name: /Ben/ }).click({ button: 'right' })),
  ],
  'chat/overlays/palette.tsx': [at(byRoute.chats, (page) => page.keyboard.press('Control+k'))],
  'chat/overlays/key-sheet.tsx': [at(byRoute.settings, (page) => page.keyboard.press('?'))],
  'chat/overlays/own-card-dialog.tsx': [at(byRoute.contacts, button('Let others add you'))],
  'chat/overlays/report-dialog.tsx': [
    at(byRoute.contact, button('Report')),
    at(inChat, async (page) => {
      await choose('Select')(page);
      await page.getByRole('toolbar', { name: 'Selected messages' }).getByRole('button', { name: 'Report' }).click();
    }),
  ],
  'chat/overlays/ask-dialog.tsx': [at(byRoute.contact, button('Block'))],
  'chat/overlays/safety-dialog.tsx': [at(byRoute.contact, button('Safety number'))],
  'chat/overlays/seal-dialog.tsx': [at(inChat, button(/^Sealed|^Not sealed/))],
  'chat/screens/conversation/seal-note.tsx': [
    at(inChat, async (page) => {
      await button('Emoji and stickers')(page);
      await page.getByRole('tab', { name: 'Wax the Seal' }).click();
      await page.getByRole('tabpanel', { name: 'Wax the Seal' }).getByRole('button').first().click();
      const lock = page.getByRole('log').getByRole('button', { name: 'Not sealed: what this means' }).last();
      await lock.click();
    }),
  ],
  'chat/overlays/picker.tsx': [
    at(inChat, async (page) => {
      await button('Emoji and stickers')(page);
      await page.getByRole('gridcell').first().waitFor();
    }),
  ],
  'chat/overlays/viewer.tsx': [at(inChat, button('Open the picture hill.png'))],
  'chat/screens/conversation/message-actions.tsx': [
    at(inChat, messageMenu),
    at(inChat, async (page) => {
      await page.getByRole('article').filter({ hasText: 'an answer' }).hover();
      await page.getByRole('article').filter({ hasText: 'an answer' }).getByRole('button', { name: 'React' }).click();
    }),
  ],
  'chat/overlays/forward-dialog.tsx': [at(inChat, inMenu('Forward'))],
  'chat/overlays/info-dialog.tsx': [at(inChat, inMenu('About this message'))],
  'chat/screens/conversation/composer/attach-menu.tsx': [at(inChat, button('Attach'))],
  'chat/screens/conversation/composer/place-dialog.tsx': [at(inChat, attach('Place'))],
  'chat/screens/conversation/composer/contact-dialog.tsx': [at(inChat, attach('Contact'))],
  'chat/overlays/add-people-dialog.tsx': [at(inGroup, button('Invite people'))],
  'chat/pictures/crop-dialog.tsx': [
    at(inGroup, async (page) => {
      await button('Change name or picture')(page);
      await page.getByLabel('Picture', { exact: true }).setInputFiles(bluePicture);
      await page.getByRole('button', { name: 'Use this picture' }).waitFor();
    }),
  ],
  'chat/overlays/picture-dialog.tsx': [
    at(inGroup, async (page) => {
      await page.getByLabel('Picture', { exact: true }).setInputFiles(bluePicture);
      await button('Use this picture')(page);
      await page.getByRole('button', { name: 'Remove the picture' }).waitFor();
      await button('Cancel')(page);
      await button('Show the picture of Tea')(page);
    }),
  ],
  'chat/overlays/add-device-dialog.tsx': [at(() => '/settings/devices', button('Add a device'))],
  'chat/overlays/confirm.tsx': [
    at(security, async (page) => {
      // What comes later above the button moves it away, maybe in the middle of the click.
      await page.getByText('Fingerprint of your newest key').waitFor();
      await page.getByText(/^There is no backup\.|^The backup was made/).waitFor();
      await page.getByRole('region', { name: 'Log out' }).getByRole('button').click();
    }),
  ],
  'chat/overlays/backup-dialog.tsx': [
    at(security, (page) => page.getByRole('main').getByRole('button', { name: 'Make a backup' }).click()),
    at(security, async (page) => {
      await page.getByRole('main').getByRole('button', { name: 'Make a backup' }).click();
      await button('Use a passphrase of my own')(page);
      await page.getByLabel('Your passphrase').fill('gravel onion tractor velvet mimic');
      await page.getByText('Good', { exact: true }).waitFor();
    }),
    at(security, async (page) => {
      await page.getByRole('main').getByRole('button', { name: 'Make a backup' }).click();
      await page.getByLabel('I have written the passphrase down').check();
      await button('Make the backup')(page);
      await page.getByText('It was stored, read back, and opened.').waitFor();
    }),
  ],
  'chat/overlays/keys-dialog.tsx': [at(security, button('Try the passphrase'))],
};

/** What comes by itself, and has a test of its own. */
export const comesByItself = 'chat/overlays/approve-dialog.tsx';

const OVER_THE_PAGE =
  /^import (?!type\b).* from '(?:[./]*\/design\/(?:dialog|menu|anchored-menu|menu-popup)\.tsx|@base-ui\/react\/[\w-]+|yet-another-react-lightbox)';$/m;

/** Returns the files that put something over the page, from their imports. */
export const overlayFiles = (): readonly string[] =>
  globSync('chat/**/*.tsx', { cwd: source })
    .filter((path) => OVER_THE_PAGE.test(readFileSync(join(source, path), 'utf8')))
    .sort();

const overlay = (page: Page) => page.locator('[role=dialog], [role=menu]');

/** Opens something over the page, and waits until it is complete. */
export async function openOver(scene: Scene, open: Open): Promise<void> {
  await closeOver(scene.ann);
  await open(scene);
  const { page } = scene.ann;
  await overlay(page).first().waitFor();
  // A dialog that a menu opened is there alone.
  if ((await page.getByRole('dialog').count()) > 0) await page.getByRole('menu').waitFor({ state: 'detached' });
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
}

/** Milliseconds after which somebody presses a key again that nothing seemed to hear. */
const PRESS_AGAIN_MS = 3_000;

/**
 * Closes what lies over the page, as somebody at the keyboard does. What has just appeared may not listen to keys yet, so
 * the key is pressed again if nothing happens.
 */
export async function closeOver({ page }: Person): Promise<void> {
  for (let presses = 0; presses < 20; presses++) {
    const last = (await overlay(page).elementHandles()).at(-1);
    if (!last) return;
    await page.keyboard.press('Escape');
    await last.waitForElementState('hidden', { timeout: PRESS_AGAIN_MS }).catch((error: Error) => {
      if (error.name !== 'TimeoutError') throw error;
    });
  }
  throw new Error('what lies over the page does not close');
}
