// A page that cannot load what it needs, because the connection was lost after the login.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { befriend, openChat, skip, world } from '../browsers.ts';

/** The files of these parts. */
const PARTS = /\/assets\/(background|guard)-[^/]*\.js$/;

describe('parts that all screens need', { skip }, () => {
  const place = world();

  test('are asked for until they come, and the page stays meanwhile', async () => {
    const ann = await place.person('Ann');
    let isBack = false;
    // The page itself does not come either. Otherwise the page would be loaded again, for its parts of another build.
    for (const lost of [PARTS, `${place.network.url}/`]) {
      await ann.page.route(lost, (route) => (isBack ? route.continue() : route.abort()));
    }
    const asked = ann.page.waitForRequest(PARTS);
    await ann.logIn();
    await asked;
    await ann.page.getByRole('link', { name: 'Contacts' }).click();
    await ann.page.getByRole('heading', { name: 'Contacts', exact: true }).waitFor();
    isBack = true;
    // The dialog comes from such a part.
    await ann.page.keyboard.press('Control+k');
    for (const deadline = Date.now() + 60_000; !(await ann.page.getByRole('dialog').count()); ) {
      assert.ok(Date.now() < deadline, 'no dialog opens');
      await ann.page.waitForTimeout(500);
      await ann.page.keyboard.press('Control+k');
    }
  });

  test('so are the names of emoji', async () => {
    const ann = await place.loggedIn('Ann');
    const ben = await place.person('Ben');
    await befriend(ann, ben);
    let isBack = false;
    await ann.page.route(/\/emoji\//, (route) => (isBack ? route.continue() : route.abort()));
    await openChat(ann, ben.user.mid);
    await ann.page.getByRole('button', { name: 'Emoji and stickers' }).click();
    await ann.page.getByText('Loading…').waitFor();
    isBack = true;
    await ann.page.getByRole('gridcell').first().waitFor();
  });
});
