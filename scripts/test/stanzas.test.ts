// Tests how `npm run bench:peers` finds messages in the bytes of an XMPP stream.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stanzaScanner } from '../../bench/peers/stanzas.ts';

const FIRST = `<message from='a@localhost/1' to='b@localhost' type='chat'><body>(run.0.1)xxx</body></message>`;
const SECOND = `<message to='b@localhost'><body>(run.1.1)</body><stanza-id xmlns='urn:xmpp:sid:0' id='7'/></message>`;
const STREAM = `<presence from='b@localhost/1'/>${FIRST}<iq type='get' id='ping'><ping/></iq>${SECOND}<r/>`;

function found(pieces: readonly string[]): string[] {
  const messages: string[] = [];
  const scan = stanzaScanner((message) => messages.push(message));
  for (const piece of pieces) scan(piece);
  return messages;
}

test('messages are found among other stanzas', () => {
  assert.deepEqual(found([STREAM]), [FIRST, SECOND]);
});

test('a stream may be cut at any two places', () => {
  for (let a = 0; a <= STREAM.length; a += 1)
    for (let b = a; b <= STREAM.length; b += 1)
      assert.deepEqual(found([STREAM.slice(0, a), STREAM.slice(a, b), STREAM.slice(b)]), [FIRST, SECOND], `${a}, ${b}`);
});

test('a stream may come byte by byte', () => {
  assert.deepEqual(found([...STREAM]), [FIRST, SECOND]);
});

test('a message that is not complete is not reported', () => {
  assert.deepEqual(found([STREAM.slice(0, STREAM.indexOf('</message>'))]), []);
  assert.deepEqual(found([`${FIRST}<message`]), [FIRST]);
});
