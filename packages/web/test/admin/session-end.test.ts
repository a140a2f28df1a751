// What an administrator was typing when the session ended, in a real browser over a real server.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { logInAdministrator, type TestAdministrator } from '@sealpost/dev-env/administrators';
import type { Page } from 'playwright-core';
import { skip } from '../browsers.ts';
import { administered, cookieAt } from './administered.ts';

const ENDED = 'Your session has ended. Log in again.';

describe('a session that ends while somebody types', { skip }, () => {
  const world = administered();

  /** Opens the pages in a browser of an administrator. */
  async function openAs(someone: TestAdministrator, hash: string): Promise<Page> {
    const page = await world.open();
    const [name = '', value = ''] = someone.cookie.split('=');
    await page.context().addCookies([cookieAt(world.server.url, value, name)]);
    await page.reload();
    await page.getByRole('button', { name: 'Log out' }).waitFor();
    await world.go(hash, page);
    return page;
  }

  async function endSessionsOf({ name }: TestAdministrator): Promise<void> {
    for (const { id, administrator } of (await world.admin.listAdminSessions()).sessions)
      if (administrator === name) await world.admin.endAdminSession({ session: id });
  }

  async function logIn(page: Page, someone: TestAdministrator): Promise<void> {
    await page.getByLabel('Name').fill(someone.name);
    await page.getByLabel('Password').fill(someone.password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByLabel('Code of your app').fill(someone.code());
    await page.getByRole('button', { name: 'Continue' }).click();
  }

  async function writeNotice(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Write a notice' }).click();
    const form = page.getByRole('dialog', { name: 'New notice' });
    await form.getByLabel('Title').fill('A pause of the server');
    await form.getByLabel('Text').fill('A secret plan');
    await form.getByLabel('For users of').selectOption({ label: 'ไทย' });
    await form.getByRole('button', { name: 'Publish' }).click();
    await page.getByText(ENDED).waitFor();
  }

  test('the same administrator finds the page and the typed text again', async () => {
    const maya = await logInAdministrator(world.server);
    const page = await openAs(maya, '#/notices');
    await page.getByRole('heading', { name: 'Notices', level: 1 }).waitFor();
    await endSessionsOf(maya);
    await writeNotice(page);
    assert.equal(await page.getByRole('dialog').count(), 0);
    assert.equal(await page.getByLabel('Messages of the page').getByText(/./).count(), 0, 'the login says it all');
    const content = await page.content();
    for (const text of ['A pause of the server', 'A secret plan', 'Write a notice'])
      assert.equal(content.includes(text), false, text);
    await logIn(page, maya);
    const form = page.getByRole('dialog', { name: 'New notice' });
    await form.waitFor();
    assert.equal(await form.getByLabel('Title').inputValue(), 'A pause of the server');
    assert.equal(await form.getByLabel('Text').inputValue(), 'A secret plan');
    assert.equal(await form.getByLabel('For users of').inputValue(), 'th');
    await form.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('main').getByText('A secret plan').waitFor();
    // What was sent is not typed again later.
    await page.getByRole('button', { name: 'Write a notice' }).click();
    assert.equal(await form.getByLabel('Title').inputValue(), '');
    await page.context().close();
  });

  test('another administrator begins at the first page, and finds nothing typed', async () => {
    const [nina, other] = [await logInAdministrator(world.server), await logInAdministrator(world.server)];
    const page = await openAs(nina, '#/notices');
    await page.getByRole('heading', { name: 'Notices', level: 1 }).waitFor();
    await endSessionsOf(nina);
    await writeNotice(page);
    await logIn(page, other);
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await world.go('#/notices', page);
    await page.getByRole('button', { name: 'Write a notice' }).click();
    assert.equal(await page.getByRole('dialog').getByLabel('Title').inputValue(), '');
    await page.context().close();
  });

  test('a search leaves the address, and messages with names go', async () => {
    const leo = await logInAdministrator(world.server);
    const account = await world.server.user('Alice');
    await world.admin.disableAccount({ account: account.mid });
    const page = await openAs(leo, `#/people/${account.mid}`);
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await world.go('#/people', page);
    const found = page.waitForResponse((response) => response.url().includes(`text=${account.userid}`));
    await page.getByRole('searchbox').fill(account.userid);
    await found;
    await endSessionsOf(leo);
    await page.getByRole('searchbox').fill(account.userid.slice(0, -1));
    await page.getByText(ENDED).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0);
    assert.ok(page.url().endsWith('#/people'), page.url());
    await logIn(page, leo);
    assert.equal(await page.getByRole('searchbox').inputValue(), account.userid.slice(0, -1));
    await page.context().close();
  });

  test('whoever logs out leaves nothing behind', async () => {
    const rosa = await logInAdministrator(world.server);
    const page = await openAs(rosa, '#/settings');
    await page.getByRole('searchbox').fill('retention');
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('heading', { name: 'Administration' }).waitFor();
    await logIn(page, rosa);
    assert.equal(await page.getByRole('searchbox').inputValue(), '');
    await page.context().close();
  });
});
