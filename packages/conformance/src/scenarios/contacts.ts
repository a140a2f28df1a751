import { contactSettings, contactStatus, contactTypes, limits, settingsAttributes } from '@sealpost/contract';
import { scenarios } from '../check.ts';
import { expectEqual } from '../mismatch.ts';
import type { Person } from '../person.ts';
import { expectTold } from '../told.ts';

const heading = 'Contacts, relations, buddies';
/** A mid of the right form that belongs to no account. */
const nobody = `u${'0'.repeat(32)}`;
const add = (from: Person, to: Person) =>
  from.call('TalkService.findAndAddContactsByMid', from.reqSeq(), contactTypes.MID, [to.mid]);
const contactsOf = (person: Person) => person.call('TalkService.getAllContactIds');

export const contacts = scenarios('contacts', {
  add: {
    endpoint: 'TalkService.findAndAddContactsByMid',
    heading,
    expects:
      'An added contact is returned and listed, both sides are told, and the adder is recommended to the added user',
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      await expectTold(
        () => add(alice, bob),
        [
          [alice, [`ADD_CONTACT ${bob.mid} 0`]],
          [bob, [`NOTIFIED_ADD_CONTACT ${alice.mid}`, `NOTIFIED_RECOMMEND_CONTACT ${alice.mid}`]],
        ],
      );
      expectEqual('the contacts to be', await contactsOf(alice), [bob.mid]);
      expectEqual('the recommendations to be', await bob.call('TalkService.getRecommendationIds'), [alice.mid]);
    },
  },
  'add-friend': {
    endpoint: 'RelationService.addFriendByMid',
    heading,
    expects: 'addFriendByMid adds a contact and refuses the caller and unknown mids as RejectedException',
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      const tracking = { reference: '', trackingMetaV2: {} };
      const request = { reqSeq: alice.reqSeq(), userMid: bob.mid, tracking };
      await expectTold(
        () => alice.call('RelationService.addFriendByMid', request),
        [[alice, [`ADD_CONTACT ${bob.mid} 0`]]],
      );
      for (const userMid of [alice.mid, nobody]) {
        await alice.refused('REJECTED_TARGET_USER', 'RelationService.addFriendByMid', { reqSeq: 0, userMid });
      }
    },
  },
  'add-is-whole': {
    endpoint: 'TalkService.findAndAddContactsByMid',
    heading,
    expects: 'One unknown mid among several adds nobody and tells nobody',
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      const attempt = () =>
        alice.refused('NOT_FOUND', 'TalkService.findAndAddContactsByMid', 0, contactTypes.MID, [bob.mid, nobody]);
      await expectTold(attempt, [
        [alice, []],
        [bob, []],
      ]);
      expectEqual('no contacts', await contactsOf(alice), []);
    },
  },
  block: {
    endpoint: 'TalkService.blockContact',
    heading,
    expects: 'A block stops messages without a trace for the blocked user, and can be removed',
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      await add(alice, bob);
      await expectTold(
        () => alice.call('TalkService.blockContact', alice.reqSeq(), bob.mid),
        [
          [alice, [`BLOCK_CONTACT ${bob.mid} NORMAL`]],
          [bob, []],
        ],
      );
      expectEqual('the blocked to be', await alice.call('TalkService.getBlockedContactIds'), [bob.mid]);
      await expectTold(
        () => bob.say(alice.mid, 'are you there?'),
        [
          [bob, ['SEND_MESSAGE are you there?']],
          [alice, []],
        ],
      );
      await expectTold(
        () => alice.call('TalkService.unblockContact', alice.reqSeq(), bob.mid, ''),
        [[alice, [`UNBLOCK_CONTACT ${bob.mid} NORMAL`]]],
      );
      await expectTold(() => bob.say(alice.mid, 'now?'), [[alice, ['RECEIVE_MESSAGE now?']]]);
    },
  },
  favorite: {
    endpoint: 'TalkService.updateContactSetting',
    heading,
    expects: 'A favourite is listed until the setting is removed; the operation names contact and flag',
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      await add(alice, bob);
      const flag = contactSettings.CONTACT_SETTING_FAVORITE;
      const set = (value: string) =>
        alice.call('TalkService.updateContactSetting', alice.reqSeq(), bob.mid, flag, value);
      await expectTold(() => set('true'), [[alice, [`UPDATE_CONTACT ${bob.mid} ${flag}`]]]);
      expectEqual('the favourites to be', await alice.call('TalkService.getFavoriteMids'), [bob.mid]);
      await set('false');
      expectEqual('no favourites', await alice.call('TalkService.getFavoriteMids'), []);
    },
  },
  delete: {
    endpoint: 'TalkService.updateContactSetting',
    heading,
    expects: 'A deleted contact is no longer listed but keeps its record',
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      await add(alice, bob);
      const flag = contactSettings.CONTACT_SETTING_DELETE;
      await alice.call('TalkService.updateContactSetting', alice.reqSeq(), bob.mid, flag, 'true');
      expectEqual('no contacts', await contactsOf(alice), []);
      const { contacts: found } = await alice.call('TalkService.getContactsV2', { targetUserMids: [bob.mid] });
      expectEqual('the status to be', found[bob.mid]?.contact?.status, contactStatus.DELETED);
    },
  },
  'many-at-once': {
    endpoint: 'TalkService.getContactsV2',
    heading: 'Limits',
    expects: `getContactsV2 takes ${limits.midsPerCall.value} mids, refuses more, and leaves unknown ones out`,
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      const mids = [bob.mid, ...Array.from({ length: limits.midsPerCall.value - 1 }, () => nobody)];
      const { contacts: found } = await alice.call('TalkService.getContactsV2', { targetUserMids: mids });
      expectEqual('the contacts answered to be', Object.keys(found), [bob.mid]);
      const more = { targetUserMids: [...mids, nobody] };
      await alice.refused('INVALID_LENGTH', 'TalkService.getContactsV2', more);
    },
  },
  'find-by-userid': {
    endpoint: 'TalkService.findContactByUserid',
    heading,
    expects: 'A user is found by its exact id, as long as its settings allow that',
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      const { mid } = await alice.call('TalkService.findContactByUserid', bob.userid);
      expectEqual('the user found to be', mid, bob.mid);
      await alice.refused('NOT_FOUND', 'TalkService.findContactByUserid', bob.userid.slice(0, -1));
      const attributes = [settingsAttributes.PRIVACY_SEARCH_BY_USERID];
      await bob.call('TalkService.updateSettingsAttributes2', 0, attributes, { privacySearchByUserid: false });
      await alice.refused('NOT_FOUND', 'TalkService.findContactByUserid', bob.userid);
    },
  },
  recommendations: {
    endpoint: 'TalkService.blockRecommendation',
    heading,
    expects: 'A blocked recommendation moves from one list to the other',
    async run({ people }) {
      const [alice, bob] = await people('alice', 'bob');
      await add(bob, alice);
      await expectTold(
        () => alice.call('TalkService.blockRecommendation', alice.reqSeq(), bob.mid),
        [[alice, [`UPDATE_CONTACT ${bob.mid}`]]],
      );
      expectEqual('no recommendations', await alice.call('TalkService.getRecommendationIds'), []);
      const blocked = await alice.call('TalkService.getBlockedRecommendationIds');
      expectEqual('the blocked recommendations to be', blocked, [bob.mid]);
    },
  },
});
