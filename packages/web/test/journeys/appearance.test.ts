// How the page looks and which language it speaks, and the keys that go from chat to chat.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { befriend, openChat, type Person, skip, world, write } from '../browsers.ts';

const languages = [
  { tag: 'ja', name: '日本語', chats: 'チャット' },
  { tag: 'zh-Hant', name: '繁體中文', chats: '聊天' },
  { tag: 'th', name: 'ไทย', chats: 'แชท' },
] as const;

describe('how the page looks and speaks', { skip }, () => {
  const place = world();
  let ann: Person;
  let ben: Person;
  let cleo: Person;

  const background = ({ page }: Person): Promise<string> =>
    page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const goTo = ({ page }: Person, path: string): Promise<void> =>
    page.evaluate((where) => {
      location.hash = where;
    }, path);

  test('light and dark follow the system until one chooses, and the choice stays', async () => {
    ann = await place.loggedIn('Ann', { colorScheme: 'light' });
    const light = await background(ann);
    await ann.page.emulateMedia({ colorScheme: 'dark' });
    const dark = await background(ann);
    assert.notEqual(dark, light);
    await goTo(ann, '#/settings/appearance');
    await ann.page.getByLabel('Theme').selectOption('Light');
    assert.equal(await background(ann), light);
    await ann.page.reload();
    await ann.page.getByLabel('Theme').waitFor();
    assert.equal(await background(ann), light);
    await ann.page.getByLabel('Theme').selectOption('As the system');
    assert.equal(await background(ann), dark);
  });

  test('a browser’s language is spoken from the login on, also when it is written in another way', async () => {
    const { page } = await place.person('Dora', { locale: 'zh-TW' });
    await page.getByRole('button', { name: '登入', exact: true }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.lang), 'zh-Hant');
  });

  for (const { tag, name, chats } of languages) {
    test(`${tag} is chosen in the settings, spoken on every screen, and stays`, async () => {
      const { page } = ann;
      await goTo(ann, '#/settings/appearance');
      await page.locator('select').last().selectOption(name);
      await page.locator(`html[lang="${tag}"]`).waitFor();
      await page.getByRole('link', { name: chats }).first().waitFor();
      await page.reload();
      await page.locator(`html[lang="${tag}"]`).waitFor();
      for (const path of ['#/', '#/contacts', '#/settings', '#/settings/security']) {
        await goTo(ann, path);
        await page.locator('section:visible').first().waitFor();
        await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
        const said = await page.locator('main').innerText();
        assert.match(said, /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Thai}]/u, path);
      }
    });
  }

  test('one comes back to English', async () => {
    await goTo(ann, '#/settings/appearance');
    await ann.page.locator('select').last().selectOption('English');
    await ann.page.getByRole('link', { name: 'Contacts' }).waitFor();
  });

  test('a choice of theme and language reaches the other tabs', async () => {
    const other = await ann.tab();
    await other.getByRole('link', { name: 'Settings' }).click();
    await other.getByRole('link', { name: 'Appearance' }).click();
    const [theme, language] = [other.locator('select').first(), other.locator('select').last()];
    await theme.waitFor();
    await ann.page.locator('select').first().selectOption('Dark');
    await other.locator('html[data-theme=dark]').waitFor();
    await ann.page.locator('select').last().selectOption('ไทย');
    await other.locator('html[lang=th]').waitFor();
    assert.deepEqual([await theme.inputValue(), await language.inputValue()], ['dark', 'th']);
    await language.selectOption('English');
    await ann.page.locator('html[lang=en]').waitFor();
    await theme.selectOption('As the system');
    await ann.page.locator('html:not([data-theme])').waitFor();
    await other.close();
  });

  test('Alt and the arrow keys go from chat to chat, also while one writes, and keep what was written', async () => {
    ben = await place.loggedIn('Ben');
    cleo = await place.loggedIn('Cleo');
    for (const friend of [ben, cleo]) {
      await befriend(ann, friend);
      await openChat(friend, ann.user.mid);
      await write(friend, `from ${friend.user.userid}`);
      await goTo(ann, '#/');
      await ann.page.getByRole('link', { name: new RegExp(`from ${friend.user.userid}`) }).waitFor();
    }
    await ann.page.keyboard.press('Alt+ArrowDown');
    await ann.page.getByRole('heading', { name: 'Cleo' }).waitFor();
    await ann.page.locator('textarea:focus').waitFor();
    await ann.page.keyboard.type('half a line');
    await ann.page.keyboard.press('Alt+ArrowDown');
    await ann.page.getByRole('heading', { name: 'Ben' }).waitFor();
    await ann.page.locator('textarea:focus').waitFor();
    assert.equal(await ann.page.getByRole('textbox', { name: 'Write a message' }).inputValue(), '');
    await ann.page.keyboard.press('Alt+ArrowUp');
    await ann.page.getByRole('heading', { name: 'Cleo' }).waitFor();
    assert.equal(await ann.page.getByRole('textbox', { name: 'Write a message' }).inputValue(), 'half a line');
  });

  test('? shows every key, but not while one writes', async () => {
    await ann.page.locator('textarea:focus').waitFor();
    await ann.page.keyboard.type('?');
    assert.equal(await ann.page.getByRole('textbox', { name: 'Write a message' }).inputValue(), 'half a line?');
    await ann.page.getByRole('log', { name: 'Messages' }).focus();
    await ann.page.keyboard.press('?');
    const sheet = ann.page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    for (const keys of ['Ctrl+K', 'Alt+↓', 'Esc']) await sheet.getByText(keys, { exact: true }).waitFor();
    await ann.page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
  });
});
