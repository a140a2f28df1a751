// What administrators do with each other, with tokens and with their own login, in a real browser over a real server.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { adminBrowser, authenticator, logInAdministrator } from '@sealpost/dev-env/administrators';
import { createAdminClient } from '@sealpost/sdk/admin';
import type { Page } from 'playwright-core';
import { skip } from '../browsers.ts';
import { administered, cookieAt } from './administered.ts';

const PASSWORD = 'the password of operator';

const rows = (page: Page, list: string) => page.getByRole('list', { name: list, exact: true }).getByRole('listitem');
const toastWith = (page: Page, text: string) => page.getByLabel('Messages of the page').getByText(text);
const press = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click();

describe('Administrators', { skip }, () => {
  const world = administered();

  test('a link makes another administrator, who is removed after a question', async () => {
    const { page, go, open, admin, server } = world;
    await go('#/home');
    await page.getByRole('link', { name: 'Administrators' }).click();
    await rows(page, 'Administrators').filter({ hasText: 'operator' }).filter({ hasText: 'you' }).waitFor();
    assert.equal(await page.getByRole('button', { name: /^Remove/ }).count(), 0, 'the last one stays');
    await page.getByRole('button', { name: 'Add an administrator' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name (optional)').fill('operator');
    await press(page, 'Make a link');
    await dialog.getByText('Another administrator has this name.').waitFor();
    await dialog.getByLabel('Name (optional)').fill('maya');
    await press(page, 'Make a link');
    await dialog.getByRole('img', { name: 'Code of the link' }).waitFor();
    const link = await dialog.getByText('#setup=').innerText();
    await press(page, 'Close');
    const guest = await open({}, `#setup=${link.split('#setup=')[1]}`);
    await guest.getByRole('heading', { name: 'Welcome' }).waitFor();
    await guest.context().close();
    await logInAdministrator(server, { name: 'maya' });
    await go('#/home');
    await go('#/administrators');
    await rows(page, 'Administrators').filter({ hasText: 'maya' }).filter({ hasText: 'app for codes' }).waitFor();
    await page.getByRole('button', { name: 'Remove maya' }).click();
    await press(page, 'Cancel');
    assert.equal((await admin.listAdministrators()).administrators.length, 2, 'nothing without a yes');
    await page.getByRole('button', { name: 'Remove maya' }).click();
    await press(page, 'Remove');
    await toastWith(page, 'maya is no longer an administrator.').waitFor();
    await rows(page, 'Administrators').filter({ hasText: 'maya' }).waitFor({ state: 'detached' });
    assert.equal((await admin.listAdministrators()).administrators.length, 1);
  });

  test('the session of another browser is ended, the own one has no such button', async () => {
    const { page, go, server } = world;
    const leo = await logInAdministrator(server, { name: 'leo' });
    await go('#/home');
    await go('#/administrators');
    await rows(page, 'Sessions').filter({ hasText: 'this browser' }).filter({ hasText: 'operator' }).waitFor();
    await page.getByRole('button', { name: 'End the session of leo' }).click();
    await press(page, 'End');
    await toastWith(page, 'The session ended.').waitFor();
    assert.equal((await leo.client.showLogin()).state, 'none');
    assert.equal(await page.getByRole('button', { name: 'End the session of operator' }).count(), 0);
  });

  test('a token is made with scopes, shown once, and revoked', async () => {
    const { page, go, server } = world;
    await go('#/administrators');
    await page.getByRole('link', { name: 'Tokens' }).click();
    await page.getByText('No program has a token.').waitFor();
    await page.getByRole('button', { name: 'Make a token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('What it is for').fill('nightly <report>');
    await dialog.getByRole('checkbox', { name: 'read' }).uncheck();
    await press(page, 'Make a token');
    assert.equal(await dialog.locator('input:invalid').count(), 1, 'a scope is needed');
    await dialog.getByRole('checkbox', { name: 'moderation' }).check();
    await press(page, 'Make a token');
    const secret = await dialog.getByText(/^sealpost_admin_/).innerText();
    const machine = createAdminClient({ url: server.url, token: secret });
    assert.ok((await machine.listReports()).reports);
    await assert.rejects(machine.listAccounts(), { status: 403 });
    // Over plain HTTP, browsers give a page no clipboard.
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true }));
    await press(page, 'Copy');
    await toastWith(page, 'The browser did not copy it.').waitFor();
    await press(page, 'Close');
    const row = rows(page, 'Tokens').filter({ hasText: 'nightly <report>' });
    await row.filter({ hasText: 'moderation' }).filter({ hasText: 'administrator:operator' }).waitFor();
    assert.equal((await page.content()).includes(secret), false);
    await page.getByRole('button', { name: 'Revoke nightly <report>' }).click();
    await press(page, 'Revoke');
    await page.getByText('No program has a token.').waitFor();
    await assert.rejects(machine.listReports(), { status: 401 });
  });
});

describe('The own login of an administrator', { skip }, () => {
  const world = administered();
  const factors = (page: Page) => rows(page, 'Your second factors');

  async function enter(page: Page, password: string, button: string): Promise<void> {
    await page.getByRole('dialog').getByLabel('Your password').fill(password);
    await press(page, button);
  }

  test('an app is added with the password and a code, and removed with the password', async () => {
    const { page, go } = world;
    await go('#/administrators/own');
    await factors(page).filter({ hasText: 'phone' }).waitFor();
    assert.equal(await page.getByRole('button', { name: /^Remove/ }).count(), 0, 'the last one stays');
    await page.getByText('Passkeys work at http://localhost').waitFor();
    await page.getByRole('button', { name: 'Add an app for codes' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('tablet');
    await enter(page, 'not the password', 'Continue');
    await dialog.locator('[aria-invalid=true]').waitFor();
    await enter(page, PASSWORD, 'Continue');
    await dialog.getByRole('img', { name: 'Code for the app' }).waitFor();
    const secret = await dialog.getByText('Or type this secret').locator('code').innerText();
    await dialog.getByLabel('Code of your app').fill('000000');
    await press(page, 'Add');
    await dialog.locator('[aria-invalid=true]').waitFor();
    await dialog.getByLabel('Code of your app').fill(authenticator(secret.replaceAll(' ', '')).code());
    await press(page, 'Add');
    await toastWith(page, 'The second factor was added.').waitFor();
    await page.getByRole('button', { name: 'Remove phone' }).click();
    await enter(page, 'not the password', 'Remove');
    await dialog.locator('[aria-invalid=true]').waitFor();
    await enter(page, PASSWORD, 'Remove');
    await toastWith(page, 'phone was removed.').waitFor();
    await factors(page).filter({ hasText: 'phone' }).waitFor({ state: 'detached' });
    await factors(page).filter({ hasText: 'tablet' }).waitFor();
  });

  test('recovery codes are made anew, and shown once; nothing closes the dialog before', async () => {
    const { page, go } = world;
    await go('#/administrators/own');
    await page.getByText('10 codes are left').waitFor();
    await page.getByRole('button', { name: 'Make new codes' }).click();
    let answer = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/admin/v1/recovery-codes', async (route) => {
      await asked;
      await route.continue();
    });
    await enter(page, PASSWORD, 'Make new codes');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel', disabled: true }).waitFor();
    assert.equal(await page.getByRole('dialog').getByRole('button', { name: 'Close' }).isDisabled(), true);
    await page.keyboard.press('Escape');
    answer();
    const codes = rows(page, 'Recovery codes');
    await codes.first().waitFor();
    assert.equal(await codes.count(), 10);
    await press(page, 'I have kept them');
    await codes.first().waitFor({ state: 'detached' });
  });

  test('a passkey is added at the address where passkeys work', async () => {
    const { page, open, server } = world;
    const origin = `http://localhost:${new URL(server.url).port}`;
    const sessionAt = async (where: Page, url: string): Promise<string> =>
      (await where.context().cookies(`${url}/api/admin`))[0]?.value ?? '';
    const own = await open();
    await own.context().addCookies([cookieAt(origin, await sessionAt(page, server.url))]);
    const devtools = await own.context().newCDPSession(own);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
        ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
      },
    });
    await own.goto(`${origin}/admin#/administrators/own`);
    await own.getByRole('button', { name: 'Add a passkey' }).click();
    await own.getByRole('dialog').getByLabel('Name').fill('this laptop');
    await enter(own, PASSWORD, 'Continue');
    await factors(own).filter({ hasText: 'this laptop' }).filter({ hasText: 'passkey' }).waitFor();
    // The server gave this browser another cookie, as after each change of the second factors.
    await page.context().addCookies([cookieAt(server.url, await sessionAt(own, origin))]);
    await own.context().close();
  });

  test('the password is changed, which ends the other sessions', async () => {
    const { page, go, server } = world;
    await go('#/home');
    await go('#/administrators/own');
    await page.getByRole('button', { name: 'Change the password' }).click();
    const dialog = page.getByRole('dialog');
    const change = async (password: string, next: string): Promise<void> => {
      await dialog.getByLabel('New password').fill(next);
      await enter(page, password, 'Set the password');
    };
    await change('not the password', 'a better passphrase');
    await dialog.getByText('The password is wrong.').waitFor();
    await change(PASSWORD, 'password123');
    await dialog.getByText('Choose another password').waitFor();
    await change(PASSWORD, 'a better passphrase');
    await toastWith(page, 'You have a new password.').waitFor();
    const { client } = adminBrowser(server);
    await assert.rejects(client.logIn({ name: 'operator', password: PASSWORD }), { status: 401 });
    assert.equal((await client.logIn({ name: 'operator', password: 'a better passphrase' })).state, 'second-factor');
  });
});

describe('An administrator who leaves', { skip }, () => {
  const world = administered();

  test('is logged out at once', async () => {
    const { page, go, server } = world;
    await logInAdministrator(server, { name: 'maya' });
    await go('#/administrators');
    await page.getByRole('button', { name: 'Remove operator' }).click();
    await page.getByText('You are logged out at once').waitFor();
    await press(page, 'Remove');
    await page.getByText('Your session has ended. Log in again.').waitFor();
  });
});
