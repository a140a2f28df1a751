// What settings, searches and addresses mean.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addAddress } from '../src/chat/people/add-address.ts';
import { nameProblem } from '../src/chat/people/name-problem.ts';
import { chatOfPath, sectionOf } from '../src/chat/routes.ts';
import { searchedBy } from '../src/chat/screens/contacts/searched-by.ts';
import { sendsOnEnter } from '../src/chat/screens/conversation/composer/enter.ts';
import { pauseEnd } from '../src/chat/screens/settings/pause.ts';

test('a number with a plus is a phone number, anything else a user id', () => {
  assert.deepEqual(searchedBy(' +81 (90) 1234-5678 '), { by: 'phone', text: '+819012345678' });
  assert.deepEqual(searchedBy('@ann'), { by: 'userid', text: 'ann' });
  assert.deepEqual(searchedBy('12345'), { by: 'userid', text: '12345' });
  assert.equal(searchedBy('  '), undefined);
});

test('the address that adds somebody has nothing but the user id, else the mid', () => {
  const here = 'https://chat.example/?x=1#/settings/profile';
  assert.equal(addAddress(here, { mid: 'u1', userid: 'ann' }), 'https://chat.example/#/add/ann');
  assert.equal(addAddress(here, { mid: 'u1' }), 'https://chat.example/#/contacts/u1');
});

test('a path belongs to a section and to a chat, with its details or without', () => {
  assert.equal(chatOfPath('/chats/u1/details'), 'u1');
  assert.equal(chatOfPath('/chats/u1'), 'u1');
  assert.equal(chatOfPath('/contacts/u1'), undefined);
  assert.equal(sectionOf('/add/ann'), 'contacts');
});

test('a name is counted in characters, and may be empty only where that means something', () => {
  assert.equal(nameProblem('😀😀', 2), undefined);
  assert.deepEqual(nameProblem('abc', 2), { length: 3 });
  assert.equal(nameProblem(' ', 20), 'empty');
  assert.equal(nameProblem('', 20, true), undefined);
});

describe('the Enter key', () => {
  const press = {
    key: 'Enter',
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    isComposing: false,
    keyCode: 13,
  };

  test('sends, or makes a new line and sends with Ctrl, as the user chose', () => {
    assert.equal(sendsOnEnter(press, 'send'), true);
    assert.equal(sendsOnEnter(press, 'line'), false);
    assert.equal(sendsOnEnter({ ...press, ctrlKey: true }, 'line'), true);
    assert.equal(sendsOnEnter({ ...press, metaKey: true }, 'line'), true);
  });

  test('never sends while an input method is composing, or with Shift', () => {
    assert.equal(sendsOnEnter({ ...press, isComposing: true }, 'send'), false);
    assert.equal(sendsOnEnter({ ...press, keyCode: 229, ctrlKey: true }, 'line'), false);
    assert.equal(sendsOnEnter({ ...press, shiftKey: true }, 'send'), false);
  });
});

test('a pause ends after its hours, or at eight of the next morning', () => {
  const now = new Date(2026, 11, 31, 23, 30).getTime();
  assert.equal(pauseEnd('hour', now), now + 3_600_000);
  assert.equal(pauseEnd('workday', now), now + 8 * 3_600_000);
  assert.equal(pauseEnd('morning', now), new Date(2027, 0, 1, 8, 0).getTime());
});
