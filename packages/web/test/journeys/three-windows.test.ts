// Three people in three windows, two of a desktop and one of a phone, in one group: all that they do reaches all.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chatTypes } from '@sealpost/contract';
import type { Locator } from 'playwright-core';
import { befriend, messageWith, openChat, type Person, skip, world, write } from '../browsers.ts';
import { png } from '../files.ts';

describe('three people in a group, in three windows', { skip }, () => {
  const place = world();
  let ann: Person;
  let ben: Person;
  let cleo: Person;
  const all = (): readonly Person[] => [ann, ben, cleo];

  const messages = ({ page }: Person): Locator => page.getByRole('log', { name: 'Messages' }).getByRole('article');

  test('a text reaches the two others, sealed, and its sender sees that both have read it', async () => {
    ann = await place.loggedIn('Ann');
    ben = await place.loggedIn('Ben');
    cleo = await place.loggedIn('Cleo', { size: 'phone', hasTouch: true });
    await befriend(ann, ben);
    await befriend(ann, cleo);
    const { client } = ann.user;
    const { chat } = await client.TalkService.createChat({
      reqSeq: client.nextReqSeq(),
      type: chatTypes.GROUP,
      name: 'Boat trip',
      targetUserMids: [ben.user.mid, cleo.user.mid],
    });
    for (const { page } of [ben, cleo]) {
      await page.getByRole('link', { name: /Boat trip/ }).click();
      await page.getByRole('button', { name: 'Join' }).click();
      await page.getByRole('textbox', { name: 'Write a message' }).waitFor();
    }
    await openChat(ann, chat.chatMid);
    await ann.page.getByRole('log').getByText('Cleo joined').waitFor();
    await write(ann, 'Who steers on Saturday?');
    for (const person of [ben, cleo])
      await messageWith(person, 'Who steers on Saturday?').getByLabel('Sealed', { exact: true }).waitFor();
    await messageWith(ann, 'Who steers on Saturday?').getByRole('img', { name: 'Read by 2' }).waitFor();
  });

  test('a picture of one is seen by the two others', async () => {
    await ben.page.getByLabel('Choose pictures or videos').setInputFiles(png('boat.png', 320, 200, [40, 90, 200]));
    await ben.page.getByRole('button', { name: 'Send', exact: true }).click();
    for (const person of all()) {
      const picture = person.page.getByRole('button', { name: /^Open the picture/ });
      const width = await picture.locator('img').evaluate(async (image: HTMLImageElement) => {
        await image.decode();
        return image.naturalWidth;
      });
      assert.equal(width, 320);
      assert.equal(await messages(person).filter({ has: picture }).getByLabel('Sealed', { exact: true }).count(), 1);
    }
  });

  test('a sticker from the phone is seen by the two others', async () => {
    await cleo.page.getByRole('button', { name: 'Emoji and stickers' }).tap();
    await cleo.page.getByRole('tab', { name: 'Lettie the Letter' }).tap();
    const sticker = cleo.page.getByRole('tabpanel', { name: 'Lettie the Letter' }).getByRole('button').first();
    const name = (await sticker.getAttribute('aria-label')) ?? '';
    await sticker.tap();
    for (const person of all()) await messages(person).getByRole('img', { name }).waitFor();
  });

  test('an answer says what it answers, and on the phone a tap goes there', async () => {
    await messageWith(ben, 'Who steers on Saturday?').hover();
    await messageWith(ben, 'Who steers on Saturday?').getByRole('button', { name: 'Reply' }).click();
    await write(ben, 'I do, if it does not rain');
    for (const person of all()) {
      await messageWith(person, 'I do, if it does not rain')
        .getByRole('button', { name: /Ann.*Who steers on Saturday/ })
        .waitFor();
    }
    await messageWith(cleo, 'I do, if it does not rain')
      .getByRole('button', { name: /Who steers/ })
      .tap();
    await messageWith(cleo, 'Who steers on Saturday?').first().waitFor();
  });

  test('each of them finds it again', async () => {
    for (const { page } of all()) {
      await page.getByRole('button', { name: 'Search in this chat' }).click();
      await page.getByRole('searchbox', { name: 'Search messages' }).fill('if it does not rain');
      const found = page.getByRole('region', { name: 'Search messages' });
      await found.getByRole('button', { name: /I do, if it does not rain/ }).click();
    }
    for (const person of all()) await messageWith(person, 'I do, if it does not rain').waitFor();
  });
});
