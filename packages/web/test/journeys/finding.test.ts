// Finding things: messages by what one types, in languages without spaces too; chats and actions by name. Hostile names
// and texts are only text.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chatTypes } from '@sealpost/contract';
import { befriend, messageWith, openChat, type Person, skip, world, write } from '../browsers.ts';

describe('finding things', { skip }, () => {
  const place = world({ offline: true });
  let ann: Person;
  let ben: Person;
  let cleo: Person;
  const evil = '<b>\u202Egnp.exe</b>';

  const results = ({ page }: Person) => page.getByRole('region', { name: 'Search messages' });

  test('a search finds messages in all chats as one types, and opens one in its place', async () => {
    ann = await place.loggedIn('Ann');
    ben = await place.loggedIn('Ben');
    cleo = await place.loggedIn('Cleo', { size: 'phone' });
    await befriend(ann, ben);
    await befriend(ann, cleo);
    await openChat(ann, ben.user.mid);
    for (const text of ['The harbour at dawn', 'พรุ่งนี้ไปตลาดกันไหม', '明日は港で会いましょう', '我們明天在市場見'])
      await write(ann, text);
    // Each chat sends for itself, so these wait until they are sent: the newest message is found first.
    await messageWith(ann, '我們明天在市場見').getByRole('img', { name: 'Sent' }).waitFor();
    await openChat(ann, cleo.user.mid);
    await write(ann, 'no HARBOUR here');
    await messageWith(ann, 'no HARBOUR here').getByRole('img', { name: 'Sent' }).waitFor();
    // Nobody may read a chat to which they are only invited; the search goes on without it.
    const { TalkService, nextReqSeq } = ben.user.client;
    const group = { type: chatTypes.GROUP, name: 'Tea', targetUserMids: [ann.user.mid] };
    await TalkService.createChat({ reqSeq: nextReqSeq(), ...group });
    await ann.page.getByRole('link', { name: /Tea/ }).waitFor();
    await ann.page.keyboard.press('Control+Shift+F');
    await ann.page.getByRole('searchbox', { name: 'Search messages' }).fill('harbour');
    await results(ann).getByRole('region', { name: 'Cleo' }).getByRole('button').waitFor();
    await results(ann).getByRole('region', { name: 'Ben' }).getByRole('button').click();
    await messageWith(ann, 'The harbour at dawn').waitFor();
    assert.deepEqual(await results(ann).locator('mark').allInnerTexts(), ['HARBOUR', 'harbour']);
  });

  test('it finds parts of words in Thai, Japanese and Chinese', async () => {
    for (const [part, whole] of [
      ['ตลาด', 'พรุ่งนี้ไปตลาดกันไหม'],
      ['港', '明日は港で会いましょう'],
      ['市場', '我們明天在市場見'],
    ] as const) {
      await ann.page.getByRole('searchbox', { name: 'Search messages' }).fill(part);
      await results(ann).getByRole('button', { name: whole }).waitFor();
      assert.deepEqual(await results(ann).locator('mark').allInnerTexts(), [part]);
    }
    await ann.page.getByRole('searchbox', { name: 'Search messages' }).fill('nowhere to be found');
    await results(ann).getByText('Nothing found').waitFor();
  });

  test('keys may come faster than the page is shown', async () => {
    const field = ann.page.getByRole('searchbox', { name: 'Search messages' });
    await field.evaluate(async (input: HTMLInputElement) => {
      const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') ?? {};
      // Awaiting leaves the page no time to do anything but handle the key.
      for (let keys = 1; keys <= 100; keys++) {
        set?.call(input, 'harbour'.padEnd(keys).trimEnd() + 'x'.repeat(100 - keys));
        input.dispatchEvent(new InputEvent('input', { bubbles: true }));
        for (let step = 0; step < 20; step++) await undefined;
      }
    });
    await results(ann).getByRole('region', { name: 'Cleo' }).getByRole('button').waitFor();
    await ann.page.keyboard.press('Escape');
    await ann.page.getByRole('heading', { name: 'Chats', exact: true }).waitFor();
  });

  test('on a phone one searches in a chat from its header', async () => {
    await openChat(cleo, ann.user.mid);
    await cleo.page.getByRole('button', { name: 'Search in this chat' }).click();
    await cleo.page.getByRole('searchbox', { name: 'Search messages' }).fill('harbour');
    await results(cleo)
      .getByRole('button', { name: /no HARBOUR here/ })
      .click();
    await messageWith(cleo, 'no HARBOUR here').waitFor();
  });

  test('the keys of the search show it also on a phone in a chat, and in the settings', async () => {
    await openChat(cleo, ann.user.mid);
    await cleo.page.keyboard.press('Control+Shift+F');
    await cleo.page.getByRole('searchbox', { name: 'Search messages' }).and(cleo.page.locator(':focus')).waitFor();
    await results(cleo).getByRole('button', { name: 'Back to the chats' }).click();
    await ann.page.evaluate(() => {
      location.hash = '#/settings/devices';
    });
    await ann.page.getByRole('heading', { name: 'Devices' }).waitFor();
    await ann.page.keyboard.press('Control+Shift+F');
    await ann.page.getByRole('searchbox', { name: 'Search messages' }).and(ann.page.locator(':focus')).waitFor();
    await results(ann).getByRole('button', { name: 'Back to the chats' }).click();
  });

  test('Esc in the search closes the search, not the chat; the way to the chats closes it too', async () => {
    await openChat(ann, ben.user.mid);
    const { page } = ann;
    const field = page.getByRole('searchbox', { name: 'Search messages' });
    const search = async (): Promise<void> => {
      await page.keyboard.press('Control+Shift+F');
      await field.and(page.locator(':focus')).waitFor();
      await page.keyboard.type('harbour');
    };
    await search();
    await page.keyboard.press('Escape');
    await page.getByRole('searchbox', { name: 'Find a chat' }).waitFor();
    assert.ok(await page.getByRole('heading', { name: 'Ben' }).isVisible());
    await search();
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Chats' }).click();
    await page.getByRole('searchbox', { name: 'Find a chat' }).waitFor();
  });

  test('the palette goes to a chat and to an action by keyboard alone', async () => {
    await ann.page.keyboard.press('Control+k');
    await ann.page.locator('[role=combobox]:focus').waitFor();
    await ann.page.keyboard.type('be');
    await ann.page.getByRole('option', { name: 'Ben' }).waitFor();
    await ann.page.keyboard.press('Enter');
    await ann.page.getByRole('heading', { name: 'Ben' }).waitFor();
    await ann.page.keyboard.press('Control+k');
    await ann.page.locator('[role=combobox]:focus').waitFor();
    await ann.page.keyboard.type('shortcuts');
    await ann.page.keyboard.press('Enter');
    await ann.page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Ctrl+Shift+F').waitFor();
    // The page behind the dialog hears no keys.
    await ann.page.keyboard.press('Control+Shift+F');
    assert.equal(await ann.page.locator('[role=dialog]:focus-within').count(), 1);
    await ann.page.keyboard.press('Escape');
    await ann.page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor({ state: 'detached' });
  });

  test('the palette opens the dialog of a new chat, with the focus in its search', async () => {
    await ann.page.keyboard.press('Control+k');
    await ann.page.locator('[role=combobox]:focus').waitFor();
    await ann.page.keyboard.type('new chat');
    await ann.page.getByRole('option', { name: 'New chat' }).waitFor();
    await ann.page.keyboard.press('Enter');
    const dialog = ann.page.getByRole('dialog', { name: 'New chat' });
    await dialog.getByRole('searchbox', { name: 'Search people' }).and(ann.page.locator(':focus')).waitFor();
    await ann.page.keyboard.type('ben');
    await ann.page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Do not choose Ben' }).waitFor();
    await ann.page.keyboard.press('Enter');
    await ann.page.getByRole('heading', { name: 'Ben' }).waitFor();
    await dialog.waitFor({ state: 'detached' });
  });

  test('the palette knows the way to a group and to the logout', async () => {
    const { page } = ann;
    for (const [action, place] of [
      ['New group', page.getByRole('dialog', { name: 'New chat' }).getByText('several people for a group')],
      ['Log out', page.getByRole('region', { name: 'Account' }).getByRole('button', { name: 'Log out', exact: true })],
    ] as const) {
      await page.keyboard.press('Control+k');
      await page.locator('[role=combobox]:focus').waitFor();
      await page.keyboard.type(action);
      await page.getByRole('option', { name: action }).click();
      await place.waitFor();
      await page.keyboard.press('Escape');
    }
  });

  test('names and texts that look like markup or turn the writing round are only text', async () => {
    const mallory = await place.loggedIn(evil);
    await befriend(ann, mallory);
    await openChat(mallory, ann.user.mid);
    const texts = [
      '<script>document.title = "broken"</script>',
      'javascript:alert(1) https://example.org/<b>',
      '\u202Ereversed and never ended',
      `${'w'.repeat(4_000)}`,
      'zero\u200bwidth\u200d\u2060 and \u0000 a null',
    ];
    for (const text of texts) await write(mallory, text);
    await openChat(ann, mallory.user.mid);
    await messageWith(ann, 'reversed and never ended').waitFor();
    await messageWith(ann, '<script>').waitFor();
    await messageWith(ann, 'wwwwwwww').waitFor();
    const log = ann.page.getByRole('log');
    assert.equal(await log.locator('script, img').count(), 0);
    // Nothing is wider than its place.
    assert.equal(await log.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), 0);
    assert.doesNotMatch(await ann.page.title(), /broken/);
  });

  test('without a connection what this device keeps is searched', async () => {
    place.network.down(true);
    await ann.page.keyboard.press('Control+Shift+F');
    await ann.page.getByRole('searchbox', { name: 'Search messages' }).fill('harbour');
    await results(ann)
      .getByRole('button', { name: /The harbour at dawn/ })
      .waitFor();
    place.network.down(false);
  });
});
