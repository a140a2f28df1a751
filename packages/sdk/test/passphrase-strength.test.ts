import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { createRecoveryPassphrase, passphraseStrength } from '@sealpost/sdk';

test('a made passphrase is always strong enough, however it is typed', async () => {
  for (let i = 0; i < 20; i++) {
    const made = createRecoveryPassphrase();
    for (const typed of [made, made.toUpperCase(), ` ${made.replaceAll(' ', '-')} `]) {
      const { enough, guessesLog10 } = await passphraseStrength(typed);
      assert.ok(enough && guessesLog10 > 20, `${typed}: 10^${guessesLog10}`);
    }
  }
});

test('what is easy to guess is named, without its words', async () => {
  for (const [weak, words] of [
    ['a passphrase of mine', /common words/],
    ['correct horse battery staple', /common words/],
    ['p4ssw0rd p4ssw0rd p4ssw0rd', /repeats itself/],
    ['29.02.1984 29.02.1984', /date|repeats/],
    ['abcdefghijklmnopqrst', /row of letters/],
    ['kX9#mQ2$vL7', /too short/],
    ['', /too short/],
  ] as const) {
    const { enough, weaknesses } = await passphraseStrength(weak);
    assert.equal(enough, false, weak);
    assert.match(weaknesses.join('; '), words, weak);
    for (const word of weak.split(/[^a-z0-9]+/i).filter((part) => part.length > 5)) {
      assert.ok(!weaknesses.join().includes(word), weak);
    }
  }
});

test('words of one’s own that do not belong together are enough, unless they are about the account', async () => {
  assert.ok((await passphraseStrength('gravel onion tractor velvet mimic')).enough);
  assert.ok((await passphraseStrength('Zyxqualoth Vambrikesh')).enough);
  assert.equal((await passphraseStrength('Zyxqualoth Vambrikesh', ['Zyxqualoth', 'Vambrikesh'])).enough, false);
});

/**
 * Prints which modules are loaded. Resolves modules as a bundler for browsers does, without network and without modules
 * of Node.
 */
const program = `
  import { registerHooks } from 'node:module';
  const loaded = [];
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, { ...context, conditions: ['browser', 'import', 'default'] });
      if (found.url.startsWith('node:')) throw new Error(context.parentURL + ' needs ' + specifier);
      loaded.push(found.url);
      return found;
    },
  });
  globalThis.fetch = () => { throw new Error('the network is not needed'); };
  const { passphraseStrength } = await import(process.argv[1]);
  const dictionaries = () => loaded.filter((url) => url.includes('zxcvbn')).length;
  const before = dictionaries();
  const { enough } = await passphraseStrength('gravel onion tractor velvet mimic');
  process.stdout.write([before, enough, dictionaries() > 0].join(' '));
`;

test('the dictionaries are loaded with the first question and not with the package, in browsers too', () => {
  const index = new URL('../src/index.ts', import.meta.url).href;
  const run = spawnSync(process.execPath, ['--input-type=module', '--eval', program, index], { encoding: 'utf8' });
  assert.equal(run.stderr, '');
  assert.equal(run.stdout, '0 true true');
});
