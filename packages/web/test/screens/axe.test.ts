// Every screen and all that lies over one, on a desktop and on a phone, in light and dark, without a finding of axe.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { operator } from '@sealpost/dev-env/people';
import type { Page } from 'playwright-core';
import { findings } from '../axe.ts';
import { openChat, type Person, sizes, skip, world, write } from '../browsers.ts';
import {
  closeOver,
  comesByItself,
  createScene,
  openOver,
  overlayFiles,
  overlays,
  type Scene,
  screens,
  show,
} from './surfaces.ts';

/** Looks at what the page shows now in both sizes and themes. */
async function assertClean(page: Page, what: string): Promise<void> {
  const found: string[] = [];
  for (const size of ['phone', 'desktop'] as const) {
    await page.setViewportSize(sizes[size]);
    for (const theme of ['dark', 'light'] as const)
      found.push(...(await findings(page, theme)).map((finding) => `${what}, ${size}, ${theme}: ${finding}`));
  }
  assert.deepEqual(found, []);
}

describe('axe finds nothing', { skip }, () => {
  const place = world();
  let scene: Scene;
  before(async () => {
    if (skip) return;
    scene = await createScene(place, { reducedMotion: 'reduce' });
  });

  test('what is wrong is found', async () => {
    const { page } = scene.ann;
    await show(page, '/settings/about');
    await page.evaluate(() => {
      const pale = Object.assign(document.createElement('p'), { textContent: 'hard to read in the dark' });
      pale.style.color = '#222';
      const wrong = Object.assign(document.createElement('section'), { id: 'wrong' });
      wrong.append(document.createElement('button'), pale);
      document.querySelector('main')?.append(wrong);
    });
    const [light, dark] = [await findings(page, 'light'), await findings(page, 'dark')];
    await page.locator('#wrong').evaluate((wrong) => wrong.remove());
    assert.match(light.join(), /^button-name: /);
    assert.doesNotMatch(light.join(), /color-contrast: /);
    assert.match(dark.join(), /color-contrast: /);
  });

  for (const [name, path] of screens) {
    test(`on the screen ${name}`, async () => {
      await show(scene.ann.page, path(scene));
      await assertClean(scene.ann.page, name);
    });
  }

  test('in searches', async () => {
    const { page } = scene.ann;
    await show(page, '/');
    await page.keyboard.press('Control+Shift+F');
    const field = page.getByRole('searchbox', { name: 'Search messages' });
    for (const [query, answer] of [
      ['', 'Everything is searched on this device'],
      ['answer', 'messages searched'],
      ['nowhere', 'Nothing found'],
    ] as const) {
      await field.fill(query);
      await page.getByText(answer).first().waitFor();
      await assertClean(page, `a search for “${query}”`);
    }
    await page.keyboard.press('Escape');
  });

  for (const [file, ways] of Object.entries(overlays)) {
    test(`in ${file}`, async () => {
      for (const open of ways) {
        await openOver(scene, open);
        await assertClean(scene.ann.page, file);
        await closeOver(scene.ann);
      }
    });
  }

  test('everything that can lie over a screen was looked at', () => {
    assert.deepEqual([...Object.keys(overlays), comesByItself].sort(), overlayFiles());
  });

  test('without a connection, with a message that waits', async () => {
    const { ann, ben } = scene;
    await openChat(ann, ben.user.mid);
    place.network.down(true);
    await ann.page.getByText('Not connected.').waitFor();
    await write(ann, 'for later');
    await ann.page.getByLabel('You, not sent yet').waitFor();
    await assertClean(ann.page, 'without a connection');
    place.network.down(false);
    await ann.page.getByLabel('You, not sent yet').waitFor({ state: 'detached' });
  });

  test('for somebody who is new, and in a browser without keys', async () => {
    const nora = await place.loggedIn('Nora', { reducedMotion: 'reduce' });
    for (const path of ['/', '/contacts', '/settings/news']) {
      await show(nora.page, path);
      await assertClean(nora.page, `${path} of somebody who is new`);
    }
    const other = await place.loggedIn('Ann', { user: scene.ann.user, reducedMotion: 'reduce' });
    await openChat(other, scene.ben.user.mid);
    await other.page.getByText('This message stays sealed').first().waitFor();
    await assertClean(other.page, 'a chat without keys');
    await other.page.getByRole('region', { name: 'Your keys' }).getByRole('button', { name: 'Get your keys' }).click();
    const dialog = other.page.getByRole('dialog', { name: 'Your keys' });
    for (const way of [/another device/, /Restore the backup/, /Make new keys/]) {
      await dialog.getByRole('button', { name: way }).waitFor();
      await assertClean(other.page, 'the ways to get keys');
      await dialog.getByRole('button', { name: way }).click();
      await dialog.getByRole('button', { name: 'Back', exact: true }).waitFor();
      await other.page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
      await assertClean(other.page, `keys: ${way}`);
      await dialog.getByRole('button', { name: 'Back', exact: true }).click();
    }
  });
});

describe('axe finds nothing while somebody opens an account', { skip }, () => {
  const place = world();

  test('with an invite, with faults, and without an invite that can be used', async () => {
    const { page } = await place.person('Ann', { reducedMotion: 'reduce' });
    await page.getByRole('button', { name: 'I have an invitation' }).click();
    const field = page.getByLabel('Invitation link or code');
    await field.waitFor();
    await assertClean(page, 'the question for a code');
    await field.fill('00000-00000-00000-00000');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await assertClean(page, 'an unknown code');
    await page.getByRole('button', { name: 'Enter another code' }).click();
    await field.fill((await operator(place.server).createInvite({ from: 'The club', userid: 'ann.a' })).code);
    await page.keyboard.press('Enter');
    await page.getByText('This user id is free.').first().waitFor();
    await assertClean(page, 'a new account');
    await page.getByRole('button', { name: 'Create the account' }).click();
    await page.getByText('A name is needed.').waitFor();
    await assertClean(page, 'a new account with faults');
  });
});

describe('axe finds nothing while somebody logs in', { skip }, () => {
  const place = world({ flags: { 'login-confirmation': 'new-device' } });
  let ann: Person;
  let other: Person;

  test('by password, and by code', async () => {
    ann = await place.person('Ann', { reducedMotion: 'reduce' });
    const { page } = ann;
    await page.getByRole('button', { name: 'Log in', exact: true }).waitFor();
    await assertClean(page, 'the login');
    await page.getByLabel('User id, e-mail or phone').fill(ann.user.userid);
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByRole('alert').waitFor();
    await assertClean(page, 'a wrong password');
    await page.getByRole('button', { name: 'Log in with another device' }).click();
    await page.getByRole('img', { name: 'Code for the login' }).waitFor();
    await assertClean(page, 'the login by code');
    await page.getByRole('button', { name: 'Log in with a password' }).click();
  });

  test('while another device confirms, on both', async () => {
    // The first login of an account needs no confirmation, if nobody else is logged in to it.
    await ann.user.client.logout();
    await ann.logIn();
    other = await place.person('Ann', { user: ann.user, reducedMotion: 'reduce' });
    await other.page.getByLabel('User id, e-mail or phone').fill(ann.user.userid);
    await other.page.getByLabel('Password').fill(ann.user.password);
    await other.page.getByRole('button', { name: 'Log in', exact: true }).click();
    const pin = (await other.page.getByLabel('PIN', { exact: true }).textContent()) ?? '';
    await assertClean(other.page, 'waiting for another device');
    await ann.page.getByRole('button', { name: 'Yes, this is me' }).waitFor();
    await assertClean(ann.page, 'who wants in');
    await ann.page.getByRole('button', { name: 'Yes, this is me' }).click();
    await ann.page.getByLabel('PIN on the new device').fill(pin);
    await assertClean(ann.page, 'its PIN');
    await ann.page.getByRole('button', { name: 'Continue' }).click();
    await ann.page.getByLabel('Words to compare').waitFor();
    await assertClean(ann.page, 'the words');
    await ann.page.getByRole('button', { name: 'They are the same: let it in' }).click();
    await other.page.getByRole('heading', { name: 'Chats', exact: true }).waitFor();
  });

  test('after a browser was logged out from elsewhere', async () => {
    await show(ann.page, '/settings/devices');
    await ann.page.getByRole('button', { name: 'Log out all other devices' }).click();
    await ann.page.getByRole('dialog').getByRole('button', { name: 'Log them out' }).click();
    await other.page.getByText('This browser was logged out').waitFor();
    await assertClean(other.page, 'a browser that was logged out');
  });
});
