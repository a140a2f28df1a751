// A person changes what others see of them, and what others may do.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { befriend, messageWith, openChat, type Person, skip, world, write } from '../browsers.ts';
import { bluePicture } from '../pictures.ts';

async function openSettings({ page }: Person, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('region', { name: 'Settings' }).getByRole('link', { name }).click();
  await page.getByRole('heading', { name, level: 2, exact: true }).waitFor();
}

describe('settings', { skip }, () => {
  const place = world({ notifications: true });
  let ann: Person;
  let ben: Person;

  test('a new name, status message and picture are seen by others', async () => {
    ann = await place.loggedIn('Ann');
    ben = await place.loggedIn('Ben');
    await befriend(ann, ben);
    await openSettings(ann, 'Profile');
    await ann.page.getByLabel('Name', { exact: true }).fill('Ann of the Hills');
    await ann.page.getByLabel('Status message').fill('gone climbing');
    await ann.page.getByRole('button', { name: 'Save' }).click();
    const closed = await ann.page.evaluateHandle(() => {
      const pictures = new Set<ImageBitmap>();
      const { close } = ImageBitmap.prototype;
      ImageBitmap.prototype.close = function note() {
        pictures.add(this);
        close.call(this);
      };
      return pictures;
    });
    await ann.page.getByLabel('Picture', { exact: true }).setInputFiles(bluePicture);
    await ann.page.getByRole('button', { name: 'Use this picture' }).click();
    await ann.page.getByRole('button', { name: 'Remove the picture' }).waitFor();
    assert.equal(await closed.evaluate(({ size }) => size), 1, 'the memory of the chosen picture is free');
    await ben.page.evaluate((mid) => {
      location.hash = `#/contacts/${mid}`;
    }, ann.user.mid);
    const main = ben.page.getByRole('region', { name: 'Ann of the Hills', exact: true });
    await main.getByRole('heading', { name: 'Ann of the Hills' }).waitFor();
    await main.getByText('gone climbing').waitFor();
    await main.getByRole('button', { name: 'Show the picture of Ann of the Hills' }).click();
    await ben.page.getByRole('dialog').getByRole('img', { name: 'Ann of the Hills' }).waitFor();
    await ben.page.keyboard.press('Escape');
  });

  test('a name that is too long is not sent', async () => {
    await ann.page.getByLabel('Name', { exact: true }).fill('a name with more than twenty characters');
    await ann.page.getByText('The name has 39 characters').waitFor();
    assert.equal(await ann.page.getByRole('button', { name: 'Save' }).isDisabled(), true);
  });

  test('a privacy setting holds after a reload, and others feel it', async () => {
    await openSettings(ann, 'Privacy');
    const found = ann.page.getByRole('switch', { name: 'Found by user id' });
    await found.uncheck();
    await found.and(ann.page.locator('[aria-busy=false]')).waitFor();
    await ann.page.reload();
    await found.and(ann.page.locator(':not(:checked)')).waitFor();
    await ben.page.evaluate((userid) => {
      location.hash = `#/add/${userid}`;
    }, ann.user.userid);
    await ben.page.getByText('was not found').waitFor();
  });

  test('turning sealing off asks first', async () => {
    await ann.page.getByRole('switch', { name: 'Seal messages' }).click();
    await ann.page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await ann.page.getByRole('switch', { name: 'Seal messages' }).isChecked(), true);
  });

  test('a pause of notifications is seen in the other window, and ends there', async () => {
    await openSettings(ann, 'Notifications');
    await ann.page.getByRole('button', { name: 'For an hour' }).click();
    await ann.page.getByText('No notifications until').waitFor();
    const page = await ann.tab();
    await openSettings({ ...ann, page }, 'Notifications');
    await page.getByRole('button', { name: 'End the pause' }).click();
    await ann.page.getByRole('button', { name: 'For an hour' }).waitFor();
    await page.close();
  });

  test('notifications that the browser has not made ready say so, and why', async () => {
    // The browsers of this world refuse service workers.
    await openSettings(ann, 'Notifications');
    const section = ann.page.getByRole('region', { name: 'Notifications on this device' });
    await section.getByText('Asking this browser whether notifications are on…').waitFor();
    await section.getByText('Notifications do not work in this browser now.').waitFor();
    await section.getByText('Private windows and blocked site data prevent that').waitFor();
    await section.getByRole('button', { name: 'Try again' }).click();
    await section.getByText('Asking this browser whether notifications are on…').waitFor();
  });

  test('the Enter key makes a new line if one wants it', async () => {
    await openSettings(ann, 'Chats');
    await ann.page.getByLabel('Makes a new line').check();
    await openChat(ann, ben.user.mid);
    await write(ann, 'first line');
    await ann.page.keyboard.type('second line');
    await ann.page.keyboard.press('Control+Enter');
    await messageWith(ann, 'second line').waitFor();
    assert.match(await messageWith(ann, 'second line').innerText(), /first line\nsecond line/);
  });

  test('news of the operator are shown, the newest first', async () => {
    for (const title of ['Old news', 'New news']) await publish(title);
    await openSettings(ann, 'News');
    await ann.page.getByText('body of New news').waitFor();
    assert.deepEqual(await ann.page.getByRole('article').getByRole('heading').allInnerTexts(), [
      'New news',
      'Old news',
    ]);
    await openSettings(ann, 'About');
    await ann.page.getByText('Apache-2.0').waitFor();
  });

  test('news for the login stand above all screens, until they were read or closed', async () => {
    const { page } = ann;
    const strip = page.getByRole('region', { name: 'Announcement' });
    await publish('A pause tonight', { showTimingWhenLogin: true });
    await publish('A new sticker pack');
    await page.reload();
    await strip.getByText('A pause tonight').waitFor();
    await strip.getByRole('button', { name: 'Read it' }).click();
    await page.getByText('body of A pause tonight').waitFor();
    assert.equal(await strip.count(), 0);
    await page.reload();
    await page.getByText('body of A pause tonight').waitFor();
    assert.equal(await strip.count(), 0);
    await publish('A longer pause', { showTimingWhenLogin: true });
    await page.reload();
    await strip.getByText('A longer pause').waitFor();
    await strip.getByRole('button', { name: 'I have seen it' }).click();
    await strip.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('body of A longer pause').waitFor();
    assert.equal(await strip.count(), 0);
  });

  async function publish(title: string, more: { showTimingWhenLogin?: boolean } = {}): Promise<void> {
    const { url, adminToken } = place.server;
    const answer = await fetch(`${url}/api/admin/v1/notices`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ title, body: `body of ${title}`, ...more }),
    });
    assert.equal(answer.ok, true);
  }
});
