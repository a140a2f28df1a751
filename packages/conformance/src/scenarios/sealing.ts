import { chatTypes } from '@sealpost/contract';
import { scenarios } from '../check.ts';
import { expectEqual, expectThat } from '../mismatch.ts';
import type { Person } from '../person.ts';
import { randomBytes } from '../surroundings.ts';
import { toldBy } from '../told.ts';

const heading = 'End-to-end encryption keys';
const WRAP_BYTES = 48;

const register = (person: Person, keyData = randomBytes(32).toString('base64')) =>
  person.call('TalkService.registerE2EEPublicKey', person.reqSeq(), { version: 1, keyData });

/** Creates a room whose members all have keys. Members of a room need not accept an invitation. */
async function sealedRoom(creator: Person, ...members: readonly Person[]): Promise<string> {
  for (const person of [creator, ...members]) await register(person);
  const targetUserMids = members.map(({ mid }) => mid);
  const request = { reqSeq: creator.reqSeq(), type: chatTypes.ROOM, targetUserMids };
  return (await creator.call('TalkService.createChat', request)).chat.chatMid;
}

/** Registers a group key as clients do. A client first asks the server for the members that need a wrapped key. */
async function registerGroupKey(person: Person, chatMid: string) {
  const keys = Object.entries(await person.call('TalkService.getLastE2EEPublicKeys', chatMid));
  const mids = keys.map(([mid]) => mid);
  const ids = keys.map(([, { keyId }]) => keyId);
  const wraps = keys.map(() => randomBytes(WRAP_BYTES).toString('base64'));
  const answer = await person.call('TalkService.registerE2EEGroupKey', 1, chatMid, mids, ids, wraps);
  return { answer, wrapFor: (mid: string) => wraps[mids.indexOf(mid)] };
}

export const sealing = scenarios('sealing', {
  'public-key': {
    endpoint: 'TalkService.getE2EEPublicKey',
    heading,
    expects: 'A registered key keeps its id and bytes, everybody can look it up, and an unknown id is NOT_FOUND',
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      const key = await register(alice);
      expectEqual('the key to be', await bob.call('TalkService.getE2EEPublicKey', alice.mid, 1, key.keyId), key);
      expectEqual('the own keys to be', await alice.call('TalkService.getE2EEPublicKeysEx', false, 1), [key]);
      await bob.refused('NOT_FOUND', 'TalkService.getE2EEPublicKey', alice.mid, 1, key.keyId + 1_000_000);
    },
  },
  'key-news': {
    endpoint: 'TalkService.registerE2EEPublicKey',
    heading: 'Events',
    expects: 'A new key is reported to the sessions of its owner and to chat partners',
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      await bob.say(alice.mid, 'hello');
      let keyId = 0;
      const step = async () => {
        keyId = (await register(alice)).keyId;
      };
      const [, toBob = []] = await toldBy(step, alice, bob);
      expectEqual(
        'the partner to be told',
        toBob.map(({ param1, param2 }) => [param1, param2]),
        [[alice.mid, String(keyId)]],
      );
    },
  },
  negotiate: {
    endpoint: 'TalkService.negotiateE2EEPublicKey',
    heading,
    expects: 'Negotiation returns the newest key, and none for an account without keys',
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      const ask = () => bob.call('TalkService.negotiateE2EEPublicKey', alice.mid);
      expectEqual('no key yet', (await ask()).publicKey, undefined);
      await register(alice);
      const newest = await register(alice);
      const { publicKey, allowedTypes } = await ask();
      expectEqual('the key to be', publicKey, newest);
      expectThat(allowedTypes.length > 0, 'content types that may be sealed', allowedTypes);
    },
  },
  'group-key': {
    endpoint: 'TalkService.registerE2EEGroupKey',
    heading,
    expects: 'Each member of a chat gets the share of the group key that was wrapped for it',
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      const chatMid = await sealedRoom(alice, bob);
      await bob.refused('NOT_FOUND', 'TalkService.getLastE2EEGroupSharedKey', 1, chatMid);
      const { answer, wrapFor } = await registerGroupKey(alice, chatMid);
      for (const person of [alice, bob]) {
        const share = await person.call('TalkService.getLastE2EEGroupSharedKey', 1, chatMid);
        const seen = [share.groupKeyId, share.creator, share.receiver, share.encryptedSharedKey];
        expectEqual('the share to have', seen, [answer.groupKeyId, alice.mid, person.mid, wrapFor(person.mid)]);
        const same = await person.call('TalkService.getE2EEGroupSharedKey', 1, chatMid, share.groupKeyId);
        expectEqual('the share by its id to be', same, share);
      }
    },
  },
  'group-key-refused': {
    endpoint: 'TalkService.registerE2EEGroupKey',
    heading: 'Errors',
    expects: 'A group key that is not for exactly the members is refused with E2EE_RECREATE_GROUP_KEY',
    async run({ people }) {
      const [alice, bob, carol] = await people('alice', 'bob', 'carol');
      const chatMid = await sealedRoom(alice, bob);
      const { keyId } = await register(carol);
      const wrap = randomBytes(WRAP_BYTES).toString('base64');
      const [method, error] = ['TalkService.registerE2EEGroupKey', 'E2EE_RECREATE_GROUP_KEY'] as const;
      await alice.refused(error, method, 1, chatMid, [carol.mid], [keyId], [wrap]);
    },
  },
  'group-key-expires': {
    endpoint: 'TalkService.getLastE2EEGroupSharedKey',
    heading,
    expects: 'After a member joined there is no current group key, and the new member gets none of the earlier keys',
    async run({ people }) {
      const [alice, bob, carol] = await people('alice', 'bob', 'carol');
      const chatMid = await sealedRoom(alice, bob);
      const { answer } = await registerGroupKey(alice, chatMid);
      await register(carol);
      await alice.call('TalkService.inviteIntoRoom', alice.reqSeq(), chatMid, [carol.mid]);
      await alice.refused('NOT_FOUND', 'TalkService.getLastE2EEGroupSharedKey', 1, chatMid);
      await carol.refused('NOT_FOUND', 'TalkService.getE2EEGroupSharedKey', 1, chatMid, answer.groupKeyId);
    },
  },
});
