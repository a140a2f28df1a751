// What an administrator does with people and settings, in a real browser over a real server.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '@sealpost/dev-env/until';
import type { Page } from 'playwright-core';
import { sizes, skip } from '../browsers.ts';
import { hostileTexts } from '../hostile.ts';
import { administered } from './administered.ts';

const rowWith = (page: Page, text: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: text });
const toastWith = (page: Page, text: string) => page.getByLabel('Messages of the page').getByText(text);

describe('Home', { skip }, () => {
  const world = administered();

  test('shows the health of the server and its work, and follows it', async () => {
    const { page, server } = world;
    const health = page.getByRole('list', { name: 'Health' });
    for (const part of ['Database', 'Link between servers', 'Media', 'Disk'])
      await health.getByRole('listitem').filter({ hasText: part }).filter({ hasText: 'Works' }).waitFor();
    await page.getByText('The plots begin after half a minute').waitFor();
    await page.getByText(server.url).waitFor();
  });

  test('draws plots of the last hour, in the colours of the theme', async () => {
    const { page } = world;
    const times = Array.from({ length: 20 }, (_, i) => new Date(Date.now() - i * 15_000).toISOString()).reverse();
    await page.route('**/api/admin/v1/status', async (route) => {
      const answer = await route.fetch();
      const samples = times.map((time, i) => ({ time, streams: i, sends: i * 15, calls: 30, freeBytes: 5e9 }));
      await route.fulfill({ response: answer, json: { ...(await answer.json()), samples } });
    });
    const plot = page.getByRole('img', { name: 'Messages a second: now 19, at most 19' });
    await plot.locator('canvas').waitFor();
    const colourOf = () =>
      plot.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
        const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
        const seen = new Set<string>();
        for (let at = 0; at < data.length; at += 4) if (data[at + 3] === 255) seen.add(String(data.slice(at, at + 3)));
        return [...seen].sort().join(' ');
      });
    const light = await colourOf();
    assert.notEqual(light, '');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.waitForFunction(() => document.querySelectorAll('canvas').length === 4);
    await until(async () => (await colourOf()) !== light, 'the plot has other colours');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.unroute('**/api/admin/v1/status');
  });
});

describe('People', { skip }, () => {
  const world = administered();

  test('creates an account, shows it, and tells which field is wrong', async () => {
    const { page, go, admin } = world;
    await go('#/people');
    await page.getByText('There are no accounts yet').waitFor();
    await page.getByRole('button', { name: 'Create an account' }).click();
    const dialog = page.getByRole('dialog', { name: 'New account' });
    await dialog.getByLabel('Name', { exact: true }).fill('Maya Lindqvist');
    await dialog.getByLabel('User id').fill('Not a user id');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('Use 1 to 40 small letters').waitFor();
    await dialog.getByLabel('User id').fill('maya');
    await dialog.getByLabel('E-mail').fill('maya@example.org');
    const password = await dialog.getByLabel('Password').inputValue();
    assert.match(password, /^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Maya Lindqvist', level: 1 }).waitFor();
    await toastWith(page, 'The account was created.').waitFor();
    assert.equal((await admin.showAccount({ account: 'maya' })).email, 'maya@example.org');
  });

  test('finds people by name, user id or e-mail, with the keyboard alone', async () => {
    const { page, go, server } = world;
    for (const name of ['Ben Okafor', 'Leo Fontaine', 'Benita']) await server.user(name);
    await go('#/home');
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'People' }).click();
    await rowWith(page, 'Leo Fontaine').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('BEN');
    await rowWith(page, 'Leo Fontaine').waitFor({ state: 'detached' });
    const rows = page.getByRole('list', { name: 'People' }).getByRole('listitem');
    // The answers to "b" and "be" may be shown for a moment.
    await until(async () => (await rows.count()) === 2, 'only the two people are left');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('maya@example.org');
    await rowWith(page, 'Maya Lindqvist').waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('nobody at all');
    await page.getByText('Nobody was found').waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('ben');
    await rowWith(page, 'Benita').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Benita', level: 1 }).waitFor();
  });

  test('disables an account after a question, and shows at once that its sessions ended', async () => {
    const { page, go, admin, server } = world;
    const { mid } = await server.user('Disabled');
    await go(`#/people/${mid}`);
    await page.getByRole('list', { name: 'Sessions' }).getByRole('listitem').waitFor();
    const dialog = page.getByRole('dialog', { name: 'Disable Disabled?' });
    await page.getByRole('button', { name: 'Disable' }).click();
    await dialog.getByText('logged out everywhere').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal((await admin.showAccount({ account: mid })).disabled, false, 'nothing without a yes');
    await page.getByRole('button', { name: 'Disable' }).click();
    await dialog.getByRole('button', { name: 'Disable' }).click();
    await toastWith(page, 'Disabled is logged out everywhere.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0, 'ended sessions do not come back');
    await page.getByText('The account is logged in nowhere.').waitFor();
    assert.equal((await admin.showAccount({ account: mid })).disabled, true);
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByRole('button', { name: 'Disable' }).waitFor();
    const { entries } = await admin.listAudit({ subject: mid, limit: 2 });
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['account.enable', 'account.disable'],
    );
  });

  test('the page of a proxy is not shown, but what the proxy must do', async () => {
    const { page, go, open } = world;
    const html = '<html><head><title>404 Not Found</title></head><body>nginx</body></html>';
    const answerWith = (status: number) => async (where: Page) =>
      where.route('**/api/admin/**', (route) => route.fulfill({ status, contentType: 'text/html', body: html }));
    await go('#/home');
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    for (const status of [404, 401, 200]) {
      await answerWith(status)(page);
      await go('#/people');
      await page
        .getByText(`Something in front of the server answered for the admin API, with HTTP ${status}`)
        .waitFor();
      assert.equal(await page.getByText('nginx').count(), 0);
      await page.unroute('**/api/admin/**');
      await go('#/home');
      await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    }
    const stranger = await open();
    await answerWith(401)(stranger);
    await stranger.getByLabel('Name').fill('somebody');
    await stranger.getByLabel('Password').fill('correct horse');
    await stranger.getByRole('button', { name: 'Log in' }).click();
    await stranger.getByText('with HTTP 401').waitFor();
    await stranger.unroute('**/api/admin/**');
    await answerWith(404)(stranger);
    await stranger.reload();
    await stranger.getByText('A proxy must let /api/admin/ through.').waitFor();
    await stranger.getByRole('button', { name: 'Try again' }).waitFor();
    await stranger.context().close();
  });

  test('names the trusted devices after their logins', async () => {
    const { page, go, admin, server } = world;
    const owner = await server.user('Owner of devices');
    const account = owner.mid;
    const logIn = async (modelName: string) =>
      (await owner.session()).login({
        ...{ identifier: owner.userid, password: owner.password, systemName: 'Tizen', modelName },
        onConfirmationNeeded: async (pinCode) => {
          const [waiting] = (await admin.listLogins({ account })).logins;
          await admin.approveLogin({ account, login: waiting?.loginId ?? '', pinCode });
        },
      });
    await logIn('Old fridge');
    await logIn('New fridge');
    const gone = (await admin.listSessions({ account })).sessions.find(({ modelName }) => modelName === 'Old fridge');
    await admin.endSession({ account, session: gone?.loginSessionId ?? '' });
    await go(`#/people/${account}`);
    const devices = page.getByRole('list', { name: 'Trusted devices' }).getByRole('listitem');
    await devices.filter({ hasText: 'Tizen · New fridge' }).waitFor();
    await devices.filter({ hasText: 'A device that is logged out' }).waitFor();
    assert.equal(await devices.count(), 2);
  });

  test('ends a session, all sessions, and resets the password', async () => {
    const { page, go, admin, server } = world;
    const owner = await server.user('Owner');
    await owner.session();
    await go(`#/people/${owner.mid}`);
    const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
    await sessions.first().waitFor();
    await sessions.first().getByRole('button').click();
    await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click();
    await toastWith(page, 'The session ended.').waitFor();
    assert.equal((await admin.listSessions({ account: owner.mid })).sessions.length, 1);
    await page.getByRole('button', { name: 'End all' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    assert.equal((await admin.listSessions({ account: owner.mid })).sessions.length, 1, 'nothing without a yes');
    await page.getByRole('button', { name: 'End all' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End all' }).click();
    await page.getByText('The account is logged in nowhere.').waitFor();
    await page.getByRole('button', { name: 'Reset password' }).click();
    const dialog = page.getByRole('dialog', { name: 'New password for Owner' });
    await dialog.getByLabel('Password').fill('x');
    await dialog.getByRole('button', { name: 'Set the password' }).click();
    await dialog
      .getByText(/password/)
      .last()
      .waitFor();
    await dialog.getByLabel('Password').fill('a better passphrase');
    await dialog.getByRole('button', { name: 'Set the password' }).click();
    await toastWith(page, 'Owner has the new password.').waitFor();
    const [entry] = (await admin.listAudit({ subject: owner.mid, limit: 1 })).entries;
    assert.equal(entry?.action, 'account.reset-password');
  });

  test('deletes an account after a question', async () => {
    const { page, go, admin, server } = world;
    const leaver = await server.user('Leaver');
    await go(`#/people/${leaver.mid}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog', { name: 'Delete Leaver?' }).getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'People', level: 1 }).waitFor();
    await assert.rejects(admin.showAccount({ account: leaver.mid }), { status: 404 });
    await go(`#/people/${leaver.mid}`);
    await page.getByText('No account has this user id or mid.').waitFor();
  });

  test('hostile names run nothing', async () => {
    const { page, go, server } = world;
    await page.evaluate(() => Object.assign(globalThis, { __ran: (what: string) => (document.title = `ran ${what}`) }));
    const names = Object.values(hostileTexts).filter((text) => text.length <= 20);
    assert.ok(names.length > 0);
    const script = await server.user('<svg onload=__ran()>');
    for (const name of names) await server.user(name).catch(() => undefined);
    await go('#/people?text=svg');
    await rowWith(page, '<svg onload=__ran()>').waitFor();
    await go(`#/people/${script.mid}`);
    await page.getByRole('heading', { name: '<svg onload=__ran()>', level: 1 }).waitFor();
    assert.doesNotMatch(await page.title(), /ran/);
  });
});

describe('Audit log and settings', { skip }, () => {
  const world = administered();

  test('the audit log is narrowed by a press or by the form, and the address keeps it', async () => {
    const { page, go, admin } = world;
    for (const [userid, displayName] of [
      ['ann', 'Ann Berg'],
      ['ben', 'Ben Berg'],
    ] as const)
      await admin.createAccount({ userid, password: 'correct horse 22', displayName });
    const { mid } = await admin.disableAccount({ account: 'ann' });
    await go('#/audit');
    await rowWith(page, 'Account disabled').waitFor();
    const rows = page.getByRole('list', { name: 'Audit log' }).getByRole('listitem');
    const { entries } = await admin.listAudit();
    assert.equal(await rows.count(), entries.length);
    await rows.filter({ hasText: 'Account disabled' }).getByRole('link', { name: 'Ann Berg' }).click();
    await page.waitForFunction(() => document.querySelectorAll('main li').length === 2);
    assert.match(page.url(), new RegExp(`subject=${mid}`));
    assert.equal(await page.getByLabel('About').inputValue(), 'ann');
    await page.getByLabel('Action').selectOption('Account created');
    await page.waitForFunction(() => document.querySelectorAll('main li').length === 1);
    await page.getByLabel('About').fill('ben');
    await page.keyboard.press('Enter');
    await rows.filter({ hasText: 'Ben Berg' }).waitFor();
    await page.getByLabel('Action').selectOption('Pack added');
    await page.getByText('Nothing fits these filters').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.waitForFunction((all) => document.querySelectorAll('main li').length === all, entries.length);
    await page.getByLabel('Who').selectOption('the server’s own token');
    await page.waitForFunction(() => document.querySelectorAll('main li').length >= 3);
    assert.match(page.url(), /actor=admin-token/);
  });

  test('the audit log has names, and ids on demand; a deleted account has only its id', async () => {
    const { page, go, admin } = world;
    const account = { userid: 'cem', password: 'correct horse 22', displayName: 'Cem Kaya' };
    const { mid } = await admin.createAccount(account);
    await go(`#/audit?subject=${mid}`);
    const made = rowWith(page, 'Account created');
    await made.getByText('cem', { exact: true }).waitFor();
    await made.getByText('the server’s own token').waitFor();
    assert.equal(await made.getByText('account.create', { exact: true }).isVisible(), false);
    await made.getByText('Ids').click();
    await made.getByText('account.create', { exact: true }).waitFor();
    await made.getByText(mid, { exact: true }).waitFor();
    await admin.deleteAccount({ account: mid });
    await page.reload();
    await rowWith(page, 'Account deleted').waitFor();
    assert.equal(await page.getByText('Cem Kaya').count(), 0);
  });

  test('settings are shown with value and origin, secrets are not', async () => {
    const { page, go, server } = world;
    await go('#/settings');
    await rowWith(page, 'port to listen on').getByText('flag --port').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('admin-token');
    await rowWith(page, 'token of the admin API').waitFor();
    assert.equal((await page.content()).includes(server.adminToken), false);
    await page.getByRole('searchbox').fill('no such setting');
    await page.getByText('No setting has this text').waitFor();
  });

  test('the language is chosen, and stays after a reload', async () => {
    const { open } = world;
    const page = await open({ locale: 'ja-JP' });
    await page.getByRole('heading', { name: '管理' }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.lang), 'ja');
    await page.context().close();
  });

  test('a phone shows every page without scrolling sideways, and its menu leads to all', async () => {
    const { page, go } = world;
    await page.setViewportSize(sizes.phone);
    for (const name of [
      ...[
        'Home',
        'People',
        'Invites',
        'Reports',
        'Storage',
        'Notices',
        'Sticker packs',
        'Audit log',
        'Administrators',
        'Settings',
      ],
    ]) {
      await page.getByRole('button', { name: 'Pages' }).click();
      await page.getByRole('menuitem', { name }).click();
      await page.getByRole('heading', { name, level: 1 }).waitFor();
      const [width, room] = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.querySelector('main') ?? document.body;
        return [scrollWidth, clientWidth];
      });
      assert.equal(width, room, name);
    }
    await page.setViewportSize(sizes.desktop);
    await go('#/home');
  });
});
