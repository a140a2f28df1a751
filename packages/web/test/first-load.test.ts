// What a browser loads of the page and the engine until the first sealed message is sent.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { firstLoad, type LoadedFile } from '../first-load.ts';

/** The bytes that the page may load at first. The aim is 150,000; lower this number with each part that becomes lazy. */
const MOST = 192_000;

describe('the first load of the page', () => {
  let files: LoadedFile[];
  before(async () => {
    files = await firstLoad();
  });

  test(`is at most ${MOST} bytes of JavaScript`, () => {
    const size = files.reduce((sum, { gzipped }) => sum + gzipped, 0);
    const list = files.map(({ name, gzipped }) => `${gzipped} ${name}`).join('\n');
    assert.ok(size <= MOST, `it loads ${size} bytes:\n${list}`);
  });

  test('has the page, its words, the engine and the checks of keys, and no screen that is shown later', () => {
    const names = files.map(({ name }) => name.replace(/^assets\/(.+)-.{8}\.js$/, '$1'));
    for (const part of ['index', 'en', 'engine', 'key-checks']) assert.ok(names.includes(part), `${part} of ${names}`);
    for (const later of ['conversation-screen', 'login-screen', 'menu-popup', 'contacts-pane', 'ed25519', 'media'])
      assert.ok(!names.includes(later), `${later} is loaded at first`);
  });
});
