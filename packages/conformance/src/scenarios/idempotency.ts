import { chatTypes } from '@sealpost/contract';
import { scenarios } from '../check.ts';
import { expectEqual } from '../mismatch.ts';
import { expectTold } from '../told.ts';

const heading = 'Wire conventions';
const twins = 8;

export const idempotency = scenarios('idempotency', {
  'repeated-send': {
    endpoint: 'TalkService.sendMessage',
    heading,
    expects: 'The same message under the same reqSeq is stored and delivered once, and gets the same answer each time',
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      const send = () => alice.call('TalkService.sendMessage', 77, { to: bob.mid, text: 'once' });
      const all = async () => {
        const first = await send();
        expectEqual('the repeated call to answer', await send(), first);
      };
      await expectTold(all, [
        [alice, ['SEND_MESSAGE once']],
        [bob, ['RECEIVE_MESSAGE once']],
      ]);
    },
  },
  'parallel-sends': {
    endpoint: 'TalkService.sendMessage',
    heading,
    expects: `${twins} copies of one send at the same time make one message`,
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      const send = () => alice.call('TalkService.sendMessage', 78, { to: bob.mid, text: 'once' });
      const copies = () => Promise.all(Array.from({ length: twins }, send));
      await expectTold(copies, [[bob, ['RECEIVE_MESSAGE once']]]);
      expectEqual('ids answered', new Set((await copies()).map(({ id }) => id)).size, 1);
    },
  },
  'other-content': {
    endpoint: 'TalkService.sendMessage',
    heading,
    expects: 'A different message under the same reqSeq is a new message',
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      const send = (text: string) => alice.call('TalkService.sendMessage', 79, { to: bob.mid, text });
      const both = async () => [await send('one'), await send('two')];
      await expectTold(both, [[bob, ['RECEIVE_MESSAGE one', 'RECEIVE_MESSAGE two']]]);
    },
  },
  'no-keys': {
    endpoint: 'TalkService.sendMessage',
    heading,
    expects: 'A reqSeq of 0 or 1, as careless clients send it, never stands for an earlier call',
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      const ids = [];
      for (const reqSeq of [0, 1, 0, 1]) {
        ids.push((await alice.call('TalkService.sendMessage', reqSeq, { to: bob.mid, text: 'again' })).id);
      }
      expectEqual('different messages', new Set(ids).size, 4);
    },
  },
  'other-session': {
    endpoint: 'TalkService.sendMessage',
    heading,
    expects: 'Two sessions of an account may use the same reqSeq for the same message: both are sent',
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      const other = await alice.session();
      const ids = [];
      for (const session of [alice, other]) {
        ids.push((await session.call('TalkService.sendMessage', 80, { to: bob.mid, text: 'hello' })).id);
      }
      expectEqual('different messages', new Set(ids).size, 2);
    },
  },
  'repeated-chat': {
    endpoint: 'TalkService.createChat',
    heading,
    expects: 'A repeated createChat under the same reqSeq returns the same chat and invites once',
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      const request = { reqSeq: 500, type: chatTypes.GROUP, name: 'once', targetUserMids: [bob.mid] };
      const chats: string[] = [];
      const create = async () => {
        for (let i = 0; i < 3; i++) chats.push((await alice.call('TalkService.createChat', request)).chat.chatMid);
      };
      await create();
      expectEqual('different chats', new Set(chats).size, 1);
      expectEqual('operations told to the invitee', (await bob.log('0')).length, 1);
    },
  },
  'repeated-change': {
    endpoint: 'TalkService.unsendMessage',
    heading,
    expects: 'A repeated change under the same reqSeq succeeds again and is reported once',
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      const { id } = await alice.say(bob.mid, 'gone');
      const unsend = () => alice.call('TalkService.unsendMessage', 900, id);
      const twice = async () => [await unsend(), await unsend()];
      await expectTold(twice, [[bob, [`NOTIFIED_DESTROY_MESSAGE ${alice.mid} ${id} 0`]]]);
    },
  },
});
