// What the pages decide about messages: rows, lines, searches, announcements.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { contentTypes } from '@sealpost/contract';
import type { ChatView, StoredMessage } from '@sealpost/sdk';
import { heard, incoming, pageTitle, silence } from '../src/chat/announcements.ts';
import { found } from '../src/chat/overlays/found.ts';
import { addOlder, emptyConversation, withoutOld } from '../src/chat/rows/conversation.ts';
import { withMentions } from '../src/chat/rows/mentioned.ts';
import { readersOf } from '../src/chat/rows/readers-of.ts';
import { rowsOf } from '../src/chat/rows/rows.ts';
import { createDraftKeeper, type KeptDraft, unstoredDraft } from '../src/chat/screens/conversation/composer/draft.ts';
import { begunMention, mentionedIn, withMention } from '../src/chat/screens/conversation/composer/mentions.ts';
import { pushedBack, toggled } from '../src/chat/screens/conversation/conversation-view.ts';
import { dayAtTop, newSince, nextFocusable, nextLine, writtenNow } from '../src/chat/screens/conversation/list-math.ts';
import { newestVisible, seenTwice } from '../src/chat/screens/conversation/visible-reads.ts';
import { byChat, matchParts, matchRanges } from '../src/chat/screens/search/matches.ts';
import { pendingUnsends, withoutUnsend, withUnsend } from '../src/chat/unsend/pending-unsends.ts';

const DAY = 86_400_000;

const message = (id: number, from = 'uben', createdTime = id * 1_000): StoredMessage =>
  ({
    id: String(id),
    from,
    to: 'uann',
    contentType: 0,
    contentMetadata: {},
    createdTime: String(createdTime),
  }) as never;
const chat = (mid: string, last?: StoredMessage, more: Partial<ChatView> = {}): ChatView =>
  ({ mid, name: mid, muted: false, ...(last && { last }), ...more }) as never;

describe('the list of messages', () => {
  const messages = [message(1), message(2), message(3, 'uben', DAY + 5_000), message(4, 'uann', DAY + 6_000)];
  const rows = rowsOf({ me: 'uann', messages, waiting: [], readUpTo: '2' });

  test('the arrow keys pass lines between messages', () => {
    assert.deepEqual(
      rows.map(({ kind }) => kind),
      ['day', 'message', 'message', 'day', 'unread', 'message', 'message'],
    );
    assert.equal(nextFocusable(rows, 2, 1), 5);
    assert.equal(nextFocusable(rows, 5, -1), 2);
    assert.equal(nextFocusable(rows, 1, -1), undefined);
    assert.equal(nextFocusable(rows, rows.length, -1), 6);
  });

  test('the arrow keys pass messages of the system, which cannot have the focus', () => {
    const system = { ...message(5), contentType: contentTypes.CHATEVENT };
    const after = rowsOf({ me: 'uann', messages: [message(4), system, message(6)], waiting: [], readUpTo: '6' });
    assert.deepEqual(
      after.map(({ kind }) => kind),
      ['day', 'message', 'message', 'message'],
    );
    assert.equal(nextFocusable(after, 3, -1), 1);
    assert.equal(nextFocusable(after, 1, 1), 3);
  });

  test('the day at the upper edge is the one of the message there, unless its line is in view', () => {
    const items = rows.map((_, index) => ({ index, start: index * 50, end: index * 50 + 50 }));
    assert.equal(dayAtTop(rows, items, 0), undefined);
    assert.equal(dayAtTop(rows, items, 120), 1_000);
    assert.equal(dayAtTop(rows, items, 170), undefined);
    assert.equal(dayAtTop(rows, items, 310), DAY + 5_000);
  });

  test('old messages that were let go can be read again', () => {
    const whole = { ...emptyConversation, messages, complete: true };
    assert.equal(withoutOld(whole, 4), whole);
    const cut = withoutOld(whole, 2);
    assert.deepEqual([cut.complete, cut.messages.map(({ id }) => id)], [false, ['3', '4']]);
    const again = addOlder(cut, messages.slice(0, 2).toReversed(), true);
    assert.deepEqual([again.complete, again.messages], [true, messages]);
  });

  test('only messages of others are counted as new', () => {
    assert.equal(newSince(messages, '1', 'uann'), 2);
    assert.equal(newSince(messages, '3', 'uann'), 0);
  });

  test('what was written here is noticed although it was sent before it was shown; what is read later is not', () => {
    const own = (id: number): StoredMessage => ({ ...message(id, 'uann'), localId: `local ${id}` });
    const first = writtenNow(undefined, [message(5), own(6)], [{ localId: 'failed' }]);
    assert.equal(first.last, undefined);
    assert.equal(writtenNow(first, [own(4), message(5), own(6)], [{ localId: 'failed' }]).last, undefined);
    const sent = writtenNow(first, [own(6), own(7), message(8)], [{ localId: 'failed' }]);
    assert.equal(sent.last, 'local 7');
    assert.equal(writtenNow(sent, [own(7), message(8), message(9)], []).last, 'local 7');
    const waits = writtenNow(sent, [message(8)], [{ localId: 'failed' }, { localId: 'local 9' }]);
    assert.equal(waits.last, 'local 9');
    assert.deepEqual(writtenNow(waits, [message(8), own(9)], []), { last: 'local 9', newest: '9', waiting: [] });
    assert.equal(writtenNow(writtenNow(undefined, [], []), [own(1)], []).last, 'local 1');
  });

  test('the line above unread messages is drawn in an absence only, and the next absence begins anew', () => {
    const looks = { unread: 0, seenId: '5', focused: true };
    const away = { ...looks, focused: false };
    assert.equal(nextLine(undefined, looks, { ...looks, unread: 1 }), undefined);
    assert.equal(nextLine('3', looks, away), undefined);
    assert.equal(nextLine(undefined, away, { ...away, unread: 1 }), '5');
    assert.equal(nextLine('5', { ...away, unread: 1 }, { ...away, unread: 2, seenId: '5' }), '5');
    assert.equal(nextLine('5', { ...away, unread: 2 }, { ...looks, unread: 2 }), '5');
  });

  test('a message was seen if two looks in a row saw its lower edge', () => {
    const items = rows.map((_, index) => ({ index, end: index * 50 + 50 }));
    assert.equal(newestVisible(rows, items, 150, 'uann'), '2');
    assert.equal(newestVisible(rows, items, 145, 'uann'), '1');
    assert.equal(newestVisible(rows, items, 90, 'uann'), undefined);
    assert.equal(seenTwice(undefined, '2'), undefined);
    assert.equal(seenTwice('2', undefined), undefined);
    assert.equal(seenTwice('9', '10'), '9');
    assert.equal(seenTwice('10', '9'), '9');
  });

  test('the way back remembers each place once in a row, and not without end', () => {
    assert.deepEqual(pushedBack(pushedBack([], '1'), '1'), ['1']);
    const long = Array.from({ length: 50 }, (_, index) => String(index)).reduce(pushedBack, []);
    assert.equal(long.length, 20);
    assert.equal(long.at(-1), '49');
  });

  test('taking the last message from the selection ends it', () => {
    assert.deepEqual([...(toggled(toggled(undefined, '1'), '2') ?? [])], ['1', '2']);
    assert.equal(toggled(new Set(['1']), '1'), undefined);
  });

  test('who has read on has read a message; its sender is not asked', () => {
    const who = readersOf({ id: '10', from: 'uann' }, ['uann', 'uben', 'ucleo'], { uben: '12', ucleo: '9' });
    assert.deepEqual(who, { read: ['uben'], unread: ['ucleo'] });
  });

  test('what a browser remembers to unsend survives a spoilt text', () => {
    const entry = { id: '2', by: 'uann', due: 5 };
    assert.deepEqual(pendingUnsends(null), []);
    assert.deepEqual(pendingUnsends('{"a":'), []);
    assert.deepEqual(pendingUnsends('{}'), []);
    assert.deepEqual(pendingUnsends(JSON.stringify([1, '2', null, { id: '2' }, entry])), [entry]);
    const later = { ...entry, due: 9 };
    assert.deepEqual(withUnsend(withUnsend([], entry), later), [later]);
    assert.deepEqual(withoutUnsend([entry], '2'), []);
  });
});

describe('drafts', () => {
  test('a draft is there while it is being stored, and if it cannot be stored', async () => {
    const stored = Promise.withResolvers<void>();
    const keeper = createDraftKeeper('uann/uben', () => stored.promise);
    keeper.keep({ text: 'half a line' });
    assert.equal(unstoredDraft('uann/uben'), undefined);
    keeper.flush();
    assert.deepEqual(unstoredDraft('uann/uben'), { draft: { text: 'half a line' } });
    assert.equal(unstoredDraft('uann/ucem'), undefined);
    stored.resolve();
    await setImmediate();
    assert.equal(unstoredDraft('uann/uben'), undefined);
    const failing = createDraftKeeper('uann/uben', () => Promise.reject(new Error('no room')));
    failing.keep({ text: ' ' });
    failing.flush();
    await setImmediate();
    assert.deepEqual(unstoredDraft('uann/uben'), { draft: undefined });
    failing.send();
    failing.sent();
    assert.equal(unstoredDraft('uann/uben'), undefined);
  });

  test('what is typed while a text is being sent is stored afterwards, also behind a text that failed', async () => {
    const stored: (KeptDraft | undefined)[] = [];
    const keeper = createDraftKeeper('uann/udan', async (draft) => void stored.push(draft));
    keeper.keep({ text: 'first', replyTo: '7' });
    keeper.flush();
    await setImmediate();
    keeper.send();
    assert.deepEqual(unstoredDraft('uann/udan'), { draft: undefined });
    keeper.keep({ text: 'second' });
    keeper.flush();
    await setImmediate();
    keeper.sent();
    keeper.flush();
    assert.deepEqual(stored, [{ text: 'first', replyTo: '7' }, { text: 'second' }, { text: 'second' }]);
    await setImmediate();
    assert.equal(unstoredDraft('uann/udan'), undefined);
    keeper.send();
    keeper.keep({ text: 'third' });
    const both = { text: 'second\nthird', replyTo: '9' };
    assert.deepEqual(keeper.unsent({ text: 'second', replyTo: '9' }), both);
    keeper.flush();
    assert.deepEqual(stored.at(-1), both);
    keeper.send();
    assert.deepEqual(keeper.unsent({ text: 'alone' }), { text: 'alone' });
    keeper.send();
    keeper.sent();
  });
});

describe('finding', () => {
  const marked = (text: string, query: string) =>
    matchParts(text, query).flatMap((part) => (part.match ? part.text : []));

  test('matches are marked in the text as it was written, whatever its width, case or script', () => {
    assert.deepEqual(marked('The HARBOUR, the harbour', 'harbour'), ['HARBOUR', 'harbour']);
    assert.deepEqual(marked('พรุ่งนี้ไปตลาดกันไหม', 'ตลาด'), ['ตลาด']);
    assert.deepEqual(marked('ﾃｽﾄとＡＢＣ', 'テスト abc'), ['ﾃｽﾄ', 'ＡＢＣ']);
    assert.deepEqual(marked('明日は港で', '港'), ['港']);
    assert.deepEqual(matchRanges('nothing', 'else'), []);
  });

  test('the parts of a short text are the whole text; a long one begins shortly before the match', () => {
    const text = 'one two three two';
    assert.equal(
      matchParts(text, 'two')
        .map((part) => part.text)
        .join(''),
      text,
    );
    const [first] = matchParts(`${'x'.repeat(500)} needle ${'y'.repeat(500)}`, 'needle');
    assert.ok(first && !first.match && first.text.startsWith('…x') && first.text.length < 40);
    const emoji = matchParts(`${'👩‍👩‍👧'.repeat(50)} needle ${'👩‍👩‍👧'.repeat(50)}`, 'needle').map((part) => part.text);
    assert.match(emoji.join(''), /^…(👩‍👩‍👧)+ needle (👩‍👩‍👧)+$/u);
  });

  test('what was found is grouped by chat in the order in which it was found', () => {
    assert.deepEqual(
      byChat(['b1', 'a1', 'b2'], (name) => name.charAt(0)),
      [
        ['b', ['b1', 'b2']],
        ['a', ['a1']],
      ],
    );
  });

  test('names that begin with the query come first, then those with a word that does', () => {
    const things = ['Robert', 'Anna Bert', 'Bertha', 'Cleo'].map((name) => ({ id: name, name }));
    assert.deepEqual(
      found(things, 'bert', 9).map(({ id }) => id),
      ['Bertha', 'Anna Bert', 'Robert'],
    );
    assert.equal(found(things, '', 2).length, 2);
  });
});

describe('mentions', () => {
  const members = [
    { mid: 'uben', name: 'Ben' },
    { mid: 'ubenji', name: 'Benji' },
    { mid: 'uyui', name: '結衣' },
  ];

  test('a mention begins with an @ at the start of a word, and ends with the caret', () => {
    assert.deepEqual(begunMention('hello @be', 9), { start: 6, query: 'be' });
    assert.deepEqual(begunMention('@結', 2), { start: 0, query: '結' });
    assert.equal(begunMention('mail ben@example', 16), undefined);
    assert.equal(begunMention('@ben\nnext', 9), undefined);
    assert.equal(begunMention('none', 4), undefined);
  });

  test('the name takes the place of what was begun', () => {
    assert.deepEqual(withMention('hi @be there', 6, { start: 3, query: 'be' }, 'Ben'), {
      text: 'hi @Ben there',
      caret: 8,
    });
  });

  test('members are mentioned in the order of the text, and longer names win', () => {
    assert.deepEqual(mentionedIn('@結衣 and @Benji, then @Ben and @nobody', members), ['uyui', 'ubenji', 'uben']);
    assert.deepEqual(mentionedIn('no names', members), []);
  });

  test('the newest message that mentions the account is remembered by chat', () => {
    const said = (id: number, mid: string) =>
      ({
        ...message(id),
        contentMetadata: { MENTION: JSON.stringify({ MENTIONEES: [{ S: '0', E: '4', M: mid }] }) },
      }) as never;
    const once = withMentions(new Map(), { g: [said(5, 'uann'), said(6, 'uben'), '7'] }, 'uann');
    assert.deepEqual([...once], [['g', '5']]);
    assert.equal(withMentions(once, { g: [said(4, 'uann')] }, 'uann'), once);
    assert.equal(withMentions(once, { g: [{ ...message(8), contentMetadata: { MENTION: '{' } }] }, 'uann'), once);
  });
});

describe('announcing', () => {
  test('messages of others that are new are heard; own ones and muted chats are not', () => {
    const before = new Map(
      [chat('a', message(1)), chat('b', message(2)), chat('c', message(3))].map((c) => [c.mid, c]),
    );
    const now = new Map(before)
      .set('a', chat('a', message(5)))
      .set('b', chat('b', message(6, 'uann')))
      .set('c', chat('c', message(7), { muted: true }));
    const came = incoming(before, now, 'uann');
    assert.deepEqual(
      came.map(({ chatMid }) => chatMid),
      ['a'],
    );
    const { here, elsewhere, last } = heard(heard(silence, came, 'a'), [{ chatMid: 'b', message: message(8) }], 'a');
    assert.deepEqual([here, elsewhere, last?.id], [1, 1, '5']);
  });

  test('the title counts chats with unread messages', () => {
    assert.equal(pageTitle('Post', 0), 'Post');
    assert.equal(pageTitle('Post', 3), '(3) Post');
  });
});
