// Logins that another device confirms, and the list of devices.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { befriend, messageWith, openChat, type Person, skip, world, write } from '../browsers.ts';

type Page = Person['page'];

const go = (page: Page, path: string): Promise<void> =>
  page.evaluate((where) => {
    location.hash = where;
  }, path);

/** Types user id and password, and waits for the PIN. */
async function askForLogin({ page, user }: Person): Promise<string> {
  await page.getByLabel('User id, e-mail or phone').fill(user.userid);
  await page.getByLabel('Password').fill(user.password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  return (await page.getByLabel('PIN', { exact: true }).textContent()) ?? '';
}

const wordsOn = async (page: Page): Promise<string> => (await page.getByLabel('Words to compare').textContent()) ?? '';

/** Opens the dialog of a new login, and types its PIN. */
async function typePin(page: Page, pin: string): Promise<void> {
  await page.getByRole('button', { name: 'Yes, this is me' }).click();
  await page.getByLabel('PIN on the new device').fill(pin);
  await page.getByRole('button', { name: 'Continue' }).click();
}

const isIn = (page: Page): Promise<void> => page.getByRole('heading', { name: 'Chats', exact: true }).waitFor();

describe('devices of an account', { skip }, () => {
  const place = world({ flags: { 'login-confirmation': 'new-device' } });
  let ann: Person;
  let ben: Person;

  const second = (of: Person, size?: 'phone'): Promise<Person> =>
    place.person('Ann', { user: of.user, ...(size && { size }) });

  before(async () => {
    if (skip) return;
    ann = await place.person('Ann');
    ben = await place.person('Ben');
    await befriend(ann, ben);
    // The first login of an account needs no confirmation, if nobody else is logged in to it.
    await ann.user.client.logout();
    await ben.user.client.logout();
    await ann.logIn();
    await ben.logIn();
    await openChat(ann, ben.user.mid);
    await write(ann, 'sealed before');
    await openChat(ben, ann.user.mid);
    await messageWith(ann, 'sealed before').getByLabel('Read', { exact: true }).waitFor();
  });

  test('a wrong password is told in plain words, and nothing that was typed is lost', async () => {
    const { page, user } = await second(ann);
    await page.getByLabel('User id, e-mail or phone').fill(user.userid);
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByRole('alert').getByText('User id or password is wrong.').waitFor();
    assert.equal(await page.getByLabel('User id, e-mail or phone').inputValue(), user.userid);
    await ann.page.getByText(/Somebody typed a wrong password of yours/).waitFor();
  });

  test('a login that is confirmed with PIN and words brings the keys, and old messages open', async () => {
    const other = await second(ann, 'phone');
    const pin = await askForLogin(other);
    await other.page.getByText(/^2:\d\d left$|^3:00 left$/).waitFor();
    await typePin(ann.page, pin);
    assert.equal(await wordsOn(ann.page), await wordsOn(other.page));
    const facts = ann.page.getByRole('dialog').getByLabel('The device that wants to log in');
    await facts.getByText(/Sealpost web/).waitFor();
    await facts.getByText('Asked on').waitFor();
    await ann.page.getByRole('button', { name: 'They are the same: let it in' }).click();
    await isIn(other.page);
    const told = ann.page.getByText('A device was let into your account: Sealpost web');
    await told.first().waitFor();
    assert.equal(await told.count(), 1, 'it is told once');
    await other.page.getByRole('link', { name: /Ben/ }).click();
    // Who read it before this login is known too.
    await messageWith(other, 'sealed before').getByLabel('Read', { exact: true }).waitFor();
    assert.equal(await other.page.getByText('A backup brings them back').count(), 0);
  });

  test('other words on the two screens are refused', async () => {
    const other = await second(ann);
    await askForLogin(other);
    await ann.page.getByRole('button', { name: 'Yes, this is me' }).click();
    const words = ann.page.getByLabel('Words to compare');
    // One wrong PIN in four is recognized as wrong; the others lead to other words.
    for (let pin = 100_000; (await words.count()) === 0; pin++) {
      await ann.page.getByLabel('PIN on the new device').fill(String(pin));
      await ann.page.getByRole('button', { name: 'Continue' }).click();
      const isWrong = ann.page.getByRole('alert').getByText('The PIN is wrong.');
      await words.or(isWrong).first().waitFor();
    }
    assert.notEqual(await wordsOn(ann.page), await wordsOn(other.page));
    await ann.page.getByRole('button', { name: 'They are different: refuse' }).click();
    await other.page.getByText('The other device refused, or nobody confirmed in time.').waitFor();
    await other.page.getByLabel('Password').waitFor();
  });

  test('a login that one did not ask for is refused, or cancelled where it was asked', async () => {
    const other = await second(ann);
    await askForLogin(other);
    await other.page.getByRole('button', { name: 'Cancel' }).click();
    await other.page.getByLabel('Password').waitFor();
    await askForLogin(other);
    const dialog = ann.page.getByRole('dialog', { name: 'A device wants to log in to your account' });
    await dialog.getByText('Sealpost web').waitFor();
    // The server does not know that the first one was cancelled, so that one is asked for first.
    await dialog.getByRole('button', { name: 'Refuse' }).click();
    await dialog.getByRole('button', { name: 'Refuse' }).click();
    await other.page.getByText('The other device refused, or nobody confirmed in time.').waitFor();
  });

  test('a login that was put aside is listed with the devices, and decided there', async () => {
    const other = await second(ann);
    await askForLogin(other);
    const dialog = ann.page.getByRole('dialog', { name: 'A device wants to log in to your account' });
    await dialog.getByRole('button', { name: 'Decide later' }).click();
    await dialog.waitFor({ state: 'detached' });
    await go(ann.page, '#/settings/devices');
    const waiting = ann.page.getByRole('list', { name: 'Waiting to be let in' });
    await waiting.getByRole('button', { name: 'Decide' }).click();
    await dialog.getByRole('button', { name: 'Refuse' }).click();
    await other.page.getByText('The other device refused, or nobody confirmed in time.').waitFor();
    await waiting.getByRole('listitem').waitFor({ state: 'detached' });
  });

  test('a login by code brings the keys, with the address pasted', async () => {
    const other = await second(ann, 'phone');
    await other.page.getByRole('button', { name: 'Log in with another device' }).click();
    await other.page.getByRole('img', { name: 'Code for the login' }).waitFor();
    await other.page.getByText('The other device has no camera').click();
    const address = (await other.page.locator('code').textContent()) ?? '';
    await go(ann.page, '#/settings/devices');
    await ann.page.getByRole('button', { name: 'Add a device' }).click();
    const paste = ann.page.getByLabel('Or paste the address from the new device');
    await paste.fill('https://example.org/');
    await ann.page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
    await ann.page.getByText('This is not the code of a login.').waitFor();
    await paste.fill(address);
    await ann.page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
    await ann.page.getByText(/It also gets the key of your account/).waitFor();
    await ann.page.getByRole('button', { name: 'Yes, this is me' }).click();
    const pin = (await other.page.getByLabel('PIN', { exact: true }).textContent()) ?? '';
    await ann.page.getByLabel('PIN on the new device').fill(pin);
    await ann.page.getByRole('button', { name: 'Continue' }).click();
    assert.equal(await wordsOn(ann.page), await wordsOn(other.page));
    await ann.page.getByRole('button', { name: 'They are the same: let it in' }).click();
    await isIn(other.page);
    await other.page.getByRole('link', { name: /Ben/ }).click();
    await messageWith(other, 'sealed before').waitFor();
  });

  test('a device is renamed and logged out; it says why, and keeps what was not sent', async () => {
    const other = await second(ann);
    const pin = await askForLogin(other);
    await typePin(ann.page, pin);
    await ann.page.getByRole('button', { name: 'They are the same: let it in' }).click();
    await isIn(other.page);
    await openChat(other, ben.user.mid);
    await messageWith(other, 'sealed before').waitFor();
    await other.page.getByRole('textbox', { name: 'Write a message' }).fill('half of a thou');
    await go(ann.page, '#/settings/appearance');
    await go(ann.page, '#/settings/devices');
    const row = ann.page
      .getByRole('listitem')
      .filter({ hasNotText: 'This device' })
      .filter({ hasText: 'Sealpost web' });
    // Devices of one name are told apart by what was used and logged in when.
    const here = ann.page.getByRole('listitem').filter({ hasText: 'This device' });
    await here.getByText('Last used').waitFor();
    assert.equal(await here.getByRole('button', { name: /^Log out/ }).count(), 0);
    for (const text of ['Last used', 'Logged in', 'Address'])
      await row.first().getByText(text, { exact: true }).waitFor();
    await row.first().getByText('Log out', { exact: true }).waitFor();
    assert.equal(await row.first().locator('time').count(), 2);
    await row
      .first()
      .getByRole('button', { name: /^Rename/ })
      .click();
    await ann.page.getByLabel('Name of the device').fill('The laptop');
    await ann.page.getByRole('button', { name: 'Save' }).click();
    await ann.page.getByText('The laptop').waitFor();
    const renamed = ann.page.getByRole('listitem').filter({ hasText: 'The laptop' });
    await renamed.getByText('Application').waitFor();
    await renamed.getByText(/^Sealpost web/).waitFor();
    await ann.page.getByRole('button', { name: 'Log out all other devices' }).click();
    await ann.page.getByRole('dialog').getByRole('button', { name: 'Log them out' }).click();
    await other.page.getByText('This browser was logged out').waitFor();
    await ann.page.getByText('The laptop').waitFor({ state: 'hidden' });
    const again = await askForLogin(other);
    await typePin(ann.page, again);
    await ann.page.getByRole('button', { name: /let it in/ }).click();
    await isIn(other.page);
    await openChat(other, ben.user.mid);
    assert.equal(await other.page.getByRole('textbox', { name: 'Write a message' }).inputValue(), 'half of a thou');
  });
});
