// Mentions in a group: chosen from a list while one writes, seen by who is meant.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chatTypes } from '@sealpost/contract';
import { befriend, messageWith, openChat, type Person, skip, world } from '../browsers.ts';

describe('mentions', { skip }, () => {
  const place = world();
  let ann: Person;
  let ben: Person;
  let group: string;

  test('a name is completed by keyboard, and who is meant sees it in the list and in the text', async () => {
    ann = await place.loggedIn('Ann');
    ben = await place.loggedIn('Ben');
    await befriend(ann, ben);
    const [inviter, invited] = [ann.user.client, ben.user.client];
    const { chat } = await inviter.TalkService.createChat({
      reqSeq: inviter.nextReqSeq(),
      type: chatTypes.GROUP,
      name: 'Tea',
      targetUserMids: [ben.user.mid],
    });
    group = chat.chatMid;
    await invited.TalkService.acceptChatInvitation({ reqSeq: invited.nextReqSeq(), chatMid: group });
    await openChat(ann, group);
    const field = ann.page.getByRole('textbox', { name: 'Write a message' });
    await field.click();
    await ann.page.keyboard.type('hello @b');
    await ann.page.getByRole('option', { name: 'Ben' }).waitFor();
    await ann.page.keyboard.press('Enter');
    assert.equal(await field.inputValue(), 'hello @Ben ');
    await ann.page.keyboard.type('how are you?');
    await ann.page.keyboard.press('Enter');
    await messageWith(ann, 'how are you?').getByText('@Ben').waitFor();
    await ben.page.getByRole('link', { name: /You are mentioned/ }).waitFor();
    await ben.page.reload();
    await ben.page.getByRole('link', { name: /You are mentioned/ }).click();
    const mention = messageWith(ben, 'how are you?').getByText('@Ben', { exact: true });
    await mention.waitFor();
    assert.equal(await mention.evaluate((element) => element.tagName), 'STRONG');
    // Once it is read, the list says so no more.
    await ben.page.getByRole('link', { name: /You are mentioned/ }).waitFor({ state: 'detached' });
  });

  test('Escape closes the list, and Enter then sends what was written', async () => {
    await ann.page.keyboard.type('write to me @be');
    await ann.page.getByRole('option', { name: 'Ben' }).waitFor();
    await ann.page.keyboard.press('Escape');
    await ann.page.getByRole('option', { name: 'Ben' }).waitFor({ state: 'detached' });
    await ann.page.keyboard.press('Enter');
    await messageWith(ben, 'write to me @be').waitFor();
  });
});
