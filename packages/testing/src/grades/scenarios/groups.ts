// Tests how a client takes part in groups.
import { chatTypes } from '@sealpost/contract';
import { structOf } from '../calls.ts';
import { joinedGroup } from '../groups.ts';
import { basis, scenariosOf } from '../scenario.ts';
import { demand, demandSame } from '../verdict.ts';

const chats = (fact: string) => basis('Groups, chats, rooms', fact);
export const groups = scenariosOf('groups', {
  join: {
    title: 'An invitation is accepted with acceptChatInvitation, and messages of the group are answered in it',
    basis: chats('acceptChatInvitation: request struct with reqSeq and chatMid'),
    consequence: 'The client is never in a group, or its answers reach the wrong people.',
    async play(stage) {
      const ann = await stage.talking();
      const ben = await stage.person('ben');
      const group = await joinedGroup(stage, ann, ben);
      await ann.say('to all', group);
      await stage.hears(ann, 'to all', 'in the group', group);
      demand(!(await ann.heard()).includes('echo: to all'), 'the answer in the group only', await ann.heard());
      await ben.say('from Ben', group);
      await stage.hears(ben, 'from Ben', 'in the group', group);
    },
  },
  'new-member': {
    title: 'Changes of a group do not disturb',
    basis: chats('inviteIntoChat, updateChat, deleteOtherFromChat: operations reach all members'),
    consequence: 'The client stops when somebody joins, leaves or renames the group.',
    async play(stage) {
      const ann = await stage.talking();
      const [ben, cleo] = [await stage.person('ben'), await stage.person('cleo')];
      const group = await joinedGroup(stage, ann, ben);
      const { TalkService: talk } = ann.rpc;
      const seq = () => ann.rpc.nextReqSeq();
      await talk.inviteIntoChat({ reqSeq: seq(), chatMid: group, targetUserMids: [cleo.mid] });
      await cleo.rpc.TalkService.acceptChatInvitation({ reqSeq: cleo.rpc.nextReqSeq(), chatMid: group });
      await talk.updateChat({ reqSeq: seq(), chat: { chatMid: group, chatName: 'Renamed' }, updatedAttribute: 1 });
      await talk.deleteOtherFromChat({ reqSeq: seq(), chatMid: group, targetUserMids: [ben.mid] });
      await cleo.say('hello from Cleo', group);
      await stage.hears(cleo, 'hello from Cleo', 'in the changed group', group);
    },
  },
  removed: {
    title: 'A client that was removed from a group stops writing into it',
    basis: chats('deleteOtherFromChat: list of members to remove'),
    consequence: 'Calls are refused again and again, and the account is limited for abuse.',
    async play(stage) {
      const ann = await stage.talking();
      const group = await joinedGroup(stage, ann);
      await ann.say('in the group', group);
      await stage.reached('answer in the group', async () => ((await ann.heard(group)).length > 0 ? true : undefined));
      const { TalkService: talk } = ann.rpc;
      await talk.deleteOtherFromChat({
        reqSeq: ann.rpc.nextReqSeq(),
        chatMid: group,
        targetUserMids: [stage.account.mid],
      });
      const mark = stage.mark();
      await ann.say('without you', group);
      await stage.pass(2_500);
      const tried = stage.sends(undefined, mark).filter(({ message }) => message.to === group);
      demand(tried.length <= 1, 'at most one send into the group', `${tried.length}`);
      await stage.echoes(ann, 'still here?');
    },
  },
  create: {
    title: 'A group is created with its name, its type and the others, without the caller',
    basis: chats('createChat: type (GROUP or ROOM), name, targetUserMids (list, excluding the caller)'),
    consequence: 'The group cannot be created, or nobody else is in it.',
    async play(stage) {
      const ann = await stage.talking();
      const mid = await stage.command(ann, '!group Friends', 'group');
      const call = await stage.reached(
        'create a group after the text !group, with createChat',
        () => stage.calls('createChat')[0],
      );
      const { type, name, targetUserMids, reqSeq } = structOf(call);
      demandSame('type', Number(type), chatTypes.GROUP);
      demandSame('name', String(name), 'Friends');
      demandSame('targetUserMids', JSON.stringify(targetUserMids), JSON.stringify([ann.mid]));
      demand(Number.isInteger(reqSeq), 'a whole number as reqSeq', reqSeq);
      const { rpc } = ann;
      await rpc.TalkService.acceptChatInvitation({ reqSeq: rpc.nextReqSeq(), chatMid: mid });
      await ann.say('in your group', mid);
      await stage.hears(ann, 'in your group', 'in the group that the client created', mid);
    },
  },
});
