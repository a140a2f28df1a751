// The scenes that the pictures show, in the order in which they are taken. Each scene begins where the last one ended.
import { toBase64 } from '@sealpost/crypto';
import type { Page } from '../../packages/web/test/browsers.ts';
import { addressOf, go, type Stage } from './stage.ts';

export interface Scene {
  /** The name of the scene's pictures. */
  readonly name: string;
  readonly page: (stage: Stage) => Page;
  readonly prepare: (stage: Stage) => Promise<void>;
  /** What a review does before its pictures in the size of a phone, where one pane is shown at a time. */
  readonly onPhone?: (stage: Stage) => Promise<void>;
  /** True if the documents show the picture. All other pictures are taken only for a review. */
  readonly inDocs?: boolean;
}

const atDesk = (name: string, prepare: Scene['prepare']): Scene => ({ name, page: ({ desk }) => desk, prepare });
/** Marks a scene that the documents do not show. */
const forReview = (scene: Scene): Scene => ({ ...scene, inDocs: false });

const inHand = (name: string, prepare: Scene['prepare']): Scene => ({ name, page: ({ hand }) => hand, prepare });

const log = (page: Page) => page.getByRole('log', { name: 'Messages' });

async function chat(page: Page, mid: string, text: string): Promise<void> {
  await go(page, `/chats/${mid}`);
  await log(page).getByText(text).last().waitFor();
}

async function leaveDialog(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

async function later(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Later' });
  if (await button.isVisible()) await button.click();
}

/** Closes the notices that the page shows for a while, for example about the login of another device. */
async function closeToasts(page: Page): Promise<void> {
  const close = page.getByLabel('Messages of the page').getByRole('button', { name: 'Close' });
  while (await close.first().isVisible()) await close.first().click();
}

export const scenes: readonly Scene[] = [
  inHand('phone-chats', async ({ hand }) => {
    await later(hand);
    await hand.getByText('99+').waitFor();
  }),
  inHand('phone-conversation', ({ hand, mid }) => chat(hand, mid.sakura, 'See you at the pier')),
  forReview(
    inHand('phone-message', async ({ hand }) => {
      // A long press opens the menu too. This click is what a screen reader triggers.
      await log(hand).getByRole('button', { name: 'More about this message' }).last().dispatchEvent('click');
      await hand.getByRole('menu').waitFor();
    }),
  ),
  atDesk('chats', async ({ desk, mid }) => {
    await later(desk);
    await chat(desk, mid.nils, 'My phone broke');
    await desk.getByRole('textbox', { name: 'Write a message' }).fill('The front door opens at nine tomorrow.');
    await desk.keyboard.press('Enter');
    await log(desk).getByRole('button', { name: 'Send this one in the clear' }).waitFor();
    await chat(desk, mid.wilhelmina, 'Which of the two');
    await desk.getByRole('textbox', { name: 'Write a message' }).fill('I think the second one, but');
    await go(desk, '/');
    await desk.getByText('Draft:').waitFor();
  }),
  atDesk('conversation', async ({ desk, mid }) => {
    await chat(desk, mid.sakura, 'See you at the pier');
    await closeToasts(desk);
  }),
  atDesk('picker', async ({ desk }) => {
    await desk.getByRole('button', { name: 'Emoji and stickers' }).click();
    await desk.getByRole('tab', { name: 'Wax the Seal' }).click();
    await desk.getByRole('tabpanel', { name: 'Wax the Seal' }).getByRole('button').first().waitFor();
  }),
  forReview(
    atDesk('emoji', async ({ desk }) => {
      await desk.getByRole('tab', { name: 'Emoji', exact: true }).click();
      await desk.getByRole('gridcell').first().waitFor();
    }),
  ),
  atDesk('group', async ({ desk, groups }) => {
    await desk.keyboard.press('Escape');
    await chat(desk, groups.walk, 'can you bring the old map?');
    await desk.getByRole('button', { name: 'Details of the chat' }).click();
    await desk.getByRole('complementary', { name: 'Details' }).getByText('Leo Fontaine').waitFor();
  }),
  atDesk('held-back', ({ desk, mid }) => chat(desk, mid.nils, 'My phone broke')),
  forReview(
    atDesk('send-in-the-clear', async ({ desk }) => {
      await log(desk).getByRole('button', { name: 'Send this one in the clear' }).click();
      await desk.getByRole('dialog').getByRole('button', { name: 'Send in the clear' }).waitFor();
    }),
  ),
  forReview(
    atDesk('sticker-lock', async ({ desk, mid }) => {
      await leaveDialog(desk);
      // The newest message of this chat is a sticker, so there is no text to wait for.
      await go(desk, `/chats/${mid.meihua}`);
      await desk.getByRole('heading', { name: '林美華' }).waitFor();
      await log(desk).getByRole('button', { name: 'Not sealed: what this means' }).last().dispatchEvent('click');
      await desk.getByRole('dialog', { name: 'Not sealed' }).waitFor();
    }),
  ),
  forReview(
    atDesk('invitation', async ({ desk, groups }) => {
      await leaveDialog(desk);
      await go(desk, `/chats/${groups.books}`);
      await desk.getByRole('button', { name: 'Join' }).waitFor();
    }),
  ),
  {
    ...atDesk('search', async ({ desk, mid }) => {
      await chat(desk, mid.sakura, 'See you at the pier');
      await desk.keyboard.press('Control+Shift+F');
      await desk.getByRole('searchbox', { name: 'Search messages' }).fill('pier');
      await desk
        .getByRole('region', { name: 'Search messages' })
        .getByText(/messages? searched/)
        .waitFor();
    }),
    onPhone: ({ desk }) => go(desk, '/'),
  },
  atDesk('palette', async ({ desk }) => {
    await desk.keyboard.press('Escape');
    await desk.keyboard.press('Control+k');
    await desk.locator('[role=combobox]:focus').waitFor();
    await desk.keyboard.type('a');
    await desk.getByRole('option').first().waitFor();
  }),
  atDesk('new-group', async ({ desk }) => {
    await leaveDialog(desk);
    // The search in the list is still open from the last scene.
    await desk.keyboard.press('Escape');
    await desk.getByRole('button', { name: 'New chat' }).click();
    const dialog = desk.getByRole('dialog');
    for (const name of ['林美華', 'عمر خليل', 'Ruth Abelson', 'อนงค์ ศรีสุข'])
      await dialog.getByRole('option', { name }).click();
  }),
  forReview(
    atDesk('name-of-a-group', async ({ desk }) => {
      const dialog = desk.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Next' }).click();
      await dialog.getByLabel('Name', { exact: true }).fill('رحلة المرفأ');
    }),
  ),
  atDesk('contact', async ({ desk, mid }) => {
    await leaveDialog(desk);
    await go(desk, `/contacts/${mid.sakura}`);
    await desk.getByRole('button', { name: /^Safety number/ }).waitFor();
  }),
  atDesk('safety-number', async ({ desk }) => {
    await desk.getByRole('button', { name: /^Safety number/ }).click();
    await desk.getByLabel('Safety number', { exact: true }).filter({ hasText: /\d/ }).waitFor();
  }),
  atDesk('devices', async ({ desk }) => {
    await leaveDialog(desk);
    await go(desk, '/settings/devices');
    await desk.getByText('This device', { exact: true }).waitFor();
    await desk.getByText('Maya’s phone').waitFor();
  }),
  forReview({
    name: 'join',
    page: ({ newcomer }) => newcomer,
    prepare: ({ newcomer }) => newcomer.getByText('Sakura invites you.').waitFor(),
  }),
  forReview({
    name: 'notifications-not-ready',
    page: ({ hand }) => hand,
    prepare: async ({ hand }) => {
      await go(hand, '/settings/notifications');
      await hand.getByText('Notifications do not work in this browser now.').waitFor();
    },
  }),
  {
    name: 'login',
    inDocs: false,
    page: ({ stranger }) => stranger,
    prepare: async ({ stranger }) =>
      void (await stranger.getByRole('button', { name: 'Log in', exact: true }).waitFor()),
  },
  {
    name: 'login-code',
    page: ({ stranger }) => stranger,
    prepare: async ({ stranger }) => void (await addressOf(stranger)),
  },
  atDesk('approve', async ({ desk, stranger }) => {
    const address = (await stranger.locator('code').textContent()) ?? '';
    await desk.getByRole('button', { name: 'Add a device' }).click();
    const dialog = desk.getByRole('dialog');
    await dialog.getByLabel('Or paste the address from the new device').fill(address);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('button', { name: 'Yes, this is me' }).click();
    const pin = (await stranger.getByLabel('PIN', { exact: true }).textContent()) ?? '';
    await dialog.getByLabel('PIN on the new device').fill(pin);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByLabel('Words to compare').waitFor();
  }),
  atDesk('backup', async ({ desk }) => {
    await leaveDialog(desk);
    await go(desk, '/settings/security');
    await desk.getByRole('button', { name: 'Make a backup' }).click();
    await desk
      .getByRole('dialog')
      .getByLabel('Passphrase', { exact: true })
      .filter({ hasText: /\w+ \w+/ })
      .waitFor();
  }),
  atDesk('notifications', async ({ desk }) => {
    await leaveDialog(desk);
    await go(desk, '/settings/notifications');
    await desk.getByRole('button', { name: 'Turn on' }).waitFor();
  }),
  forReview(
    atDesk('keys', async ({ desk, mid }) => {
      await chat(desk, mid.sakura, 'See you at the pier');
      await desk.getByRole('button', { name: 'Details of the chat' }).focus();
      await desk.keyboard.press('?');
      await desk.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    }),
  ),
  atDesk('offline', async ({ desk, network, groups }) => {
    await leaveDialog(desk);
    await chat(desk, groups.walk, 'can you bring the old map?');
    network.down(true);
    await desk.getByText('Not connected.').waitFor();
    await desk.getByRole('textbox', { name: 'Write a message' }).fill('Of course, I have it here.');
    await desk.keyboard.press('Enter');
    await log(desk).getByText('Of course, I have it here.').waitFor();
  }),
  atDesk('japanese', async ({ desk, network, mid }) => {
    network.down(false);
    await log(desk).getByText('Of course, I have it here.').waitFor();
    await desk.evaluate(() => localStorage.setItem('sealpost-language', 'ja'));
    await desk.reload();
    await go(desk, `/chats/${mid.sakura}`);
    await desk.getByText('See you at the pier').last().waitFor();
  }),
  {
    name: 'empty',
    page: ({ stranger }) => stranger,
    prepare: async ({ stranger, logInStranger }) => {
      await stranger.reload();
      await logInStranger();
      await later(stranger);
      await stranger.getByText('No chats yet').waitFor();
    },
  },
  {
    name: 'inspector',
    page: ({ inspector }) => inspector,
    prepare: async ({ inspector }) => {
      await inspector.getByRole('option').filter({ hasText: 'REQUEST_INVALID_HMAC' }).click();
      await inspector.getByText(/byte 1 of the access token differs/).waitFor();
    },
  },
  {
    name: 'sealing-lab',
    page: ({ inspector }) => inspector,
    prepare: async ({ inspector, sealed, receiver }) => {
      await inspector.getByRole('link', { name: 'Sealing lab' }).click();
      await inspector.getByRole('textbox', { name: 'Sealed message' }).fill(sealed);
      await inspector.getByRole('textbox', { name: 'Private key', exact: true }).fill(toBase64(receiver.privateKey));
      await inspector.getByRole('button', { name: 'Look the keys up on this server' }).click();
      await inspector.getByText(/^Looked up: /).waitFor();
      await inspector.getByRole('button', { name: 'Open it' }).click();
      await inspector.getByText('It opens.').waitFor();
    },
  },
];
