// What one does with messages: answer and jump, react, unsend and undo, forward, select, by mouse and by keyboard.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { befriend, messageWith, openChat, type Person, skip, world, write } from '../browsers.ts';
import { png } from '../files.ts';

/** The addresses of the content of messages. */
const OBJECTS = /\/r\/talk\//;

describe('what one does with messages', { skip }, () => {
  const place = world();
  let ann: Person;
  let ben: Person;

  /** Opens the menu of a message, and chooses an item. */
  async function choose(person: Person, text: string, item: string): Promise<void> {
    await messageWith(person, text).last().hover();
    await messageWith(person, text).last().getByRole('button', { name: 'More about this message' }).click();
    await person.page.getByRole('menuitem', { name: item, exact: true }).click();
  }

  async function forwardSelected({ page }: Person, to: string): Promise<void> {
    await page.getByRole('toolbar', { name: 'Selected messages' }).getByRole('button', { name: 'Forward' }).click();
    await page.getByRole('searchbox', { name: 'Find a chat or person' }).fill(to);
    await page.getByRole('checkbox', { name: to }).check();
    await page.getByRole('button', { name: 'Forward to 1 chat' }).click();
  }

  const sent = (person: Person, text: string) =>
    messageWith(person, text)
      .last()
      .getByRole('img', { name: /Sent|Read/ })
      .waitFor();

  test('an answer shows what it answers, and a press goes there and back', async () => {
    ann = await place.loggedIn('Ann');
    ben = await place.loggedIn('Ben', { reducedMotion: 'reduce' });
    await befriend(ann, ben);
    await openChat(ann, ben.user.mid);
    await write(ann, 'the very first thing');
    for (let number = 1; number <= 25; number++) await write(ann, `line ${number}`);
    await sent(ann, 'line 25');
    await openChat(ben, ann.user.mid);
    // Nothing was read here yet, so the chat opens at its first message.
    await messageWith(ben, 'the very first thing').waitFor();
    await choose(ben, 'the very first thing', 'Reply');
    await ben.page.getByRole('button', { name: 'Do not reply' }).waitFor();
    await ben.page.getByRole('textbox', { name: 'Write a message' }).and(ben.page.locator(':focus')).waitFor();
    await ben.page.getByRole('menu').waitFor({ state: 'detached' });
    await ben.page.keyboard.type('I agree with that');
    await ben.page.keyboard.press('Enter');
    await messageWith(ann, 'I agree with that')
      .getByRole('button', { name: /the very first thing/ })
      .click();
    await ann.page.getByRole('button', { name: 'Back to where you were' }).waitFor();
    await messageWith(ann, 'the very first thing').first().waitFor();
    await ann.page.getByRole('button', { name: 'Back to where you were' }).click();
    await messageWith(ann, 'I agree with that').waitFor();
  });

  test('an answer that is not sent yet survives a reload with what it answers', async () => {
    await choose(ann, 'I agree with that', 'Reply');
    await ann.page.getByRole('textbox', { name: 'Write a message' }).fill('half of an ans');
    await ann.page.getByRole('link', { name: 'Contacts' }).click();
    await ann.page.getByRole('link', { name: /Chats/ }).click();
    await ann.page.getByRole('link', { name: /Draft: half of an ans/ }).waitFor();
    await ann.page.reload();
    await openChat(ann, ben.user.mid);
    await ann.page.getByRole('button', { name: 'Do not reply' }).waitFor();
    assert.equal(await ann.page.getByRole('textbox', { name: 'Write a message' }).inputValue(), 'half of an ans');
    await write(ann, 'the whole answer');
    await messageWith(ben, 'the whole answer')
      .getByRole('button', { name: /I agree/ })
      .waitFor();
  });

  test('both react, and see who did', async () => {
    const said = 'line 25';
    await messageWith(ben, said).hover();
    await messageWith(ben, said).getByRole('button', { name: 'React' }).click();
    await ben.page.getByRole('menuitem', { name: 'Love' }).click();
    await messageWith(ann, said).getByRole('button', { name: 'Love: 1 (Ben)' }).click();
    await messageWith(ben, said)
      .getByRole('button', { name: /Love: 2 \((Ann and Ben|Ben and Ann)\)/ })
      .click();
    await messageWith(ann, said).getByRole('button', { name: 'Love: 1 (Ann)' }).waitFor();
  });

  test('unsending can be undone; without that the message goes at both sides', async () => {
    await write(ann, 'stays after all');
    await sent(ann, 'stays after all');
    await choose(ann, 'stays after all', 'Unsend');
    await ann.page.getByText('This message was unsent').waitFor();
    await ann.page.getByRole('button', { name: 'Undo' }).click();
    await messageWith(ann, 'stays after all').waitFor();
    await write(ann, 'goes away');
    await sent(ann, 'goes away');
    await messageWith(ben, 'goes away').waitFor();
    await choose(ann, 'goes away', 'Unsend');
    // Closing the notice ends the time for undoing it.
    await ann.page.getByRole('region', { name: 'Messages of the page' }).getByRole('button', { name: 'Close' }).click();
    await messageWith(ben, 'goes away').waitFor({ state: 'detached' });
    assert.equal(await messageWith(ben, 'stays after all').count(), 1);
  });

  test('unsending happens although the page is left at once', async () => {
    await write(ann, 'gone with the page');
    await messageWith(ben, 'gone with the page').waitFor();
    await sent(ann, 'gone with the page');
    await choose(ann, 'gone with the page', 'Unsend');
    await ann.page.getByText('The message is unsent').waitFor();
    await ann.page.reload();
    await messageWith(ben, 'gone with the page').waitFor({ state: 'detached' });
  });

  test('what another page can still undo is not unsent by a new one', async () => {
    for (const text of ['may be undone', 'was left behind']) {
      await write(ann, text);
      await sent(ann, text);
      await messageWith(ben, text).waitFor();
    }
    const idOf = (text: string) => messageWith(ann, text).getAttribute('data-message');
    const entry = { by: ann.user.mid, due: 0 };
    const entries = [
      { ...entry, id: await idOf('may be undone'), due: Date.now() + 3_600_000 },
      { ...entry, id: await idOf('was left behind') },
    ];
    await ann.page.evaluate((stored) => localStorage.setItem('sealpost-unsends', stored), JSON.stringify(entries));
    await ann.page.reload();
    await messageWith(ben, 'was left behind').waitFor({ state: 'detached' });
    assert.equal(await messageWith(ann, 'may be undone').count(), 1);
    assert.equal(await messageWith(ben, 'may be undone').count(), 1);
    await ann.page.evaluate(() => localStorage.removeItem('sealpost-unsends'));
  });

  test('a message is forwarded to somebody else, sealed', async () => {
    const cleo = await place.loggedIn('Cleo', { size: 'phone' });
    await befriend(ann, cleo);
    await openChat(ann, ben.user.mid);
    await choose(ann, 'the whole answer', 'Forward');
    await ann.page.getByRole('checkbox', { name: 'Cleo' }).check();
    await ann.page.getByRole('button', { name: 'Forward to 1 chat' }).click();
    await ann.page.getByText('Forwarded', { exact: true }).waitFor();
    await openChat(cleo, ann.user.mid);
    await messageWith(cleo, 'the whole answer').getByRole('img', { name: 'Sealed' }).waitFor();
  });

  test('several messages are selected and forwarded in their order', async () => {
    await choose(ann, 'line 25', 'Select');
    await ann.page.getByRole('checkbox', { name: 'Select: I agree with that' }).check();
    await ann.page.getByText('2 selected').waitFor();
    await forwardSelected(ann, 'Ben');
    // An answer has the text of what it answers too, so both are looked for at their places: the last ones.
    const shown = ben.page.getByRole('log').getByRole('article');
    await shown.nth(-2).filter({ hasText: 'line 25' }).waitFor();
    await shown.last().filter({ hasText: 'I agree with that' }).waitFor();
    assert.equal(await shown.last().locator('blockquote').count(), 0);
  });

  test('the keyboard alone goes through messages, answers, reacts and unsends', async () => {
    await write(ben, 'by keyboard');
    await sent(ben, 'by keyboard');
    await ann.page.getByRole('status').filter({ hasText: 'Ben: by keyboard' }).waitFor({ state: 'attached' });
    await ben.page.getByRole('log').focus();
    await ben.page.keyboard.press('ArrowUp');
    await ben.page.locator('article:focus', { hasText: 'by keyboard' }).waitFor();
    await ben.page.keyboard.press('ArrowUp');
    await ben.page.locator('article:focus', { hasText: 'I agree with that' }).waitFor();
    await ben.page.keyboard.press('e');
    await ben.page.getByRole('menuitem', { name: 'Like' }).waitFor();
    // The key closes the menu, not the chat behind it, also if the menu does not have the focus yet.
    await ben.page.locator('[role=menu]:focus-within').waitFor();
    await ben.page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    await ben.page.keyboard.press('Escape');
    // The message has the focus again, so the next key goes on from there.
    await ben.page.locator('article:focus', { hasText: 'I agree with that' }).waitFor();
    // The reactions stand in a row, so the keys to the left and right go along it.
    await ben.page.keyboard.press('e');
    await ben.page.locator('[role=menu]:focus-within').waitFor();
    await ben.page.keyboard.press('ArrowRight');
    await ben.page.locator('[role=menuitem]:focus').first().waitFor();
    await ben.page.keyboard.press('ArrowRight');
    await ben.page.getByRole('menuitem').nth(1).and(ben.page.locator(':focus')).waitFor();
    await ben.page.keyboard.press('Escape');
    await ben.page.locator('article:focus', { hasText: 'I agree with that' }).waitFor();
    await ben.page.keyboard.press('End');
    await ben.page.locator('article:focus', { hasText: 'by keyboard' }).waitFor();
    await ben.page.keyboard.press('r');
    await ben.page.getByRole('button', { name: 'Do not reply' }).waitFor();
    await ben.page.locator('textarea:focus').waitFor();
    await ben.page.getByRole('log').focus();
    await ben.page.keyboard.press('ArrowUp');
    await ben.page.locator('article:focus', { hasText: 'by keyboard' }).waitFor();
    await ben.page.keyboard.press('Delete');
    await ben.page.getByText('The message is unsent').waitFor();
  });

  test('a message tells who has read it and how it is sealed', async () => {
    await ben.page.bringToFront();
    await messageWith(ann, 'the whole answer').getByRole('img', { name: 'Read' }).waitFor();
    await choose(ann, 'the whole answer', 'About this message');
    const about = ann.page.getByRole('dialog', { name: 'About this message' });
    await about.getByText('Ben', { exact: true }).waitFor();
    await about.getByText(/Sealed end to end/).waitFor();
    await about.getByRole('button', { name: 'Close' }).click();
  });

  test('what is said is announced, and the title counts the chats with unread messages', async () => {
    await openChat(ann, ben.user.mid);
    await write(ben, 'can you hear me');
    await ann.page.getByRole('status').filter({ hasText: 'Ben: can you hear me' }).waitFor({ state: 'attached' });
    await ann.page.getByRole('link', { name: 'Contacts' }).click();
    await write(ben, 'and now?');
    await ann.page.waitForFunction(() => document.title.startsWith('(1) '));
  });

  test('if one of several forwarded messages cannot be read, that is told, and the others arrive', async () => {
    const { page, context } = ann;
    await openChat(ann, ben.user.mid);
    await page.getByLabel('Choose pictures or videos').setInputFiles(png('gone.png', 20, 20));
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await write(ann, 'after the picture');
    await sent(ann, 'after the picture');
    await context.route(OBJECTS, (route) => route.fulfill({ status: 404 }));
    await choose(ann, 'after the picture', 'Select');
    await page
      .getByRole('checkbox', { name: /^Select: Picture, You, \d/ })
      .last()
      .check();
    await page.getByText('2 selected').waitFor();
    await forwardSelected(ann, 'Ben');
    await page.getByText(/^1 message could not be forwarded\. ./).waitFor();
    await messageWith(ben, 'after the picture').nth(1).waitFor();
    await context.unroute(OBJECTS);
    await messageWith(ann, 'Not sent').getByRole('button', { name: 'Delete' }).click();
  });

  test('without a connection all of several forwarded messages wait, and arrive in their order', async () => {
    const { page } = ann;
    place.network.down(true);
    await page.getByText('Not connected.').waitFor();
    await choose(ann, 'stays after all', 'Select');
    await page.getByRole('checkbox', { name: 'Select: line 25' }).first().check();
    await page.getByRole('checkbox', { name: 'Select: Picture' }).last().check();
    await page.getByText('3 selected').waitFor();
    await forwardSelected(ann, 'Ben');
    for (const text of ['line 25', 'stays after all', 'Picture'])
      await messageWith(ann, text)
        .last()
        .getByText(/Waiting|Sending/)
        .waitFor();
    place.network.down(false);
    const shown = ben.page.getByRole('log').getByRole('article');
    await shown.nth(-3).filter({ hasText: 'line 25' }).waitFor();
    await shown.nth(-2).filter({ hasText: 'stays after all' }).waitFor();
    await shown.last().getByRole('button', { name: 'Open the picture' }).waitFor();
  });

  test('a logout sends what could still be undone', async () => {
    await openChat(ann, ben.user.mid);
    await openChat(ben, ann.user.mid);
    await write(ann, 'before I go');
    await sent(ann, 'before I go');
    await messageWith(ben, 'before I go').waitFor();
    await choose(ann, 'before I go', 'Unsend');
    await ann.page.evaluate(() => {
      location.hash = '#/settings/security';
    });
    await ann.page.getByRole('region', { name: 'Log out' }).getByRole('button').click();
    await ann.page
      .getByRole('dialog')
      .getByRole('button', { name: /^Log out/ })
      .click();
    await ann.page.getByLabel('Password').waitFor();
    await messageWith(ben, 'before I go').waitFor({ state: 'detached' });
    assert.equal(await ann.page.evaluate(() => localStorage.getItem('sealpost-unsends')), null);
  });
});
