// Keys of an account: made at the first login, backed up, restored, renewed, compared; and gone after a logout.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { befriend, messageWith, openChat, type Person, skip, world, write } from '../browsers.ts';

const go = (page: Person['page'], path: string): Promise<void> =>
  page.evaluate((where) => {
    location.hash = where;
  }, path);

describe('the keys of an account', { skip }, () => {
  const place = world();
  let ann: Person;
  let ben: Person;
  let annAgain: Person;
  let bensOther: Person;
  let passphrase = '';

  before(async () => {
    if (skip) return;
    ann = await place.loggedIn('Ann');
    ben = await place.loggedIn('Ben', { size: 'phone' });
    await befriend(ann, ben);
    await openChat(ann, ben.user.mid);
    await write(ann, 'sealed long ago');
    await messageWith(ann, 'sealed long ago').getByLabel('Sent', { exact: true }).waitFor();
  });

  test('the first login makes keys silently, and offers a backup once', async () => {
    const { page } = ben;
    await page.getByText('A backup brings them back if you lose it.').waitFor();
    await page.getByRole('button', { name: 'Later' }).click();
    await page.getByText('A backup brings them back if you lose it.').waitFor({ state: 'hidden' });
    await page.reload();
    await go(page, '#/settings/security');
    await page.getByText('There is no backup.').waitFor();
    assert.equal(await page.getByText('A backup brings them back if you lose it.').count(), 0);
    await page.getByRole('button', { name: 'Make a backup' }).waitFor();
  });

  test('a backup is made under a passphrase that the page made up', async () => {
    const { page } = ann;
    await page.getByRole('button', { name: 'Make a backup' }).click();
    const dialog = page.getByRole('dialog', { name: 'Keep your keys safe' });
    const words = dialog.getByLabel('Passphrase', { exact: true });
    await words.filter({ hasText: /\w+ \w+/ }).waitFor();
    passphrase = (await words.textContent()) ?? '';
    assert.equal(await dialog.getByRole('button', { name: 'Make the backup' }).isDisabled(), true);
    await dialog.getByLabel('I have written the passphrase down').check();
    await dialog.getByRole('button', { name: 'Make the backup' }).click();
    await page.getByText('It was stored, read back, and opened.').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await go(page, '#/settings/security');
    await page.getByText('The backup was made on').waitFor();
  });

  test('a passphrase of one’s own is taken only if it is hard to guess', async () => {
    const { page } = ann;
    await page.getByRole('button', { name: 'Make it anew' }).click();
    const dialog = page.getByRole('dialog', { name: 'Keep your keys safe' });
    await dialog.getByRole('button', { name: 'Use a passphrase of my own' }).click();
    const field = dialog.getByLabel('Your passphrase');
    await field.fill('password1');
    await dialog.getByText(/easy to guess/).waitFor();
    assert.equal(await dialog.getByRole('button', { name: 'Make the backup' }).isDisabled(), true);
    await field.fill('gravel onion tractor velvet mimic');
    await dialog.getByText('Good', { exact: true }).waitFor();
    assert.equal(await dialog.getByRole('button', { name: 'Make the backup' }).isEnabled(), true);
    await dialog.getByRole('button', { name: 'Later' }).click();
  });

  test('a browser without the keys says so, and explains a message that stays sealed', async () => {
    annAgain = await place.loggedIn('Ann', { user: ann.user });
    const { page } = annAgain;
    await page.getByText('This browser does not have your keys.').waitFor();
    await openChat(annAgain, ben.user.mid);
    await page.getByText('This message stays sealed').waitFor();
    await page.getByText('It was sealed for a key of yours that this browser does not have.').waitFor();
    await write(annAgain, 'cannot be sealed here');
    await write(annAgain, 'nor can this');
    await messageWith(annAgain, 'nor can this')
      .getByText('This browser does not have your keys, so it cannot seal.')
      .waitFor();
  });

  test('a wrong passphrase restores nothing; the right one opens the old messages', async () => {
    const { page } = annAgain;
    await page.getByRole('main').getByRole('log').getByRole('button', { name: 'Get your keys' }).first().click();
    await page.getByRole('button', { name: /Restore the backup/ }).click();
    const field = page.getByLabel('Passphrase of the backup');
    // The other browser is told, also where it cannot find out by which device.
    const SESSIONS = /\/getSessions$/;
    await ann.context.route(SESSIONS, (route) => route.abort());
    await field.fill('gravel onion tractor velvet mimic');
    await page.getByRole('button', { name: 'Open the backup' }).click();
    await page.getByText('This passphrase does not open the backup.').waitFor();
    await ann.page.getByText('The backup of your keys was opened by another device.').waitFor();
    await ann.context.unroute(SESSIONS);
    await field.fill(passphrase);
    await page.getByRole('button', { name: 'Open the backup' }).click();
    await page.getByText('Your keys are here now.').waitFor();
    await ann.page.getByText(/^The backup of your keys was opened by (?!another device)/).waitFor();
    assert.equal(await page.getByText(/^The backup of your keys was opened/).count(), 0);
    await messageWith(annAgain, 'sealed long ago').waitFor();
    assert.equal(await page.getByText('This browser does not have your keys. Sealed').count(), 0);
    await page.getByRole('button', { name: 'Try all again' }).click();
    await messageWith(annAgain, 'nor can this').getByLabel('Sealed', { exact: true }).waitFor();
    await messageWith(annAgain, 'cannot be sealed here').getByLabel('Sealed', { exact: true }).waitFor();
    await openChat(ben, ann.user.mid);
    await messageWith(ben, 'nor can this').waitFor();
    const texts = await ben.page.getByRole('log').getByRole('article').locator('p').allInnerTexts();
    assert.deepEqual(texts, ['sealed long ago', 'cannot be sealed here', 'nor can this']);
  });

  test('two people compare the safety number: scanned by one, read by the other', async () => {
    await go(ben.page, `#/contacts/${ann.user.mid}`);
    await ben.page.getByRole('button', { name: /^Safety number/ }).click();
    const shown = ben.page.getByLabel('Safety number', { exact: true });
    const digits = (await shown.textContent()) ?? '';
    assert.match(digits, /^(\d{5} ){12}$/);
    await openChat(ann, ben.user.mid);
    await ann.page.getByRole('button', { name: 'Sealed: what this means', exact: true }).click();
    await ann.page.getByRole('button', { name: 'Safety number' }).click();
    const dialog = ann.page.getByRole('dialog');
    await dialog.getByLabel('Or type or paste their number').fill('12345 '.repeat(12));
    await dialog.getByRole('button', { name: 'Compare', exact: true }).click();
    await ann.page.getByText('The numbers are different.').waitFor();
    await dialog.getByLabel('Or type or paste their number').fill(digits);
    await dialog.getByRole('button', { name: 'Compare', exact: true }).click();
    await dialog.getByText('You compared this number on').waitFor();
    await ann.page.keyboard.press('Escape');
    await ann.page.getByLabel('Safety number compared').waitFor();
    await ben.page.getByRole('button', { name: 'I compared it: it is the same' }).click();
    await ben.page.getByText('You compared this number on').waitFor();
    await ben.page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  });

  test('new keys of a person are told in the chat, and nothing is sent to a compared person until that is settled', async () => {
    bensOther = await place.loggedIn('Ben', { user: ben.user });
    await bensOther.page.getByRole('button', { name: 'Get your keys' }).click();
    await bensOther.page.getByRole('button', { name: /Make new keys/ }).click();
    await bensOther.page.getByRole('button', { name: 'Make new keys' }).click();
    await bensOther.page.getByText('You have new keys.').waitFor();
    await ann.page.getByText(/Ben’s key changed/).waitFor();
    await ann.page.getByText('has a new key: a new device, or somebody else.').waitFor();
    await ann.page.getByLabel('The safety number has changed since you compared it').waitFor();
    await write(ann, 'for the real Ben');
    await ann.page
      .getByRole('log')
      .getByText(/safety number you compared is another one now/)
      .waitFor();
    await ann.page.getByRole('region', { name: 'Warning' }).getByRole('button', { name: 'I have seen it' }).waitFor();
    await ann.page.getByRole('log').getByRole('button', { name: 'Compare the safety number' }).last().click();
    const dialog = ann.page.getByRole('dialog');
    await dialog.getByText('The number has changed since you compared it.').waitFor();
    await dialog.getByRole('button', { name: 'I compared it: it is the same' }).click();
    await dialog.getByText('You compared this number on').waitFor();
    await ann.page.keyboard.press('Escape');
    await ann.page.getByRole('button', { name: 'Try again' }).click();
    await messageWith(ann, 'for the real Ben').getByLabel('Sealed', { exact: true }).waitFor();
  });

  test('a browser that lacks the new keys gets them from the one that made them, by a code', async () => {
    const { page } = ben;
    await page.getByRole('region', { name: 'Warning' }).getByRole('button', { name: 'I have seen it' }).click();
    await page.getByRole('region', { name: 'Your keys' }).getByRole('button', { name: 'Get your keys' }).click();
    await page.getByRole('button', { name: /Get them from another device/ }).click();
    await page.getByText('The other device has no camera').click();
    const address = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
    await go(bensOther.page, '#/settings/devices');
    await bensOther.page.getByRole('button', { name: 'Add a device' }).click();
    const dialog = bensOther.page.getByRole('dialog');
    await dialog.getByLabel('Or paste the address from the new device').fill(address);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('button', { name: 'Yes, this is me' }).click();
    const pin = (await page.getByLabel('PIN', { exact: true }).textContent()) ?? '';
    await dialog.getByLabel('PIN on the new device').fill(pin);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('button', { name: 'They are the same: let it in' }).click();
    await page.getByText('Your keys are here now.').waitFor();
    await openChat(ben, ann.user.mid);
    await messageWith(ben, 'for the real Ben').waitFor();
    await messageWith(ben, 'sealed long ago').waitFor();
  });

  test('an alarm stays until it was seen, also after a reload, and is listed in the settings', async () => {
    const { page } = ann;
    await page.reload();
    await page.getByRole('region', { name: 'Warning' }).getByRole('button', { name: 'I have seen it' }).click();
    await page.getByRole('button', { name: 'I have seen it' }).waitFor({ state: 'hidden' });
    await go(page, '#/settings/security');
    const list = page.getByRole('region', { name: 'Warnings about keys' });
    await list
      .getByText(/safety number you compared is another one now/)
      .first()
      .waitFor();
  });

  test('a logout removes every byte', async () => {
    const { page } = annAgain;
    await go(page, '#/settings/security');
    await page.getByRole('region', { name: 'Log out' }).getByRole('button').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Log out', exact: true }).click();
    await page.getByLabel('Password').waitFor();
    const left = await page.evaluate(async () => ({
      databases: (await indexedDB.databases()).map(({ name }) => name),
      caches: (await caches.keys()).filter((name) => !name.startsWith('sealpost-shell-')),
      storage: Object.keys(localStorage).filter((key) => !['sealpost-theme', 'sealpost-language'].includes(key)),
      session: Object.keys(sessionStorage),
    }));
    assert.deepEqual(left, { databases: [], caches: [], storage: [], session: [] });
    await annAgain.logIn();
  });
});
