// Every administration page in both themes and sizes, without a finding of axe.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { authenticator, setupSecret } from '@sealpost/dev-env/administrators';
import type { Page } from 'playwright-core';
import { findings } from '../axe.ts';
import { sizes, skip } from '../browsers.ts';
import { administered } from './administered.ts';

/** Looks at what the page shows now in both sizes and themes. */
async function assertClean(page: Page, what: string): Promise<void> {
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  const found: string[] = [];
  for (const size of ['phone', 'desktop'] as const) {
    await page.setViewportSize(sizes[size]);
    for (const colorScheme of ['dark', 'light'] as const) {
      found.push(
        ...(await findings(page, colorScheme)).map((finding) => `${what}, ${size}, ${colorScheme}: ${finding}`),
      );
    }
  }
  assert.deepEqual(found, []);
}

describe('axe finds nothing', { skip }, () => {
  const world = administered();

  test('in the login', async () => {
    const page = await world.open();
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    await assertClean(page, 'login');
    await page.context().close();
  });

  test('in the setup of an administrator', async () => {
    const page = await world.open({}, `#setup=${await setupSecret(world.server)}`);
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    await assertClean(page, 'setup');
    await page.getByLabel('Name').fill('maya');
    await page.getByLabel('Password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Use an app for codes' }).waitFor();
    await assertClean(page, 'enrol');
    await page.getByRole('button', { name: 'Use an app for codes' }).click();
    const secret = await page.getByText('Or type this secret').locator('code').innerText();
    await assertClean(page, 'code for the app');
    await page.getByLabel('Code of your app').fill(authenticator(secret.replaceAll(' ', '')).code());
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'I have kept them' }).waitFor();
    await assertClean(page, 'recovery codes');
    await page.context().close();
  });

  test('in the page of administrators and its dialogs', async () => {
    const { page, go } = world;
    const closed = async (): Promise<void> => {
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    const dialog = async (button: string): Promise<void> => {
      await page.getByRole('button', { name: button }).click();
      await page.getByRole('dialog').waitFor();
      await assertClean(page, button);
    };
    const shown = async (hash: string, text: string): Promise<void> => {
      await go(hash);
      await page.getByText(text).first().waitFor();
      await assertClean(page, hash);
    };
    await shown('#/administrators', 'this browser');
    await dialog('Add an administrator');
    await page.getByRole('button', { name: 'Make a link' }).click();
    await page.getByRole('img', { name: 'Code of the link' }).waitFor();
    await assertClean(page, 'setup link');
    await closed();
    await shown('#/administrators/tokens', 'No program has a token.');
    await dialog('Make a token');
    await page.getByLabel('What it is for').fill('report');
    await page.getByRole('dialog').getByRole('button', { name: 'Make a token' }).click();
    await page.getByText('It is not shown again.').waitFor();
    await assertClean(page, 'token');
    await closed();
    await assertClean(page, 'tokens');
    await shown('#/administrators/own', '10 codes are left');
    for (const button of ['Make new codes', 'Change the password', 'Add an app for codes']) {
      await dialog(button);
      await closed();
    }
  });

  test('in the pages while they are empty, and with content', async () => {
    const { page, go, server, admin } = world;
    const show = async (hash: string, heading: string): Promise<void> => {
      await go(hash);
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      await assertClean(page, hash);
    };
    await show('#/home', 'Home');
    await show('#/people?text=nobody', 'People');
    await show('#/audit', 'Audit log');
    await show('#/settings', 'Settings');
    for (const [hash, heading] of [
      ['#/invites', 'Invites'],
      ['#/reports', 'Reports'],
      ['#/storage', 'Storage'],
      ['#/notices', 'Notices'],
      ['#/packs', 'Sticker packs'],
    ] as const)
      await show(hash, heading);
    const maya = await server.user('Maya Lindqvist');
    await server.user('City Library', 'official');
    const leo = await server.user('Leo');
    await admin.disableAccount({ account: leo.mid });
    await admin.createInvite({ uses: 3, name: 'The rowing club', note: 'for the spring' });
    await admin.publishNotice({ title: 'A pause tonight', body: 'We are back at ten.', showTimingWhenLogin: true });
    await maya.client.TalkService.reportAbuseEx({
      abuseReportEntry: {
        message: {
          ...{ reportSource: 1, spammerReasons: [5], metadata: { userMid: leo.mid, displayName: 'Leo' } },
          abuseMessages: [{ messageId: '1', message: 'send money', contentType: 0, createdTime: '1700000000000' }],
        },
      },
    });
    const [report] = (await admin.listReports()).reports;
    await show('#/reports?status=open', 'Reports');
    await show(`#/reports/${report?.id}`, 'Report');
    await show('#/invites?again=1', 'Invites');
    await show('#/notices?again=1', 'Notices');
    await show('#/people?text=', 'People');
    await show('#/audit?action=account.disable', 'Audit log');
    await show(`#/people/${maya.mid}`, 'Maya Lindqvist');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').waitFor();
    await assertClean(page, 'the question');
  });
});
