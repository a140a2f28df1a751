// What the page says about the seal of a chat, and what a wrong passphrase does.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { befriend, messageWith, openChat, type Person, skip, world, write } from '../browsers.ts';

const go = ({ page }: Person, path: string): Promise<void> =>
  page.evaluate((to) => {
    location.hash = to;
  }, path);

describe('the seal of a chat', { skip }, () => {
  /** The backup may be read so often: when it is made, and for one wrong try. */
  const place = world({ flags: { 'rate-backup': '2+0.0001' } });
  let ann: Person;
  let ben: Person;
  let cem: Person;
  let groupMid = '';

  async function groupOf(owner: Person, name: string, ...members: Person['user'][]): Promise<string> {
    const { client } = owner.user;
    const { chat } = await client.TalkService.createChat({
      reqSeq: client.nextReqSeq(),
      type: 0,
      name,
      targetUserMids: members.map(({ mid }) => mid),
    });
    for (const { client: guest } of members)
      await guest.TalkService.acceptChatInvitation({ reqSeq: guest.nextReqSeq(), chatMid: chat.chatMid });
    return chat.chatMid;
  }

  const explain = async ({ page }: Person, button: string) => {
    await page.getByRole('button', { name: button, exact: true }).click();
    return page.getByRole('dialog');
  };

  before(async () => {
    if (skip) return;
    [ann, ben, cem] = [await place.loggedIn('Ann'), await place.loggedIn('Ben'), await place.loggedIn('Cem')];
    for (const [one, other] of [
      [ann, ben],
      [ann, cem],
      [ben, cem],
    ] as const)
      await befriend(one, other);
    groupMid = await groupOf(ann, 'Tea', ben.user, cem.user);
    await openChat(ann, groupMid);
    await write(ann, 'sealed for all of us');
    await messageWith(ann, 'sealed for all of us').getByLabel('Sealed', { exact: true }).waitFor();
  });

  test('the dialog of a group says who made its key, and with how many members one compared numbers', async () => {
    await openChat(ben, groupMid);
    await messageWith(ben, 'sealed for all of us').waitFor();
    const dialog = await explain(ben, 'Sealed: what this means');
    await dialog.getByText('The key of this group was made by Ann.').waitFor();
    await dialog.getByText('You have compared safety numbers with 0 of 2 members.').waitFor();
    assert.equal(await dialog.getByRole('button', { name: 'Safety number' }).count(), 0);
    await ben.page.keyboard.press('Escape');

    await go(ben, `#/contacts/${ann.user.mid}`);
    await ben.page.getByRole('button', { name: /^Safety number/ }).click();
    await ben.page.getByRole('button', { name: 'I compared it: it is the same' }).click();
    await ben.page.getByText('You compared this number on').waitFor();
    await ben.page.keyboard.press('Escape');
    await openChat(ben, groupMid);
    const again = await explain(ben, 'Sealed: what this means');
    await again.getByText('You have compared safety numbers with 1 of 2 members.').waitFor();
    await ben.page.keyboard.press('Escape');
  });

  test('without a connection the dialog opens at once, with what is known', async () => {
    await ben.page.getByRole('button', { name: 'Sealed: what this means', exact: true }).waitFor();
    place.network.down(true);
    await ben.page.getByText('Not connected.').waitFor();
    const dialog = await explain(ben, 'Sealed: what this means');
    await dialog.getByRole('heading', { name: 'This chat is sealed' }).waitFor();
    await dialog.getByText('When you are connected, this also says who made the key of the group.').waitFor();
    place.network.down(false);
    await dialog.getByText('The key of this group was made by Ann.').waitFor();
    await ben.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  test('a group with somebody who has no key is not sealed, and the dialog says why', async () => {
    const dee = await place.server.user('Dee');
    const open = await groupOf(ann, 'With Dee', ben.user, dee);
    await openChat(ann, open);
    const dialog = await explain(ann, 'Not sealed now: why');
    await dialog.getByRole('heading', { name: 'This chat is not sealed now' }).waitFor();
    await dialog.getByText('What you write now can be read by the operator of the server.').waitFor();
    await ann.page.keyboard.press('Escape');
  });

  test('a browser without the keys is led from the dialog to the ways to get them', async () => {
    await go(ann, '#/settings/security');
    await ann.page.getByRole('button', { name: 'Make a backup' }).click();
    const dialog = ann.page.getByRole('dialog', { name: 'Keep your keys safe' });
    await dialog.getByLabel('I have written the passphrase down').check();
    await dialog.getByRole('button', { name: 'Make the backup' }).click();
    await ann.page.getByText('It was stored, read back, and opened.').waitFor();

    const other = await place.loggedIn('Ann', { user: ann.user });
    await openChat(other, groupMid);
    const why = await explain(other, 'Not sealed now: why');
    await why.getByText('so nothing can be sealed or sent here').waitFor();
    await why.getByRole('button', { name: 'Get your keys' }).click();
    const ways = other.page.getByRole('dialog', { name: 'Your keys' });
    await ways.getByRole('button', { name: /Restore the backup/ }).click();

    const field = ways.getByLabel('Passphrase of the backup');
    await field.fill('words that open nothing at all');
    await ways.getByRole('button', { name: 'Open the backup' }).click();
    await ways.getByText('This passphrase does not open the backup.').waitFor();
    assert.equal(await field.inputValue(), 'words that open nothing at all');
    await ways.getByRole('button', { name: 'Open the backup' }).click();
    await ways.getByText(/^The backup was read too often.* Try again in \d+ minutes\.$/).waitFor();
  });

  test('a message that was held back goes in the clear only after one has seen who can read it then', async () => {
    // The dialog of the backup is still open.
    await ann.page.reload();
    await openChat(ann, cem.user.mid);
    await write(ann, 'sealed for Cem');
    await messageWith(ann, 'sealed for Cem').getByLabel('Sealed', { exact: true }).waitFor();
    await go(cem, '#/settings/privacy');
    await cem.page.getByRole('switch', { name: 'Seal messages' }).click();
    await cem.page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
    await cem.page.getByRole('switch', { name: 'Seal messages', checked: false }).waitFor();
    await ann.page.reload();
    await openChat(ann, cem.user.mid);
    await ann.page.getByRole('button', { name: 'Not sealed now: why' }).waitFor();
    await write(ann, 'the code is 4711');
    const sending = ann.page.getByRole('button', { name: 'Send this one in the clear' });
    await sending.click();
    const dialog = ann.page.getByRole('dialog', { name: 'Send this message in the clear?' });
    await dialog.getByText('the code is 4711').waitFor();
    const { host } = new URL(ann.page.url());
    const readers = await dialog.getByRole('listitem').allTextContents();
    assert.deepEqual(readers.slice(0, 2), ['Cem', `whoever operates the server ${host}`]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await messageWith(ann, 'the code is 4711').getByText('Not sent').count(), 1);
    await sending.click();
    await dialog.getByRole('button', { name: 'Send in the clear' }).click();
    const sent = messageWith(ann, 'the code is 4711');
    await sent.getByRole('button', { name: 'Not sealed: what this means' }).click();
    await ann.page
      .getByRole('dialog', { name: 'Not sealed' })
      .getByText('whoever operates the server can read it')
      .waitFor();
    await ann.page.keyboard.press('Escape');
  });
});
