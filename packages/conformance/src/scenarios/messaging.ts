import { contentTypes, limits, midTypes, operationTypes } from '@sealpost/contract';
import { scenarios } from '../check.ts';
import { expectEqual, expectThat } from '../mismatch.ts';
import type { Person } from '../person.ts';
import { expectTold, toldBy } from '../told.ts';

const history = (person: Person, chat: string) => person.call('TalkService.getRecentMessagesV2', chat, 50);
const box = async (person: Person, chat: string) => {
  const request = { messageBoxIds: [chat], withUnreadCount: true, lastMessagesCount: 1 };
  return (await person.call('TalkService.getMessageBoxesByIds', request)).messageBoxesByIds[chat];
};

export const messaging = scenarios('messaging', {
  send: {
    endpoint: 'TalkService.sendMessage',
    heading: 'Message',
    expects:
      'A sent message is returned as stored: with an id and times of the server, the sender and the kind of chat',
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      const message = { to: bob.mid, text: 'hello', contentType: contentTypes.NONE, id: 'local-1' } as const;
      const stored = await alice.call('TalkService.sendMessage', alice.reqSeq(), message);
      expectThat(/^\d{1,19}$/.test(stored.id), 'a decimal id of the server', stored.id);
      expectEqual(
        'the stored message to have',
        [stored.from, stored.to, stored.toType, stored.text],
        [alice.mid, bob.mid, midTypes.USER, 'hello'],
      );
      expectEqual('the history of the sender to be', await history(alice, bob.mid), [stored]);
      expectEqual('the history of the receiver to be', await history(bob, alice.mid), [stored]);
    },
  },
  'send-operations': {
    endpoint: 'TalkService.sendMessage',
    heading: 'Events',
    expects: "A message reaches the sender's sessions with its reqSeq, and the receiver with reqSeq 0",
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      const reqSeq = 4711;
      const send = () => alice.call('TalkService.sendMessage', reqSeq, { to: bob.mid, text: 'hello' });
      const [toAlice = [], toBob = []] = await toldBy(send, alice, bob);
      const what = ([operation, ...more]: typeof toAlice) => [operation?.type, operation?.reqSeq, more.length];
      expectEqual('the sender to be told (type, reqSeq, more)', what(toAlice), [
        operationTypes.SEND_MESSAGE,
        reqSeq,
        0,
      ]);
      expectEqual('the receiver to be told (type, reqSeq, more)', what(toBob), [operationTypes.RECEIVE_MESSAGE, 0, 0]);
      expectEqual('both to get the same message', toBob[0]?.message, toAlice[0]?.message);
    },
  },
  'chat-with-itself': {
    endpoint: 'TalkService.sendMessage',
    heading: 'What the service does',
    expects: "A message to the caller's own mid appears once, in the chat of the account with itself",
    async run({ people }) {
      const [alice] = await people('alice');
      await expectTold(() => alice.say(alice.mid, 'note'), [[alice, ['SEND_MESSAGE note']]]);
      const texts = (await history(alice, alice.mid)).map(({ text }) => text);
      expectEqual('the chat with itself to hold', texts, ['note']);
    },
  },
  'sender-is-the-caller': {
    endpoint: 'TalkService.sendMessage',
    heading: 'Message',
    expects: 'The sender of a message is the caller, whatever the message claims',
    async run({ people, raw }) {
      const [alice, bob, carol] = await people('alice', 'bob', 'carol');
      const message = { from: carol.mid, to: bob.mid, text: 'it was carol' };
      const answer = await raw.call('TalkService.sendMessage', [0, message], alice.token);
      const from = String(answer.body.data?.from);
      expectThat(answer.status === 400 || from === alice.mid, 'a refusal, or the caller as sender', answer.text);
    },
  },
  'too-long': {
    endpoint: 'TalkService.sendMessage',
    heading: 'Limits',
    expects: `A text above ${limits.textLength.value} Unicode code points is refused and not delivered`,
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      // An emoji is one code point, but two UTF-16 code units.
      const text = `${'x'.repeat(limits.textLength.value - 1)}😀`;
      await alice.say(bob.mid, text);
      const send = () =>
        alice.refused('INVALID_LENGTH', 'TalkService.sendMessage', 0, { to: bob.mid, text: `${text}x` });
      await expectTold(send, [
        [alice, []],
        [bob, []],
      ]);
    },
  },
  'system-message': {
    endpoint: 'TalkService.sendMessage',
    heading: 'Message',
    expects: 'A client cannot send a system message (content type 18)',
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      const message = { to: bob.mid, contentType: contentTypes.CHATEVENT, contentMetadata: { LOC_KEY: 'C_PN' } };
      await alice.refused('ILLEGAL_ARGUMENT', 'TalkService.sendMessage', 0, message);
    },
  },
  reply: {
    endpoint: 'TalkService.sendMessage',
    heading: 'Message',
    expects: 'A reply carries the id of the message it answers, which must be of the same chat',
    async run({ people }) {
      const [alice, bob, carol] = await people('alice', 'bob', 'carol');
      const { id } = await alice.say(bob.mid, 'question');
      const reply = {
        text: 'answer',
        relatedMessageId: id,
        messageRelationType: 3,
        relatedMessageServiceCode: 1,
      } as const;
      const stored = await bob.call('TalkService.sendMessage', 2, { to: alice.mid, ...reply });
      expectEqual('relatedMessageId to be', stored.relatedMessageId, id);
      await bob.refused('MESSAGE_NOT_FOUND', 'TalkService.sendMessage', 3, { to: carol.mid, ...reply });
    },
  },
  unsend: {
    endpoint: 'TalkService.unsendMessage',
    heading: 'Messaging',
    expects: 'An unsent message leaves a tombstone without its text, and both sides are told',
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      const { id } = await alice.say(bob.mid, 'secret-text');
      await expectTold(
        () => alice.call('TalkService.unsendMessage', alice.reqSeq(), id),
        [
          [alice, [`DESTROY_MESSAGE ${bob.mid} ${id} 0`]],
          [bob, [`NOTIFIED_DESTROY_MESSAGE ${alice.mid} ${id} 0`]],
        ],
      );
      const [tombstone] = await history(bob, alice.mid);
      expectEqual('the tombstone to have', [tombstone?.id, tombstone?.contentMetadata.UNSENT], [id, 'true']);
      const left = JSON.stringify([await history(alice, bob.mid), await history(bob, alice.mid), await bob.log('0')]);
      expectThat(!left.includes('secret-text'), 'the text to be gone everywhere', left);
    },
  },
  'unsend-refused': {
    endpoint: 'TalkService.unsendMessage',
    heading: 'Errors',
    expects:
      'Unsending answers MESSAGE_NOT_DESTRUCTIBLE for the message of another user, MESSAGE_NOT_FOUND for an unknown one',
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      const { id } = await alice.say(bob.mid, 'mine');
      await bob.refused('MESSAGE_NOT_DESTRUCTIBLE', 'TalkService.unsendMessage', 2, id);
      await alice.refused('MESSAGE_NOT_FOUND', 'TalkService.unsendMessage', 3, '999');
    },
  },
  'read-marks': {
    endpoint: 'TalkService.sendChatChecked',
    heading: 'Messaging',
    expects: 'A read mark moves only forward, clears the unread count, and is reported to the other side once',
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      const first = await alice.say(bob.mid, '1');
      const second = await alice.say(bob.mid, '2');
      expectEqual('unreadCount to be', (await box(bob, alice.mid))?.unreadCount, '2');
      const check = async () => {
        await bob.call('TalkService.sendChatChecked', bob.reqSeq(), alice.mid, second.id, 0);
        await bob.call('TalkService.sendChatChecked', bob.reqSeq(), alice.mid, first.id, 0);
      };
      await expectTold(check, [
        [bob, [`SEND_CHAT_CHECKED ${alice.mid} ${second.id}`]],
        [alice, [`NOTIFIED_READ_MESSAGE ${bob.mid} ${bob.mid} ${second.id}`]],
      ]);
      const seen = await box(bob, alice.mid);
      expectEqual('unread and last seen to be', [seen?.unreadCount, seen?.lastSeenMessageId], ['0', second.id]);
      const [range] = await alice.call('TalkService.getMessageReadRange', [bob.mid]);
      expectEqual('the read range to end at', range?.ranges[bob.mid]?.[0]?.endMessageId, second.id);
    },
  },
  reactions: {
    endpoint: 'TalkService.react',
    heading: 'Messaging',
    expects:
      'A reaction replaces the earlier one, shows in history, is reported to the other side, and can be cancelled',
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      const { id: messageId } = await alice.say(bob.mid, 'nice?');
      const react = (predefinedReactionType: 2 | 3) =>
        bob.call('TalkService.react', { reqSeq: bob.reqSeq(), messageId, reactionType: { predefinedReactionType } });
      await react(2);
      await expectTold(
        () => react(3),
        [
          [bob, [`SEND_REACTION ${messageId} {"chatMid":"${alice.mid}","curr":{"predefinedReactionType":3}}`]],
          [
            alice,
            [
              `NOTIFIED_SEND_REACTION ${messageId} {"chatMid":"${bob.mid}","curr":{"predefinedReactionType":3}} ${bob.mid}`,
            ],
          ],
        ],
      );
      const [seen] = await history(alice, bob.mid);
      const reactions = seen?.reactions?.map(({ fromUserMid, reactionType }) => [fromUserMid, reactionType]);
      expectEqual('the reactions to be', reactions, [[bob.mid, { predefinedReactionType: 3 }]]);
      await expectTold(
        () => bob.call('TalkService.cancelReaction', { reqSeq: bob.reqSeq(), messageId }),
        [[alice, [`NOTIFIED_SEND_REACTION ${messageId} {"chatMid":"${bob.mid}"} ${bob.mid}`]]],
      );
      expectEqual('no reactions', (await history(alice, bob.mid))[0]?.reactions ?? [], []);
    },
  },
  'history-pages': {
    endpoint: 'TalkService.getPreviousMessagesV2WithRequest',
    heading: 'Messaging',
    expects:
      'Pages of history exclude their boundary and lead back to the first message without a gap; a page above the limit is refused',
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      const sent: string[] = [];
      for (let i = 0; i < 5; i++) sent.push((await alice.say(bob.mid, `m${i}`)).id);
      const seen: string[] = [];
      let boundary = {};
      for (;;) {
        const request = { messageBoxId: alice.mid, messagesCount: 2, ...boundary };
        const page = await bob.call('TalkService.getPreviousMessagesV2WithRequest', request);
        const last = page.at(-1);
        if (!last || seen.length > sent.length) break;
        seen.push(...page.map(({ id }) => id));
        boundary = { endMessageId: { messageId: last.id, deliveredTime: last.deliveredTime } };
      }
      expectEqual('the pages together to be', seen.reverse(), sent);
      const tooMany = { messageBoxId: alice.mid, messagesCount: limits.messagesPerPage.value + 1 };
      await bob.refused('INVALID_LENGTH', 'TalkService.getPreviousMessagesV2WithRequest', tooMany);
    },
  },
  boxes: {
    endpoint: 'TalkService.getMessageBoxes',
    heading: 'MessageBox',
    expects: 'Pages of message boxes follow minChatId and together hold every chat once',
    async run({ people }) {
      const [alice, bob, carol, dave] = await people('alice', 'bob', 'carol', 'dave');
      for (const friend of [bob, carol, dave]) await alice.say(friend.mid, 'hello');
      const seen: string[] = [];
      for (let page = 0; page < 3; page++) {
        const from = seen.at(-1);
        const request = { messageBoxCountLimit: 2, ...(from === undefined ? {} : { minChatId: from }) };
        const { messageBoxes, hasNext } = await alice.call('TalkService.getMessageBoxes', request);
        seen.push(...messageBoxes.map(({ id }) => id).filter((id) => id !== from));
        if (!hasNext) break;
      }
      expectEqual('the boxes to be', seen, [bob.mid, carol.mid, dave.mid].sort());
    },
  },
  'hide-and-remove': {
    endpoint: 'TalkService.setChatHiddenStatus',
    heading: 'Messaging',
    expects: 'A hidden chat comes back with its next message; a removed history is gone only for the caller',
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      const { id } = await alice.say(bob.mid, '1');
      const active = async () =>
        (await bob.call('TalkService.getMessageBoxes', { activeOnly: true })).messageBoxes.map((b) => b.id);
      const hide = { reqSeq: bob.reqSeq(), chatMid: alice.mid, lastMessageId: id, hidden: true };
      await expectTold(
        () => bob.call('TalkService.setChatHiddenStatus', hide),
        [[bob, [`SEND_CHAT_HIDDEN ${alice.mid} ${id} true`]]],
      );
      expectEqual('no active chat', await active(), []);
      const { id: newer } = await alice.say(bob.mid, '2');
      expectEqual('the active chats to be', await active(), [alice.mid]);
      await expectTold(
        () => bob.call('TalkService.sendChatRemoved', bob.reqSeq(), alice.mid, newer, 0),
        [[bob, [`SEND_CHAT_REMOVED ${alice.mid} ${newer}`]]],
      );
      expectEqual('the history of the remover to be', await history(bob, alice.mid), []);
      expectEqual('messages left to the other side', (await history(alice, bob.mid)).length, 2);
    },
  },
  postback: {
    endpoint: 'TalkService.sendPostback',
    heading: 'Messaging',
    expects: 'A postback reaches the official account whose message it answers',
    async run({ account, people }) {
      const [alice] = await people('alice');
      const official = await account({ kind: 'official' });
      const { id } = await official.say(alice.mid, 'press the button');
      const url = 'svcpostback:?_data=a';
      const request = { messageId: id, url, chatMID: official.mid, originMID: official.mid };
      const press = () => alice.call('TalkService.sendPostback', request);
      const [toOfficial = [], toAlice] = await toldBy(press, official, alice);
      const seen = toOfficial.map(({ type, param1, param2 }) => [type, param1, param2]);
      const told = [operationTypes.NOTIFIED_POSTBACK, alice.mid, url];
      expectEqual('the official account to be told', seen, [told]);
      expectEqual('the presser to be told', toAlice, []);
    },
  },
});
