import { chatTypes, limits, updateChatAttributes } from '@sealpost/contract';
import { scenarios } from '../check.ts';
import { expectEqual, expectThat } from '../mismatch.ts';
import type { Person } from '../person.ts';
import { expectTold, LIST } from '../told.ts';

const heading = 'Groups, chats, rooms';
const midsOf = (people: readonly Person[]) => people.map(({ mid }) => mid);
const chat = (person: Person, chatMid: string) => ({ reqSeq: person.reqSeq(), chatMid });
const targets = (person: Person, chatMid: string, ...people: readonly Person[]) => ({
  ...chat(person, chatMid),
  targetUserMids: midsOf(people),
});

async function invite(creator: Person, ...people: readonly Person[]): Promise<string> {
  const request = { reqSeq: creator.reqSeq(), type: chatTypes.GROUP, name: 'Tea', targetUserMids: midsOf(people) };
  return (await creator.call('TalkService.createChat', request)).chat.chatMid;
}
/** Creates a group with the given people. Returns its mid after all of them have accepted. */
async function group(creator: Person, ...members: readonly Person[]): Promise<string> {
  const chatMid = await invite(creator, ...members);
  for (const member of members) await member.call('TalkService.acceptChatInvitation', chat(member, chatMid));
  return chatMid;
}
async function extraOf(person: Person, chatMid: string) {
  const request = { chatMids: [chatMid], withMembers: true, withInvitees: true };
  return (await person.call('TalkService.getChats', request)).chats[0]?.extra?.groupExtra;
}

export const chats = scenarios('chats', {
  create: {
    endpoint: 'TalkService.createChat',
    heading,
    expects: 'A new group has its creator as member and the targets as invitees, and both get all operations',
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      const from = await alice.revision();
      const chatMid = await invite(alice, bob);
      expectThat(/^c[0-9a-f]{32}$/.test(chatMid), 'a mid of the kind c', chatMid);
      const extra = await extraOf(alice, chatMid);
      expectEqual('members and invitees to be', [extra?.memberMids, extra?.inviteeMids], [[alice.mid], [bob.mid]]);
      const types = (await alice.log(from)).map(({ param1, message }) => message?.contentMetadata.LOC_KEY ?? param1);
      expectEqual('the creator to be told of', types, [chatMid, chatMid, 'C_GI']);
      const [invited] = await bob.log('0');
      const params = [invited?.param1, invited?.param2, invited?.param3];
      expectEqual('the invitee to be told', params, [chatMid, alice.mid, bob.mid]);
    },
  },
  accept: {
    endpoint: 'TalkService.acceptChatInvitation',
    heading,
    expects: 'A user who accepts becomes a member; members get the membership first and then the system message',
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      const chatMid = await invite(alice, bob);
      await expectTold(
        () => bob.call('TalkService.acceptChatInvitation', chat(bob, chatMid)),
        [
          [bob, [`ACCEPT_CHAT_INVITATION ${chatMid}`, `SEND_MESSAGE C_MJ ${bob.mid}`]],
          [
            alice,
            [
              `NOTIFIED_ACCEPT_CHAT_INVITATION ${chatMid} ${bob.mid}`,
              `NOTIFIED_JOIN_CHAT ${chatMid} ${bob.mid}`,
              `RECEIVE_MESSAGE C_MJ ${bob.mid}`,
            ],
          ],
        ],
      );
      const mids = await bob.call('TalkService.getAllChatMids', { withMemberChats: true, withInvitedChats: true });
      expectEqual('the chats to be', mids, { memberChatMids: [chatMid], invitedChatMids: [] });
    },
  },
  'members-only': {
    endpoint: 'TalkService.sendMessage',
    heading,
    expects: 'A message to a group reaches its members, not its invitees; those cannot write or read either',
    async run({ people }) {
      const [alice, bob, carol] = await people('alice', 'bob', 'carol');
      const chatMid = await group(alice, bob);
      const request = targets(alice, chatMid, carol);
      await alice.call('TalkService.inviteIntoChat', request);
      await expectTold(
        () => bob.say(chatMid, 'hello'),
        [
          [alice, ['RECEIVE_MESSAGE hello']],
          [bob, ['SEND_MESSAGE hello']],
          [carol, []],
        ],
      );
      await carol.refused('NOT_A_MEMBER', 'TalkService.sendMessage', 2, { to: chatMid, text: 'me too' });
      await carol.refused('NOT_A_MEMBER', 'TalkService.getRecentMessagesV2', chatMid, 10);
    },
  },
  invite: {
    endpoint: 'TalkService.inviteIntoChat',
    heading,
    expects: 'Every invitation has its system message; members and invitees get all invitees in one operation',
    async run({ people }) {
      const [alice, bob, carol, dave] = await people('alice', 'bob', 'carol', 'dave');
      const chatMid = await group(alice, bob);
      const list = [carol.mid, dave.mid].join(LIST);
      const messages = (type: string) => [carol, dave].map(({ mid }) => `${type} C_MI ${bob.mid}${LIST}${mid}`);
      const told = `NOTIFIED_INVITE_INTO_CHAT ${chatMid} ${bob.mid} ${list}`;
      await expectTold(
        () => bob.call('TalkService.inviteIntoChat', targets(bob, chatMid, carol, dave)),
        [
          [bob, [`INVITE_INTO_CHAT ${chatMid} ${list}`, ...messages('SEND_MESSAGE')]],
          [alice, [told, ...messages('RECEIVE_MESSAGE')]],
          [carol, [told]],
        ],
      );
    },
  },
  reject: {
    endpoint: 'TalkService.rejectChatInvitation',
    heading,
    expects: 'Only the user who rejects an invitation is told, and can no longer accept it',
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      const chatMid = await invite(alice, bob);
      await expectTold(
        () => bob.call('TalkService.rejectChatInvitation', chat(bob, chatMid)),
        [
          [bob, [`REJECT_CHAT_INVITATION ${chatMid}`]],
          [alice, []],
        ],
      );
      await bob.refused('NOT_AN_INVITEE', 'TalkService.acceptChatInvitation', chat(bob, chatMid));
      expectEqual('no invitees', (await extraOf(alice, chatMid))?.inviteeMids, []);
    },
  },
  cancel: {
    endpoint: 'TalkService.cancelChatInvitation',
    heading,
    expects: 'A cancelled invitation is reported to the invitee and the members, and is void',
    async run({ people }) {
      const [alice, bob, carol] = await people('alice', 'bob', 'carol');
      const chatMid = await group(alice, bob);
      await alice.call('TalkService.inviteIntoChat', targets(alice, chatMid, carol));
      const told = `NOTIFIED_CANCEL_CHAT_INVITATION ${chatMid} ${bob.mid} ${carol.mid}`;
      const message = `C_IC ${bob.mid}${LIST}${carol.mid}`;
      await expectTold(
        () => bob.call('TalkService.cancelChatInvitation', targets(bob, chatMid, carol)),
        [
          [bob, [`CANCEL_CHAT_INVITATION ${chatMid} ${carol.mid} ${carol.mid}`, `SEND_MESSAGE ${message}`]],
          [alice, [told, `RECEIVE_MESSAGE ${message}`]],
          [carol, [told]],
        ],
      );
      await carol.refused('NOT_AN_INVITEE', 'TalkService.acceptChatInvitation', chat(carol, chatMid));
    },
  },
  remove: {
    endpoint: 'TalkService.deleteOtherFromChat',
    heading,
    expects: 'A removed member is told of it and of nothing later, and can no longer read or write',
    async run({ people }) {
      const [alice, bob, carol] = await people('alice', 'bob', 'carol');
      const chatMid = await group(alice, bob, carol);
      const told = `NOTIFIED_DELETE_OTHER_FROM_CHAT ${chatMid} ${bob.mid} ${carol.mid}`;
      const message = `C_MR ${bob.mid}${LIST}${carol.mid}`;
      await expectTold(
        () => bob.call('TalkService.deleteOtherFromChat', targets(bob, chatMid, carol)),
        [
          [bob, [`DELETE_OTHER_FROM_CHAT ${chatMid} ${carol.mid}`, `SEND_MESSAGE ${message}`]],
          [alice, [told, `NOTIFIED_LEAVE_CHAT ${chatMid} ${carol.mid}`, `RECEIVE_MESSAGE ${message}`]],
          [carol, [told]],
        ],
      );
      await expectTold(() => alice.say(chatMid, 'after'), [[carol, []]]);
      await carol.refused('NOT_A_MEMBER', 'TalkService.sendMessage', 2, { to: chatMid, text: 'still here' });
    },
  },
  leave: {
    endpoint: 'TalkService.deleteSelfFromChat',
    heading,
    expects: 'A user who leaves a group is no longer a member, and the members are told so',
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      const chatMid = await group(alice, bob);
      await expectTold(
        () => bob.call('TalkService.deleteSelfFromChat', chat(bob, chatMid)),
        [
          [bob, [`DELETE_SELF_FROM_CHAT ${chatMid}`]],
          [
            alice,
            [
              `NOTIFIED_DELETE_SELF_FROM_CHAT ${chatMid} ${bob.mid}`,
              `NOTIFIED_LEAVE_CHAT ${chatMid} ${bob.mid} 0`,
              `RECEIVE_MESSAGE C_ML ${bob.mid}`,
            ],
          ],
        ],
      );
      expectEqual('the members left to be', (await extraOf(alice, chatMid))?.memberMids, [alice.mid]);
    },
  },
  rename: {
    endpoint: 'TalkService.updateChat',
    heading,
    expects: 'Members are told a new name with a system message; fields that the bit mask leaves out stay',
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      const chatMid = await group(alice, bob);
      const bit = updateChatAttributes.NAME;
      const changed = { chatMid, chatName: 'Coffee', picturePath: '/r/talk/g/other' };
      const request = { reqSeq: alice.reqSeq(), chat: changed, updatedAttribute: bit };
      const message = `C_PN ${alice.mid}${LIST}Coffee`;
      await expectTold(
        () => alice.call('TalkService.updateChat', request),
        [
          [alice, [`UPDATE_CHAT ${chatMid} ${alice.mid} ${bit}`, `SEND_MESSAGE ${message}`]],
          [bob, [`NOTIFIED_UPDATE_CHAT ${chatMid} ${alice.mid} ${bit}`, `RECEIVE_MESSAGE ${message}`]],
        ],
      );
      const [seen] = (await bob.call('TalkService.getChats', { chatMids: [chatMid] })).chats;
      expectEqual('name and picture to be', [seen?.chatName, seen?.picturePath], ['Coffee', undefined]);
    },
  },
  'personal-attributes': {
    endpoint: 'TalkService.updateChat',
    heading,
    expects: 'Favourite and notification setting of a chat are personal: other members neither see them nor are told',
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      const chatMid = await group(alice, bob);
      const bits = updateChatAttributes.NOTIFICATION_SETTING | updateChatAttributes.FAVORITE_TIMESTAMP;
      const changed = { chatMid, notificationDisabled: true, favoriteTimestamp: '1700000000000' };
      const request = { reqSeq: alice.reqSeq(), chat: changed, updatedAttribute: bits };
      await expectTold(
        () => alice.call('TalkService.updateChat', request),
        [
          [alice, [`UPDATE_CHAT ${chatMid} ${alice.mid} ${bits}`]],
          [bob, []],
        ],
      );
      const seenBy = async (person: Person) => {
        const [seen] = (await person.call('TalkService.getChats', { chatMids: [chatMid] })).chats;
        return [seen?.notificationDisabled, seen?.favoriteTimestamp];
      };
      expectEqual('the own view to be', await seenBy(alice), [true, '1700000000000']);
      expectEqual("the other's view to be", await seenBy(bob), [false, '0']);
    },
  },
  'many-at-once': {
    endpoint: 'TalkService.getChats',
    heading: 'Limits',
    expects: `getChats takes ${limits.midsPerCall.value} mids, refuses more, and fills member lists only when asked`,
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      const chatMid = await invite(alice, bob);
      const mids = Array.from({ length: limits.midsPerCall.value }, () => chatMid);
      const { chats: found } = await alice.call('TalkService.getChats', { chatMids: mids });
      expectEqual('chats answered', new Set(found.map((one) => one.chatMid)).size, 1);
      expectEqual('no member list', found[0]?.extra?.groupExtra?.memberMids, undefined);
      await alice.refused('INVALID_LENGTH', 'TalkService.getChats', { chatMids: [...mids, chatMid] });
    },
  },
});
