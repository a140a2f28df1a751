import { chatTypes } from '@sealpost/contract';
import { scenarios } from '../check.ts';
import { expectEqual, expectThat } from '../mismatch.ts';
import type { Person } from '../person.ts';
import { expectTold, LIST } from '../told.ts';

const heading = 'Groups, chats, rooms';

async function room(creator: Person, ...members: readonly Person[]): Promise<string> {
  const targetUserMids = members.map(({ mid }) => mid);
  const request = { reqSeq: creator.reqSeq(), type: chatTypes.ROOM, name: '', targetUserMids };
  return (await creator.call('TalkService.createChat', request)).chat.chatMid;
}

export const rooms = scenarios('rooms', {
  create: {
    endpoint: 'TalkService.createChat',
    heading,
    expects: 'The targets of a room are members at once, and each is told about all others',
    async run({ people }) {
      const [alice, bob, carol] = await people('alice', 'bob', 'carol');
      const roomMid = await room(alice, bob, carol);
      expectThat(/^r[0-9a-f]{32}$/.test(roomMid), 'a mid of the kind r', roomMid);
      const joined = (await bob.log('0')).map(({ param1, param2 }) => [param1, param2]);
      expectEqual(
        'a member to be told',
        joined,
        [bob, carol].map(({ mid }) => [roomMid, mid]),
      );
      const [seen] = await bob.call('TalkService.getRoomsV2', [roomMid]);
      expectEqual('the members to be', seen?.memberMids.toSorted(), [alice, bob, carol].map(({ mid }) => mid).sort());
      await expectTold(() => carol.say(roomMid, 'all here'), [[bob, ['RECEIVE_MESSAGE all here']]]);
    },
  },
  invite: {
    endpoint: 'TalkService.inviteIntoRoom',
    heading,
    expects: 'A user invited into a room is a member at once; the user and the members are told',
    async run({ people }) {
      const [alice, bob, carol] = await people('alice', 'bob', 'carol');
      const roomMid = await room(alice, bob);
      await expectTold(
        () => alice.call('TalkService.inviteIntoRoom', alice.reqSeq(), roomMid, [carol.mid]),
        [
          [alice, [`INVITE_INTO_ROOM ${roomMid} ${carol.mid}`]],
          [bob, [`NOTIFIED_JOIN_CHAT ${roomMid} ${carol.mid}`]],
        ],
      );
      const [told] = await carol.log('0');
      expectEqual('the new member to be told', [told?.param1, told?.param2], [roomMid, alice.mid]);
      const others = told?.param3?.split(LIST) ?? [];
      expectThat(others.includes(bob.mid), 'the other members among them', others);
      await carol.say(roomMid, 'hello');
    },
  },
  leave: {
    endpoint: 'TalkService.leaveRoom',
    heading,
    expects: 'A user who leaves a room is told so, as are the members, and gets no more of its messages',
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      const roomMid = await room(alice, bob);
      const { id } = await alice.say(roomMid, 'hello');
      await expectTold(
        () => bob.call('TalkService.leaveRoom', bob.reqSeq(), roomMid),
        [
          [bob, [`LEAVE_ROOM ${roomMid}`, `SEND_CHAT_REMOVED ${roomMid} ${id}`]],
          [alice, [`NOTIFIED_LEAVE_ROOM ${roomMid} ${bob.mid}`, `NOTIFIED_LEAVE_CHAT ${roomMid} ${bob.mid} 0`]],
        ],
      );
      await expectTold(() => alice.say(roomMid, 'anybody?'), [[bob, []]]);
      await bob.refused('NOT_A_MEMBER', 'TalkService.sendMessage', 2, { to: roomMid, text: 'me' });
    },
  },
});
