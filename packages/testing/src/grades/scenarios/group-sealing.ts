// Tests how a client uses Letter Sealing in groups.
import { fromBase64 } from '@sealpost/crypto';
import { argumentsOf } from '../calls.ts';
import { basis, scenariosOf } from '../scenario.ts';
import { keyCallsBetween, sealedGroup } from '../sealed-talk.ts';
import { demand, demandSame } from '../verdict.ts';

const keys = (fact: string) => basis('End-to-end encryption keys', fact);
const page = (fact: string) => basis('docs/letter-sealing.md', fact);

export const groupSealing = scenariosOf('sealing', {
  'group-key-for-all': {
    title: 'A group key is wrapped for every member, the own account included',
    basis: keys('registerE2EEGroupKey: members, keyIds and encryptedSharedKeys, parallel lists'),
    consequence: 'The sender cannot read the own messages of the group on any device.',
    async play(stage) {
      const { ann, group } = await sealedGroup(stage);
      stage.fault('getLastE2EEGroupSharedKey', { answer: { error: 'NOT_FOUND' }, times: 1 });
      // This refusal makes the client ask for the newest group key, which the server then does not find.
      stage.fault('sendMessage', { answer: { error: 'E2EE_RECREATE_GROUP_KEY' }, times: 1 });
      await ann.saySealed('who makes the key?', group);
      const call = await stage.reached(
        'register a group key with registerE2EEGroupKey when getLastE2EEGroupSharedKey answers NOT_FOUND',
        () => stage.calls('registerE2EEGroupKey')[0],
      );
      const [, chatMid, members, keyIds, wraps] = argumentsOf(call) as [number, string, string[], number[], string[]];
      demandSame('chatMid', chatMid, group);
      demand(members.includes(stage.account.mid), 'the own account among the members', members);
      demand(members.includes(ann.mid), 'all other members', members);
      demand(keyIds.length === members.length && wraps.length === members.length, 'lists of one length', call.body);
      for (const wrap of wraps) demandSame('the bytes of a wrapped key', fromBase64(wrap).length, 48);
      await stage.hears(ann, 'who makes the key?', 'sealed with the new group key', group);
    },
  },
  'group-key-again': {
    title: 'After E2EE_RECREATE_GROUP_KEY at the registration, the group key is registered again',
    basis: keys('registerE2EEGroupKey: on error E2EE_RECREATE_GROUP_KEY the client registers again'),
    consequence: 'When somebody joins at the same moment, nobody can write into the group.',
    async play(stage) {
      const { ann, group } = await sealedGroup(stage);
      stage.fault('getLastE2EEGroupSharedKey', { answer: { error: 'NOT_FOUND' }, times: 2 });
      stage.fault('registerE2EEGroupKey', { answer: { error: 'E2EE_RECREATE_GROUP_KEY' }, times: 1 });
      stage.fault('sendMessage', { answer: { error: 'E2EE_RECREATE_GROUP_KEY' }, times: 1 });
      await ann.saySealed('register twice', group);
      await stage.reached(
        'register a group key with registerE2EEGroupKey',
        () => stage.calls('registerE2EEGroupKey')[0],
      );
      await stage.expected(
        'a second registration after E2EE_RECREATE_GROUP_KEY',
        () => stage.calls('registerE2EEGroupKey')[1],
        () => 'one registration',
      );
      await stage.hears(ann, 'register twice', 'after the second registration', group);
    },
  },
  'code-99': {
    title: 'After code 99 the group key is read or made again, and the message is sent with it',
    basis: page('E2EE_RECREATE_GROUP_KEY (99): the group key is outdated, for example after a member change'),
    consequence: 'After somebody joins a group, the client can write nothing into it.',
    async play(stage) {
      const { ann, group } = await sealedGroup(stage);
      const mark = stage.mark();
      stage.fault('sendMessage', { answer: { error: 'E2EE_RECREATE_GROUP_KEY' }, times: 1 });
      await ann.saySealed('outdated', group);
      const first = await stage.reached('send into the group', () => stage.sends(undefined, mark)[0]);
      const second = await stage.expected(
        'the message again after code 99',
        () => stage.sends(undefined, mark)[1],
        () => 'one send',
      );
      const calls = keyCallsBetween(stage, first.call, second.call);
      demand(
        calls.some((name) => /GroupSharedKey|GroupKey/.test(name)),
        'a new look at the group key',
        calls,
      );
      await stage.hears(ann, 'outdated', 'with another group key', group);
    },
  },
  'member-joined': {
    title: 'After somebody joined a sealed group, answers can be read by them too',
    basis: page('Joined members get the next group key: code 99 on the next send'),
    consequence: 'New members of a group read nothing that the client writes.',
    async play(stage) {
      const ben = await stage.person('ben');
      await ben.sealing.ownKey();
      const { ann, group } = await sealedGroup(stage);
      const { TalkService: talk } = ann.rpc;
      await talk.inviteIntoChat({ reqSeq: ann.rpc.nextReqSeq(), chatMid: group, targetUserMids: [ben.mid] });
      await ben.rpc.TalkService.acceptChatInvitation({ reqSeq: ben.rpc.nextReqSeq(), chatMid: group });
      await ben.saySealed('I am new', group);
      await stage.hears(ben, 'I am new', 'sealed so that the new member can read it', group);
    },
  },
  'code-98': {
    title: 'After code 98 the state of the group is read again, or the message goes in the clear',
    basis: page('E2EE_RETRY_PLAIN (98): a member has Letter Sealing off: send plain'),
    consequence: 'The user cannot write into a group with somebody who does not seal.',
    async play(stage) {
      const { ann, group } = await sealedGroup(stage);
      const mark = stage.mark();
      stage.fault('sendMessage', { answer: { error: 'E2EE_RETRY_PLAIN' }, times: 1 });
      await ann.saySealed('plain?', group);
      const first = await stage.reached('send into the group', () => stage.sends(undefined, mark)[0]);
      const second = await stage.expected(
        'the message again after code 98',
        () => stage.sends(undefined, mark)[1],
        () => 'one send',
      );
      const calls = keyCallsBetween(stage, first.call, second.call);
      demand(
        !second.sealed || calls.length > 0,
        'a plain message, or a new look at the group key',
        'the same sealed message',
      );
    },
  },
});
