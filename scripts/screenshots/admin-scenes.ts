// The scenes of the administration pages. Each begins anywhere and shows itself, in every size.
import { authenticator } from '@sealpost/dev-env/administrators';
import type { Page } from '../../packages/web/test/browsers.ts';
import { NOW } from './fixed.ts';
import type { Office, Size } from './office.ts';
import { go } from './stage.ts';

export interface AdminScene {
  readonly name: string;
  /** Shows the scene. The scenes of a size share a page. Each returns what it opened, if it opened another page. */
  readonly show: (page: Page, office: Office, size: Size) => Promise<Page | undefined>;
  /** True if the documents show the scene on a desktop. */
  readonly inDocs?: true;
}

/** Goes to a place, and waits for a text there. */
async function at(page: Page, place: string, text: string): Promise<void> {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await go(page, place);
  await page.getByRole('main').getByText(text).first().waitFor();
}

const place = (name: string, path: string, text: string, inDocs?: true): AdminScene => ({
  name,
  show: async (page) => void (await at(page, path, text)),
  ...(inDocs && { inDocs }),
});

/** A dialog that a button of a place opens. */
const dialog = (name: string, path: string, text: string, button: string): AdminScene => ({
  name,
  async show(page) {
    await at(page, path, text);
    await page.getByRole('main').getByRole('button', { name: button }).first().click();
    await page.getByRole('dialog').waitFor();
  },
});

let made = 0;
const PASSWORD = 'correct horse battery';

/** The steps of the setup, each in a browser in which nobody is logged in. */
const setup = (name: string, go: (page: Page) => Promise<void>): AdminScene => ({
  name,
  async show(_page, office, size) {
    const page = await office.open(size, { hash: await office.setupHash() });
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    await go(page);
    return page;
  },
});

async function chooseLogin(page: Page): Promise<void> {
  await page.getByLabel('Name').fill(`anna-${++made}`);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Use an app for codes' }).waitFor();
}

async function scanCode(page: Page): Promise<string> {
  await chooseLogin(page);
  await page.getByRole('button', { name: 'Use an app for codes' }).click();
  return page.getByText('Or type this secret').locator('code').innerText();
}

export const adminScenes: readonly AdminScene[] = [
  place('admin-home', '/home', 'Version', true),
  place('admin-people', '/people', 'Maya Lindqvist', true),
  place('admin-people-none', '/people?text=nobody-has-this', 'Nobody was found'),
  dialog('admin-new-account', '/people', 'Maya Lindqvist', 'Create an account'),
  {
    name: 'admin-person',
    async show(page, { member }) {
      await at(page, `/people/${member['Maya Lindqvist']?.mid}`, 'current');
      return undefined;
    },
  },
  {
    name: 'admin-person-long',
    async show(page, { member }) {
      await at(page, `/people/${member['عبد الرحمن المنصوري']?.mid}`, 'no key');
      return undefined;
    },
  },
  {
    name: 'admin-person-delete',
    async show(page, { member }) {
      await at(page, `/people/${member['Ben Okafor']?.mid}`, 'no key');
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').waitFor();
      return undefined;
    },
  },
  place('admin-invites', '/invites', 'Rowing club'),
  dialog('admin-new-invite', '/invites', 'Rowing club', 'Invite people'),
  {
    name: 'admin-invite-link',
    async show(page) {
      await at(page, '/invites', 'Rowing club');
      await page.getByRole('button', { name: 'Invite people' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
      await page.getByRole('img', { name: 'Code of the link' }).waitFor();
      return undefined;
    },
  },
  place('admin-reports', '/reports', 'Leo Fontaine'),
  {
    name: 'admin-report',
    async show(page) {
      await at(page, '/reports', 'Leo Fontaine');
      await page.getByRole('main').getByRole('listitem').filter({ hasText: 'Cheap seals' }).first().click();
      await page.getByRole('heading', { name: 'Report', level: 1 }).waitFor();
      return undefined;
    },
  },
  place('admin-storage', '/storage', 'Maya Lindqvist', true),
  {
    name: 'admin-storage-counted',
    async show(page) {
      await at(page, '/storage', 'Maya Lindqvist');
      await page.getByRole('button', { name: 'Count' }).click();
      await page.getByRole('status').getByText('old').waitFor();
      return undefined;
    },
  },
  place('admin-notices', '/notices', 'A pause on Saturday'),
  dialog('admin-new-notice', '/notices', 'A pause on Saturday', 'Write a notice'),
  place('admin-official', '/people?kind=official', 'City Library'),
  place('admin-packs', '/packs', 'Wax the Seal'),
  dialog('admin-give-pack', '/packs', 'Wax the Seal', 'Give to a person'),
  place('admin-audit', '/audit', 'Ids'),
  place('admin-administrators', '/administrators', 'this browser'),
  dialog('admin-new-administrator', '/administrators', 'this browser', 'Add an administrator'),
  place('admin-tokens', '/administrators/tokens', 'backup'),
  dialog('admin-new-token', '/administrators/tokens', 'backup', 'Make a token'),
  place('admin-own-login', '/administrators/own', 'codes are left'),
  place('admin-settings', '/settings', 'sealpost.yaml'),
  {
    name: 'admin-menu',
    async show(page, _office, size) {
      await at(page, '/home', 'Version');
      if (size === 'desktop') return;
      await page.getByRole('button', { name: 'Pages' }).click();
      await page.getByRole('menu').waitFor();
      return undefined;
    },
  },
  {
    name: 'admin-login',
    async show(_page, office, size) {
      const page = await office.open(size, { hash: '' });
      await page.getByRole('button', { name: 'Log in' }).waitFor();
      return page;
    },
  },
  setup('admin-setup', async () => undefined),
  setup('admin-setup-factor', chooseLogin),
  setup('admin-setup-code', async (page) => void (await scanCode(page))),
  setup('admin-setup-recovery', async (page) => {
    const secret = await scanCode(page);
    await page.getByLabel('Code of your app').fill(authenticator(secret.replaceAll(' ', ''), () => NOW).code());
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'I have kept them' }).waitFor();
  }),
];
