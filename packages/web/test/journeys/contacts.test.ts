// People find, add, block and report each other, and give each other names.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { befriend, holdCalls, messageWith, openChat, type Person, skip, world, write } from '../browsers.ts';

const go = ({ page }: Person, section: 'Chats' | 'Contacts' | 'Settings') =>
  page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: section }).click();

async function openContact({ page }: Person, mid: string): Promise<void> {
  await page.evaluate((to) => {
    location.hash = `#/contacts/${to}`;
  }, mid);
}

describe('contacts', { skip }, () => {
  const place = world();
  let ann: Person;
  let ben: Person;

  test('one finds somebody by user id, adds them, and the other accepts the request', async () => {
    ann = await place.loggedIn('Ann');
    ben = await place.loggedIn('Ben');
    await ann.page.getByRole('button', { name: 'Find somebody', exact: true }).click();
    await ann.page.getByLabel('User id or phone number').and(ann.page.locator(':focus')).fill('nobody-at-all');
    await ann.page.getByRole('button', { name: 'Find', exact: true }).click();
    await ann.page.getByText('Nobody was found').waitFor();
    await ann.page.getByLabel('User id or phone number').fill(ben.user.userid);
    await ann.page.getByRole('button', { name: 'Find', exact: true }).click();
    await ann.page.getByRole('heading', { name: 'Ben' }).waitFor();
    await ann.page.getByRole('button', { name: 'Add to contacts' }).click();
    await ann.page.getByRole('region', { name: 'Contacts' }).getByRole('link', { name: 'Ben' }).waitFor();

    await go(ben, 'Contacts');
    await ben.page.getByRole('region', { name: 'They added you' }).getByRole('button', { name: 'Add Ann' }).click();
    await ben.page.getByRole('region', { name: 'People' }).getByRole('link', { name: 'Ann' }).waitFor();
    await ben.page.getByRole('region', { name: 'They added you' }).waitFor({ state: 'detached' });
  });

  test('the own card says so, and leads to the profile instead of offering to block oneself', async () => {
    const { page } = ann;
    await openContact(ann, ann.user.mid);
    await page.getByText('This is you.').waitFor();
    for (const name of ['Block', 'Report', 'Add to contacts'])
      assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0, name);
    await page.getByRole('button', { name: 'Change your profile' }).click();
    await page.getByRole('heading', { name: 'Profile' }).waitFor();
  });

  test('from a new chat one goes to somebody new, also while the contacts are shown', async () => {
    await go(ann, 'Contacts');
    // The second time, the form is already open.
    for (const _time of ['first', 'second']) {
      await ann.page.keyboard.press('Control+k');
      await ann.page.locator('[role=combobox]:focus').waitFor();
      await ann.page.keyboard.type('new chat');
      await ann.page.getByRole('option', { name: 'New chat' }).click();
      await ann.page.getByRole('dialog').getByRole('button', { name: 'Find somebody new' }).click();
      await ann.page.getByRole('dialog').waitFor({ state: 'detached' });
      await ann.page.getByLabel('User id or phone number').and(ann.page.locator(':focus')).waitFor();
    }
    await ann.page.getByRole('button', { name: 'Find somebody new' }).click();
    await ann.page.getByLabel('User id or phone number').waitFor({ state: 'detached' });
  });

  test('what is not there leads back to the list', async () => {
    const phone = await place.loggedIn('Ann', { user: ann.user, size: 'phone' });
    const strange = `u${'0'.repeat(32)}`;
    for (const [path, back, list] of [
      ['/contacts/nonsense', 'To the contacts', 'Contacts'],
      [`/contacts/${strange}`, 'To the contacts', 'Contacts'],
      [`/chats/${strange}`, 'Back to the chats', 'Chats'],
    ] as const) {
      await phone.page.evaluate((to) => {
        location.hash = to;
      }, path);
      await phone.page.getByRole('button', { name: back }).click();
      await phone.page.getByRole('region', { name: list }).waitFor();
    }
    for (const path of ['/settings/nonsense', '/nowhere']) {
      await phone.page.evaluate((to) => {
        location.hash = to;
      }, path);
      await phone.page.getByRole('navigation', { name: 'Sections' }).waitFor();
    }
    await phone.context.close();
  });

  test('the address of the own card opens the person who gave it', async () => {
    await go(ben, 'Contacts');
    await ben.page.getByRole('button', { name: 'Let others add you' }).click();
    const card = ben.page.getByRole('dialog', { name: 'Let others add you' });
    await card.getByRole('img', { name: 'Code of your address' }).waitFor();
    await card.getByText(ben.user.userid).waitFor();
    await ben.page.keyboard.press('Escape');
    await card.waitFor({ state: 'detached' });
    await ann.page.evaluate((userid) => {
      location.hash = `#/add/${userid}`;
    }, ben.user.userid);
    await ann.page.getByRole('heading', { name: 'Ben' }).waitFor();
  });

  test('without a connection nobody is said to be gone, and the person is looked up when it is back', async () => {
    const { page } = ann;
    const dora = await place.server.user('Dora');
    for (const [path, title] of [
      [`contacts/${dora.mid}`, 'This person could not be looked up'],
      [`add/${dora.userid}`, `${dora.userid} could not be looked up`],
    ] as const) {
      await go(ann, 'Contacts');
      place.network.down(true);
      await page.getByText('Not connected.').waitFor();
      await page.evaluate((to) => {
        location.hash = `#/${to}`;
      }, path);
      await page.getByRole('heading', { name: title, exact: true }).waitFor();
      place.network.down(false);
      await page.getByRole('heading', { name: 'Dora' }).waitFor();
      await page.getByText('Not connected.').waitFor({ state: 'detached' });
    }
  });

  test('a name that one gives, a favourite and a hidden contact are seen by oneself only', async () => {
    const { page } = ann;
    await openContact(ann, ben.user.mid);
    await page.getByLabel('Name you give them').fill('Uncle B');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Uncle B' }).waitFor();
    await page.getByRole('switch', { name: 'Favourite' }).check();
    await page.getByRole('region', { name: 'Favourites' }).getByRole('link', { name: 'Uncle B' }).waitFor();
    await page.getByRole('switch', { name: 'Hide' }).check();
    await page.getByRole('region', { name: 'Favourites' }).waitFor({ state: 'detached' });
    await page.getByRole('searchbox', { name: 'Search contacts' }).fill('uncle');
    await page.getByRole('link', { name: 'Uncle B' }).click();
    await page.getByRole('switch', { name: 'Hide' }).uncheck();
    await page.getByRole('searchbox', { name: 'Search contacts' }).fill('');
    await page.getByRole('region', { name: 'Favourites' }).getByRole('link', { name: 'Uncle B' }).waitFor();
    assert.equal(await ben.page.getByText('Uncle B').count(), 0);
    await page.getByLabel('Name you give them').fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Ben' }).waitFor();
  });

  test('messages of a blocked person do not arrive, and those after the unblocking do', async () => {
    await openContact(ann, ben.user.mid);
    await ann.page.getByRole('button', { name: 'Block' }).click();
    await ann.page.getByRole('dialog', { name: 'Block Ben?' }).getByRole('button', { name: 'Cancel' }).click();
    await ann.page.getByRole('button', { name: 'Block' }).click();
    await ann.page.getByRole('dialog', { name: 'Block Ben?' }).getByRole('button', { name: 'Block' }).click();
    await ann.page.getByText('You blocked this person.').waitFor();
    await openChat(ben, ann.user.mid);
    await write(ben, 'can you hear me?');
    await messageWith(ben, 'can you hear me?').getByLabel('Sent', { exact: true }).waitFor();

    await go(ann, 'Settings');
    await ann.page.getByRole('link', { name: 'Blocked people' }).click();
    await ann.page.getByRole('button', { name: 'Unblock Ben' }).click();
    await ann.page.getByText('Nobody is blocked').waitFor();
    await write(ben, 'and now?');
    await openChat(ann, ben.user.mid);
    await messageWith(ann, 'and now?').waitFor();
    assert.equal(await messageWith(ann, 'can you hear me?').count(), 0);
  });

  test('a stranger who writes stands out; a report with messages reaches the operator', async () => {
    const eve = await place.loggedIn('Eve');
    await eve.user.client.RelationService.addFriendByMid({
      reqSeq: eve.user.client.nextReqSeq(),
      userMid: ann.user.mid,
    });
    await openChat(eve, ann.user.mid);
    await write(eve, 'buy my coins');
    await go(ann, 'Chats');
    await ann.page.getByRole('link', { name: /Eve/ }).click();
    await messageWith(ann, 'buy my coins').waitFor();
    const bar = ann.page.getByRole('complementary', { name: 'About Eve' });
    await bar.getByText('Eve is not in your contacts.').waitFor();
    await bar.getByRole('button', { name: 'Report' }).click();
    const dialog = ann.page.getByRole('dialog', { name: 'Report Eve' });
    await dialog.getByLabel('Fraud').check();
    await dialog.getByRole('switch', { name: 'Send the last messages along' }).check();
    await dialog.getByRole('button', { name: 'Send the report' }).click();
    await ann.page.getByText('The operator has your report.').waitFor();
    await bar.getByRole('button', { name: 'Add' }).click();
    await bar.waitFor({ state: 'detached' });

    const admin = (path: string) =>
      fetch(`${place.server.url}/api/admin/v1${path}`, {
        headers: { authorization: `Bearer ${place.server.adminToken}` },
      }).then((answer) => answer.text());
    const list = await admin('/reports');
    assert.match(list, new RegExp(eve.user.mid));
    const { id } = (JSON.parse(list) as { reports: { id: string | number }[] }).reports[0] ?? { id: '' };
    assert.match(await admin(`/reports/${id}`), /buy my coins/);
  });

  test('a report whose dialog was closed before it was sent closes no other dialog', async () => {
    const { page } = ann;
    // That is still told of the report before.
    await page.getByText('The operator has your report.').waitFor({ state: 'detached' });
    await openContact(ann, ben.user.mid);
    const call = await holdCalls(ann, 'reportAbuseEx');
    await page.getByRole('button', { name: 'Report', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Report Ben' });
    await dialog.getByLabel('Fraud').check();
    await dialog.getByRole('button', { name: 'Send the report' }).click();
    await call.asked;
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('combobox', { name: 'Go to a chat, a person or an action' });
    await palette.waitFor();
    await call.release();
    await page.getByText('The operator has your report.').waitFor();
    assert.equal(await palette.count(), 1);
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
  });

  test('a removed contact is gone from the list, and the chat stays', async () => {
    await openContact(ann, ben.user.mid);
    await ann.page.getByRole('button', { name: 'Remove' }).click();
    await ann.page.getByRole('dialog', { name: 'Remove Ben?' }).getByRole('button', { name: 'Remove' }).click();
    await ann.page.getByRole('button', { name: 'Add to contacts' }).waitFor();
    await go(ann, 'Chats');
    await ann.page.getByRole('link', { name: /Ben/ }).waitFor();
    await befriend(ann, ben);
  });
});
