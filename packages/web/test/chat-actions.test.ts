// What the menu and the details of a chat offer.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { contentTypes } from '@sealpost/contract';
import { chatActions } from '../src/chat/people/chat-actions.ts';
import { reportableMessages } from '../src/chat/people/reportable.ts';
import { chatFiles } from '../src/chat/screens/conversation/details/chat-files.ts';
import { membersInOrder } from '../src/chat/screens/conversation/details/members-in-order.ts';
import { byMid, chatOf, contactOf, messageOf } from './records.ts';

describe('the menu of a chat', () => {
  test('offers what changes the state as it is, and leaving only for groups and rooms', () => {
    assert.deepEqual(chatActions(chatOf('g')), ['favor', 'mute', 'hide', 'delete-history', 'leave']);
    const used = chatOf('u', { kind: 'user', unread: 2, muted: true, favorite: true, hidden: true });
    assert.deepEqual(chatActions(used), ['read', 'disfavor', 'unmute', 'show', 'delete-history']);
  });

  test('offers hardly anything for an invitation', () => {
    assert.deepEqual(chatActions(chatOf('g', { invited: true })), ['mute']);
  });
});

test('a report has the newest messages of others, without those of the server', () => {
  const messages = [
    ...Array.from({ length: 30 }, (_, index) => messageOf(String(index + 1))),
    messageOf('31', { from: 'me' }),
    messageOf('32', { contentType: contentTypes.CHATEVENT }),
  ];
  const ids = reportableMessages(messages, 'me').map(({ id }) => Number(id));
  assert.deepEqual(
    ids,
    Array.from({ length: 20 }, (_, index) => index + 11),
  );
});

test('the files of a chat are the newest first, without what cannot be opened', () => {
  const files = chatFiles([
    messageOf('1', { contentType: contentTypes.IMAGE }),
    messageOf('2'),
    messageOf('3', { contentType: contentTypes.FILE, contentMetadata: { FILE_NAME: 'plan.pdf' } }),
    messageOf('4', { contentType: contentTypes.IMAGE, contentMetadata: { UNSENT: 'true' } }),
    messageOf('5', { contentType: contentTypes.FILE, sealing: { state: 'unopened', reason: 'no-key' } as never }),
  ]);
  assert.deepEqual(
    files.map(({ kind, name, message }) => [kind, name, message.id]),
    [
      ['file', 'plan.pdf', '3'],
      ['picture', '', '1'],
    ],
  );
});

test('the account itself is the first member, then the others by name', () => {
  const contacts = byMid(contactOf('u2', { displayName: 'Zoe' }), contactOf('u3', { displayName: 'ann' }));
  assert.deepEqual(membersInOrder(['u2', 'u1', 'u3'], 'u1', contacts, 'en'), ['u1', 'u3', 'u2']);
});
