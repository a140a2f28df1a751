// What people do to their own account in the browser: password, names, and the end.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { befriend, openChat, type Person, skip, world, write } from '../browsers.ts';

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
    await dialog.getByLabel('User id').fill((await place.server.user('Taken')).userid);
    await dialog.getByLabel('Your password').fill('not the password');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').getByText('The password is wrong.').waitFor();
    await dialog.getByLabel('Your password').fill(user.password);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').getByText('Another account has this already.').waitFor();
    await dialog.getByLabel('User id').fill('ann.anew');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    for (const shown of [page, tab, second.page]) await shown.getByText('ann.anew', { exact: true }).waitFor();
    await tab.close();
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
    await dialog
      .getByRole('alert')
      .getByText(/at least 8 characters/)
      .waitFor();
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
