// What people do to their own account in the browser: password, names, and the end.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { befriend, holdCalls, openChat, type Person, skip, world, write } from '../browsers.ts';

type Page = Person['page'];

const NEW = 'quite another secret';

const accountPage = (page: Page): Promise<void> =>
  page.evaluate(() => {
    location.hash = '#/settings/account';
  });

/** Returns everything that a browser keeps of the account: the names of its places, and whatever has a trace of it. */
const leftIn = (page: Page) =>
  page.evaluate(async () => ({
    databases: (await indexedDB.databases()).map(({ name }) => name),
    caches: (await caches.keys()).filter((name) => !name.startsWith('sealpost-shell-')),
    storage: Object.keys(localStorage).filter((key) => !['sealpost-theme', 'sealpost-language'].includes(key)),
    session: Object.keys(sessionStorage),
  }));
const NOTHING = { databases: [], caches: [], storage: [], session: [] };

/** Waits until a field, and only it, is marked as wrong, tells the reason and has the focus. */
async function refusedAt(page: Page, field: Locator, reason: string | RegExp): Promise<void> {
  const wrong = page.locator('[aria-invalid=true]');
  await page.locator('[aria-invalid=true]:focus').waitFor();
  assert.equal(await wrong.count(), 1);
  assert.equal(await wrong.getAttribute('id'), await field.getAttribute('id'));
  const note = page.locator(`[id="${await wrong.getAttribute('aria-describedby')}"]`);
  await note.filter({ hasText: reason }).waitFor();
}

describe('the own account', { skip }, () => {
  const place = world();
  let ann: Person;
  let second: Person;

  before(async () => {
    if (skip) return;
    ann = await place.loggedIn('Ann');
    second = await place.person('Ann', { user: ann.user, size: 'phone' });
    await second.logIn();
    const ben = await place.loggedIn('Ben');
    await befriend(ann, ben);
    await openChat(ann, ben.user.mid);
    await write(ann, 'a trace of Ann');
  });

  test('a name is changed with the password; other tabs and devices show it without a reload', async () => {
    const { page, user } = ann;
    const tab = await ann.tab();
    for (const shown of [page, tab, second.page]) await accountPage(shown);
    await page.getByRole('button', { name: 'Change the user id' }).click();
    const dialog = page.getByRole('dialog');
    const [userid, password] = [dialog.getByLabel('User id'), dialog.getByLabel('Your password')];
    await userid.fill((await place.server.user('Taken')).userid);
    await password.fill('not the password');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await refusedAt(page, password, 'The password is wrong.');
    await password.fill(user.password);
    assert.equal(await dialog.locator('[aria-invalid=true]').count(), 0);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await refusedAt(page, userid, 'Somebody else has this user id. Choose another one.');
    await userid.fill('ann.anew');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    for (const shown of [page, tab, second.page]) await shown.getByText('ann.anew', { exact: true }).waitFor();
    await tab.close();
  });

  test('a change whose dialog was closed before it was made closes no other dialog', async () => {
    const { page, user } = ann;
    // That is still told of the change before.
    await page.getByText('Saved', { exact: true }).waitFor({ state: 'detached' });
    const call = await holdCalls(ann, 'changeIdentifiers');
    await page.getByRole('button', { name: 'Change the user id' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('User id').fill('ann.anew');
    await dialog.getByLabel('Your password').fill(user.password);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await call.asked;
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Change the password' }).click();
    const other = page.getByRole('dialog', { name: 'Change the password' });
    await other.waitFor();
    await call.release();
    await page.getByText('Saved', { exact: true }).waitFor();
    assert.equal(await other.count(), 1);
    await page.keyboard.press('Escape');
    await other.waitFor({ state: 'detached' });
  });

  test('a new password logs the other devices out, and this one goes on', async () => {
    const { page, user } = ann;
    await page.getByRole('button', { name: 'Change the password' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('New password', { exact: true }).fill('short');
    await dialog.getByLabel('New password again').fill('other');
    await dialog.getByText('This is not the same password.').waitFor();
    await dialog.getByLabel('New password again').fill('short');
    await dialog.getByLabel('Old password').fill(user.password);
    await page.keyboard.press('Enter');
    await refusedAt(page, dialog.getByLabel('New password', { exact: true }), /at least 8 characters/);
    await dialog.getByLabel('New password', { exact: true }).fill(NEW);
    await dialog.getByLabel('New password again').fill(NEW);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await second.page.getByText(/This browser was logged out/).waitFor();
    await page.getByRole('button', { name: 'Change the password' }).waitFor();
    await second.page.getByLabel('User id, e-mail or phone').fill('ann.anew');
    await second.page.getByLabel('Password').fill(NEW);
    await second.page.getByRole('button', { name: 'Log in', exact: true }).click();
    await second.page.getByText('ann.anew', { exact: true }).waitFor();
  });

  test('a deleted account says so on every device, and leaves no byte there', async () => {
    const { page } = ann;
    const tab = await ann.tab();
    await tab.getByRole('heading', { name: 'Chats', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Delete the account' }).click();
    const dialog = page.getByRole('dialog');
    const forGood = dialog.getByRole('button', { name: 'Delete for good' });
    await dialog.getByLabel('Your password').fill(NEW);
    assert.equal(await forGood.isDisabled(), true);
    await dialog.getByLabel('Type your user id to confirm').fill('ann.anew');
    await forGood.click();
    for (const shown of [page, tab, second.page]) {
      await shown.getByText('Your account was deleted.').waitFor();
      assert.deepEqual(await leftIn(shown), NOTHING);
    }
    assert.equal(await page.getByRole('dialog').count(), 0);
    await page.reload();
    await page.getByLabel('Password').waitFor();
  });
});

describe('the next account on a page', { skip }, () => {
  const place = world();

  test('sees nothing of the account whose session ended there', async () => {
    const ann = await place.loggedIn('Ann');
    const ben = await place.loggedIn('Ben');
    const cem = await place.server.user('Cem');
    await befriend(ann, ben);
    await openChat(ann, ben.user.mid);
    await write(ann, 'a trace of Ann');
    const { page, user } = ann;
    const { ownAccount } = user.client;
    await ownAccount.changePassword({ password: user.password, newPassword: NEW, endOtherSessions: true });
    await page.getByText(/This browser was logged out/).waitFor();
    await page.evaluate(() => {
      const look = () => {
        if (/a trace of Ann|Ben/.test(document.body.innerText))
          document.documentElement.dataset.trace ??= document.body.innerText;
      };
      new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
      look();
    });
    await page.getByLabel('User id, e-mail or phone').fill(cem.userid);
    await page.getByLabel('Password').fill(cem.password);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByRole('link', { name: 'Settings' }).first().waitFor();
    await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
    assert.equal(await page.evaluate(() => document.documentElement.dataset.trace), undefined);
  });
});
