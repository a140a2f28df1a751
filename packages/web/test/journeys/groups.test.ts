// Groups and rooms: made, joined, changed, left; and what one does with chats in the list.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { befriend, holdCalls, messageWith, openChat, type Person, sizes, skip, world, write } from '../browsers.ts';
import { bluePicture } from '../pictures.ts';

const list = ({ page }: Person) => page.getByRole('region', { name: 'Chats', exact: true });
const inList = (person: Person, name: string | RegExp) => list(person).getByRole('link', { name });

/** Goes to the list of chats. */
async function home({ page }: Person): Promise<void> {
  await page.evaluate(() => {
    location.hash = '#/';
  });
}

async function details({ page }: Person) {
  const pane = page.getByRole('complementary', { name: 'Details' });
  if (!(await pane.isVisible())) await page.getByRole('button', { name: 'Details of the chat' }).click();
  await pane.waitFor();
  return pane;
}

/** Chooses an action of the menu of a chat in the list. */
async function act(person: Person, chat: string, action: string): Promise<void> {
  await inList(person, new RegExp(chat)).click({ button: 'right' });
  await person.page.getByRole('menuitem', { name: action }).click();
}

async function answer({ page }: Person, button: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: button, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

describe('groups', { skip }, () => {
  const place = world();
  let ann: Person;
  let ben: Person;
  let cem: Person;

  test('three people make a group, join it, and talk in it', async () => {
    ann = await place.loggedIn('Ann');
    ben = await place.loggedIn('Ben');
    cem = await place.loggedIn('Cem');
    await befriend(ann, ben);
    await befriend(ann, cem);
    const { page } = ann;
    await page.getByRole('button', { name: 'New chat' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('option', { name: 'Ben' }).click();
    await dialog.getByRole('searchbox', { name: 'Search people' }).fill('cem');
    await page.keyboard.press('Enter');
    // The second press of a double click is beside the dialog, which has become smaller.
    await dialog.getByRole('button', { name: 'Next' }).dblclick();
    await dialog.getByLabel('Name', { exact: true }).and(page.locator(':focus')).fill('Tea');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Tea' }).waitFor();
    await page.getByRole('textbox', { name: 'Write a message' }).and(page.locator(':focus')).waitFor();
    for (const name of ['Ben', 'Cem']) await page.getByRole('log').getByText(`Ann invited ${name}`).waitFor();
    for (const person of [ben, cem]) {
      await inList(person, /Tea/).click();
      await person.page.getByText('In it: Ann').waitFor();
      await person.page.getByRole('button', { name: 'Join' }).click();
      await person.page.getByRole('textbox', { name: 'Write a message' }).waitFor();
    }
    await write(ann, 'who brings cake?');
    await messageWith(ben, 'who brings cake?').waitFor();
    await write(cem, 'I do');
    await messageWith(ann, 'I do').waitFor();
    await messageWith(ben, 'I do').waitFor();
  });

  test('a new name and picture are seen by the others at once', async () => {
    const pane = await details(ann);
    await pane.getByRole('button', { name: 'Change name or picture' }).click();
    await pane.getByLabel('Picture', { exact: true }).setInputFiles(bluePicture);
    await ann.page.getByRole('button', { name: 'Use this picture' }).click();
    await pane.getByRole('button', { name: 'Remove the picture' }).waitFor();
    await pane.getByLabel('Name of the group').fill('Tea and cake');
    await pane.getByRole('button', { name: 'Save' }).click();
    await ben.page.getByRole('heading', { name: 'Tea and cake' }).waitFor();
    await ben.page.getByRole('main').locator('header img').waitFor();
    await inList(cem, /Tea and cake/).waitFor();
    await ben.page.getByRole('log').getByText('Ann named the group “Tea and cake”').waitFor();
  });

  test('somebody who is invited declines; an invitation is taken back', async () => {
    const dee = await place.loggedIn('Dee', { size: 'phone' });
    await befriend(ann, dee);
    const pane = await details(ann);
    const invite = async () => {
      await pane.getByRole('button', { name: 'Invite people' }).click();
      await ann.page.getByRole('dialog').getByRole('option', { name: 'Dee' }).click();
      await ann.page.getByRole('dialog').getByRole('button', { name: 'Invite', exact: true }).click();
      await pane.getByRole('button', { name: 'Take back the invitation of Dee' }).waitFor();
    };
    await invite();
    await inList(dee, /Tea and cake/).waitFor();
    await pane.getByRole('button', { name: 'Take back the invitation of Dee' }).click();
    await dee.page.getByText('No chats yet').waitFor();
    await invite();
    await inList(dee, /Tea and cake/).click();
    await dee.page.getByRole('button', { name: 'Decline' }).click();
    await dee.page.getByText('No chats yet').waitFor();
  });

  test('a removed member is out; one who leaves is out too', async () => {
    const pane = await details(ann);
    await pane.getByRole('button', { name: 'Remove Cem from the group' }).click();
    await answer(ann, 'Remove');
    await cem.page.getByText('This chat is not here').waitFor();
    await pane.getByText('2 members').waitFor();
    await (await details(ben)).getByRole('button', { name: 'Leave the group' }).click();
    await answer(ben, 'Leave');
    await inList(ben, /Tea and cake/).waitFor({ state: 'detached' });
    await pane.getByText('1 member', { exact: true }).waitFor();
  });

  test('a group whose dialog was closed before it was made closes no other dialog, and does not open', async () => {
    const { page } = ann;
    await home(ann);
    const call = await holdCalls(ann, 'createChat');
    await page.getByRole('button', { name: 'New chat' }).click();
    const dialog = page.getByRole('dialog');
    for (const name of ['Ben', 'Cem']) await dialog.getByRole('option', { name }).click();
    await dialog.getByRole('button', { name: 'Next' }).click();
    await dialog.getByLabel('Name', { exact: true }).fill('Slow');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await call.asked;
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('combobox', { name: 'Go to a chat, a person or an action' });
    await palette.waitFor();
    await call.release();
    // What is behind a dialog is hidden from screen readers.
    await page.getByRole('link', { name: /Slow/, includeHidden: true }).waitFor();
    assert.equal(await palette.count(), 1);
    assert.match(page.url(), /#\/$/);
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
  });

  test('a room has everybody in it at once', async () => {
    await home(ann);
    await ann.page.getByRole('button', { name: 'New chat' }).click();
    const dialog = ann.page.getByRole('dialog');
    await dialog.getByRole('option', { name: 'Ben' }).click();
    await dialog.getByRole('option', { name: 'Cem' }).click();
    // On a phone, the second press of a double click is where "Create" is then.
    await ann.page.setViewportSize(sizes.phone);
    await dialog.getByRole('button', { name: 'Next' }).dblclick();
    await dialog.getByLabel('Room').check();
    await ann.page.setViewportSize(sizes.desktop);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await ann.page.getByRole('textbox', { name: 'Write a message' }).waitFor();
    await write(ann, 'quick question');
    await inList(cem, /quick question/).click();
    await messageWith(cem, 'quick question').waitFor();
    await write(cem, 'quick answer');
    await messageWith(ann, 'quick answer').waitFor();
  });

  test('somebody whom an invitation did not reach is added to the room again', async () => {
    const { client } = ben.user;
    await client.TalkService.blockContact(client.nextReqSeq(), ann.user.mid);
    const targetUserMids = [ben.user.mid, cem.user.mid];
    const reqSeq = ann.user.client.nextReqSeq();
    await ann.user.client.TalkService.createChat({ reqSeq, type: 1, name: 'Cake', targetUserMids });
    await client.TalkService.unblockContact(client.nextReqSeq(), ann.user.mid);
    await inList(ann, /Cake/).click();
    assert.equal(await inList(ben, /Cake/).count(), 0);
    const pane = await details(ann);
    await pane.getByRole('button', { name: 'Add people' }).click();
    const dialog = ann.page.getByRole('dialog');
    await dialog.getByRole('option', { name: 'Ben' }).click();
    await dialog.getByRole('option', { name: 'Cem In this room already' }).click();
    await dialog.getByText('Others are told of it now').waitFor();
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await inList(ben, /Cake/).click();
    await write(ann, 'is there more?');
    await messageWith(ben, 'is there more?').waitFor();
  });

  test('a chat is muted and a favourite, in the list and on the other window of the account', async () => {
    await openChat(ben, ann.user.mid);
    await write(ben, 'just us two');
    await inList(ann, /just us two/).waitFor();
    const other: Person = { ...ann, page: await ann.tab() };
    await act(ann, 'just us two', 'Mute');
    await inList(ann, /just us two/)
      .getByLabel('Muted')
      .waitFor();
    await act(ann, 'just us two', 'Add to favourites');
    await inList(other, /just us two/)
      .getByLabel('Favourite')
      .waitFor();
    await inList(other, /just us two/)
      .getByLabel('Muted')
      .waitFor();
    await act(other, 'just us two', 'Mark as read');
    await inList(ann, /just us two/)
      .getByText(/1 unread message/)
      .waitFor({ state: 'detached' });
    await act(other, 'just us two', 'Unmute');
    await inList(ann, /just us two/)
      .getByLabel('Muted')
      .waitFor({ state: 'detached' });
    await other.page.close();
  });

  test('a hidden chat comes back with the next message, or by undoing', async () => {
    await act(ann, 'just us two', 'Hide');
    await inList(ann, /just us two/).waitFor({ state: 'detached' });
    await ann.page.getByRole('button', { name: 'Undo' }).click();
    await act(ann, 'just us two', 'Hide');
    await inList(ann, /just us two/).waitFor({ state: 'detached' });
    await write(ben, 'are you there?');
    await inList(ann, /are you there/).waitFor();
  });

  test('a deleted history is gone for oneself only', async () => {
    await openChat(ann, ben.user.mid);
    await messageWith(ann, 'are you there?').waitFor();
    await act(ann, 'are you there', 'Delete the history');
    await answer(ann, 'Delete');
    await messageWith(ann, 'are you there?').waitFor({ state: 'detached' });
    assert.equal(await messageWith(ben, 'are you there?').count(), 1);
  });

  test('the menu of a chat opens by its button and by keys, and gives the focus back', async () => {
    await home(ben);
    const row = inList(ben, /are you there/);
    await row.focus();
    await ben.page.keyboard.press('Tab');
    await ben.page.keyboard.press('Enter');
    await ben.page.getByRole('menuitem', { name: 'Mute' }).waitFor();
    await ben.page.keyboard.press('Escape');
    await ben.page.getByRole('menuitem', { name: 'Mute' }).waitFor({ state: 'detached' });
    await ben.page.locator('button[aria-haspopup="menu"]:focus').waitFor();
  });
});

describe('on a tablet', { skip }, () => {
  const place = world();

  test('the details take the place of the conversation, with the focus, and what they cover is not read', async () => {
    const ann = await place.loggedIn('Ann', { size: 'tablet' });
    const ben = await place.loggedIn('Ben');
    await befriend(ann, ben);
    await openChat(ann, ben.user.mid);
    await openChat(ben, ann.user.mid);
    const { page } = ann;
    const opens = page.getByRole('button', { name: 'Details of the chat' });
    await opens.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Close the details' }).and(page.locator(':focus')).waitFor();
    await page.getByRole('textbox', { name: 'Write a message' }).waitFor({ state: 'hidden' });
    const pane = await page.getByRole('complementary', { name: 'Details' }).boundingBox();
    const chats = await list(ann).boundingBox();
    assert.ok(pane && chats);
    assert.ok(Math.abs(pane.x - (chats.x + chats.width)) < 3, 'it begins beside the list');
    assert.ok(Math.abs(pane.x + pane.width - 768) < 2, 'it ends at the edge');
    await write(ben, 'are you there?');
    await inList(ann, /are you there/)
      .getByText('1', { exact: true })
      .waitFor();
    await page.keyboard.press('Enter');
    await messageWith(ann, 'are you there?').waitFor();
    await messageWith(ben, 'are you there?').getByLabel('Read', { exact: true }).waitFor();
  });
});

describe('on a phone', { skip }, () => {
  const place = world();
  let ann: Person;

  test('the button "back" closes the details, then the chat', async () => {
    ann = await place.loggedIn('Ann', { size: 'phone' });
    const ben = await place.person('Ben');
    await befriend(ann, ben);
    const { client } = ben.user;
    await client.TalkService.createChat({
      reqSeq: client.nextReqSeq(),
      type: 0,
      name: 'Tea',
      targetUserMids: [ann.user.mid],
    });
    await inList(ann, /Tea/).click();
    await ann.page.getByRole('button', { name: 'Details of the chat' }).click();
    await ann.page.getByRole('complementary', { name: 'Details' }).waitFor();
    await ann.page.goBack();
    await ann.page.getByRole('complementary', { name: 'Details' }).waitFor({ state: 'detached' });
    await ann.page.getByRole('button', { name: 'Details of the chat' }).click();
    await ann.page.getByRole('button', { name: 'Close the details' }).click();
    await ann.page.getByRole('complementary', { name: 'Details' }).waitFor({ state: 'detached' });
    await ann.page.goBack();
    await inList(ann, /Tea/).waitFor();
  });

  test('one pane is shown at a time, and none is wider than the screen', async () => {
    const { page } = ann;
    const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
    assert.equal(await page.getByRole('textbox', { name: 'Write a message' }).count(), 0);
    assert.equal(await fits(), true);
    await inList(ann, /Tea/).click();
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('textbox', { name: 'Write a message' }).waitFor();
    await inList(ann, /Tea/).waitFor({ state: 'hidden' });
    assert.equal(await fits(), true);
    await page.getByRole('button', { name: 'Back to the chats' }).click();
    for (const section of ['Contacts', 'Settings']) {
      await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: section }).click();
      await page.getByRole('region', { name: section, exact: true }).first().waitFor();
      assert.equal(await fits(), true);
    }
  });
});
