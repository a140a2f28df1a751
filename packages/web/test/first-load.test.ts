// What a browser loads of the page and the engine until the list of chats is shown.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type LoadedFile, pageLoad } from '../first-load.ts';

/** The bytes that the page may load at first. The limit is 150,000: lower this number with each part that becomes lazy. */
const MOST = 150_000;
/** The same for the script that asks for words before the main script has come. */
const MOST_AHEAD = 2_500;

describe('the first load of the page', () => {
  let ahead: readonly LoadedFile[];
  let files: readonly LoadedFile[];
  let chat: readonly LoadedFile[];
  before(async () => {
    ({ ahead, first: files, chat } = await pageLoad());
  });

  test(`is at most ${MOST} bytes of JavaScript`, () => {
    const size = files.reduce((sum, { gzipped }) => sum + gzipped, 0);
    const list = files.map(({ name, gzipped }) => `${gzipped} ${name}`).join('\n');
    assert.ok(size <= MOST, `it loads ${size} bytes:\n${list}`);
  });

  test('the script beside the main one is small, and waits for no other', () => {
    const size = ahead.reduce((sum, { gzipped }) => sum + gzipped, 0);
    assert.ok(size <= MOST_AHEAD, `it loads ${size} bytes: ${ahead.map(({ name }) => name).join(', ')}`);
    assert.ok(ahead.some(({ code }) => code.includes('en-')));
  });

  test('has the page, its words, the engine and the checks of keys, and no screen that is shown later', () => {
    const names = files.map(({ name }) => name.replace(/^assets\/(.+)-.{8}\.js$/, '$1'));
    for (const part of ['index', 'en', 'engine', 'key-checks']) assert.ok(names.includes(part), `${part} of ${names}`);
    for (const later of [
      'en-others',
      'conversation-screen',
      'login-screen',
      'menu-popup',
      'contacts-pane',
      'ed25519',
      'media',
      'known-errors',
    ])
      assert.ok(!names.includes(later), `${later} is loaded at first`);
  });

  test('has a script of the worker that only imports the engine, because WebKit runs it again if a part imports it', () => {
    const script = files.find(({ name }) => name.startsWith('assets/engine-worker-'));
    assert.match(script?.code ?? '', /^import"\.\/engine-.{8}\.js";\s*$/);
  });

  test('has all words that its code shows', () => {
    const others = chat.find(({ name }) => /^assets\/en-others-/.test(name))?.code ?? '';
    const ids = [...others.matchAll(/"([\w+/]{6})":\[/g)].map(([, id = '']) => id);
    const code = files.map((file) => file.code).join('\n');
    assert.ok(ids.length > 300, `${ids.length} texts are loaded later`);
    assert.deepEqual(
      ids.filter((id) => [`"${id}"`, `'${id}'`, `\`${id}\``].some((text) => code.includes(text))),
      [],
    );
  });
});
