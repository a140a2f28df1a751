// The login of administrators, in a real browser over a real server.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { authenticator, setupSecret } from '@sealpost/dev-env/administrators';
import type { Page } from 'playwright-core';
import { skip } from '../browsers.ts';
import { administered } from './administered.ts';

const PASSWORD = 'correct horse battery';

describe('the login of administrators', { skip }, () => {
  const world = administered();
  let app = authenticator('');
  let recoveryCode = '';

  const atHome = (page: Page) => page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  const next = (page: Page) => page.getByRole('button', { name: 'Continue' }).click();

  async function enterPassword(page: Page, password = PASSWORD): Promise<void> {
    await page.getByLabel('Name').fill('maya');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Log in' }).click();
  }

  test('a setup link makes an administrator with a second factor, and leaves the address at once', async () => {
    const secret = await setupSecret(world.server);
    const page = await world.open({}, `#setup=${secret}`);
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    assert.equal(page.url().includes(secret), false);
    await page.getByLabel('Name').fill('maya');
    await page.getByLabel('Password').fill(PASSWORD);
    await next(page);
    await page.getByRole('button', { name: 'Use an app for codes' }).click();
    await page.getByRole('img', { name: 'Code for the app' }).waitFor();
    app = authenticator((await page.getByText('Or type this secret').locator('code').innerText()).replaceAll(' ', ''));
    await page.getByLabel('Code of your app').fill('000000');
    await next(page);
    await page.getByText('The code is wrong. Is the clock of your device right?').waitFor();
    await page.getByLabel('Code of your app').fill(app.code());
    await next(page);
    const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
    await codes.first().waitFor();
    assert.equal(await codes.count(), 10);
    recoveryCode = await codes.first().innerText();
    await page.getByRole('button', { name: 'I have kept them' }).click();
    await atHome(page);
    await page.reload();
    await atHome(page);
    await page.route('**/api/admin/v1/logout', (route) => route.abort());
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByLabel('Messages of the page').getByText('The server did not answer').waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('heading', { name: 'Administration' }).waitFor();
    await page.context().close();

    const again = await world.open({}, `#setup=${secret}`);
    await again.getByLabel('Name').fill('somebody');
    await again.getByLabel('Password').fill(PASSWORD);
    await next(again);
    await again.getByText('This link was used, has expired, or is not complete.').waitFor();
    assert.equal(await again.locator('[aria-invalid=true]').count(), 0, 'no field is wrong');
    await again.context().close();
  });

  test('a refused setup is told at the field that is wrong, in the language of the page', async () => {
    const page = await world.open({ locale: 'ja' }, `#setup=${await setupSecret(world.server, 'nina')}`);
    const [name, password] = [page.getByLabel('名前'), page.getByLabel('パスワード')];
    const refusedAt = async (label: string, reason: RegExp): Promise<void> => {
      const wrong = page.getByLabel(label).and(page.locator('[aria-invalid=true]:focus'));
      await wrong.waitFor();
      const note = await wrong.getAttribute('aria-describedby');
      await page.locator(`[id="${note}"]`).filter({ hasText: reason }).waitFor();
      assert.equal(await page.locator('[aria-invalid=true]').count(), 1);
    };
    const send = () => page.getByRole('button', { name: '続ける' }).click();
    await name.fill('nina');
    await password.fill('password');
    await send();
    await refusedAt('パスワード', /別のパスワード/);
    await password.fill(PASSWORD);
    await name.fill('nora');
    await send();
    await refusedAt('名前', /別の名前のため/);
    await page.context().close();

    const other = await world.open({ locale: 'ja' }, `#setup=${await setupSecret(world.server)}`);
    await other.getByLabel('名前').fill('operator');
    await other.getByLabel('パスワード').fill(PASSWORD);
    await other.getByRole('button', { name: '続ける' }).click();
    await other.getByText('この名前は別の管理者が使っています。').waitFor();
    await other.context().close();
  });

  test('password and code lead in; wrong ones are told', async () => {
    const page = await world.open();
    await enterPassword(page, 'not the password');
    await page.getByText('The name or the password is wrong.').waitFor();
    await enterPassword(page);
    await page.getByRole('heading', { name: 'Second factor' }).waitFor();
    await page.getByLabel('Code of your app').fill('000000');
    await next(page);
    await page.getByText('The code is wrong, or was used before.').waitFor();
    await page.getByLabel('Code of your app').fill(app.code());
    await next(page);
    await atHome(page);
    await page.context().close();
  });

  test('a recovery code leads in, and a half login can be left', async () => {
    const page = await world.open();
    await enterPassword(page);
    await page.getByRole('button', { name: 'Log in as somebody else' }).click();
    await enterPassword(page);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery code').fill(recoveryCode);
    await next(page);
    await atHome(page);
    await page.context().close();
  });

  test('a session that was ended elsewhere leads to the login', async () => {
    const { page, admin, go } = world;
    for (const { id, administrator } of (await admin.listAdminSessions()).sessions)
      if (administrator === 'operator') await admin.endAdminSession({ session: id });
    await go('#/people');
    await page.getByText('Your session has ended. Log in again.').waitFor();
  });
});
