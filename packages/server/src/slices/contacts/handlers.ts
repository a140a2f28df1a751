import { ApiError } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import type { contacts } from '@sealpost/contract/schemas';
import type { Mutations } from '../../platform/idempotency/mutations.ts';
import type { Handlers, UserCall } from '../../platform/rpc/call.ts';
import type { Query } from '../../platform/store/sql.ts';
import type { Reader, Store, Tx } from '../../platform/store/store.ts';
import type { OperationLog } from '../../platform/stream/operation-log.ts';
import { addContacts, addFriend } from './add-contacts.ts';
import { blockRecommendation, setBlocked } from './block-contact.ts';
import { buddyDetail, buddyProfile, targetProfileNotice } from './buddies.ts';
import { contactEntry, contactsByMid } from './contact-record.ts';
import { findByPhone, findByUserid } from './find-contacts.ts';
import { createFollowerCounts } from './follower-counts.ts';
import * as q from './queries.ts';
import { requireUsers } from './require-users.ts';
import { updateContactSetting } from './update-contact-setting.ts';

export interface ContactsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: OperationLog;
  readonly mutations: Mutations;
  /** Returns accounts that share a group or room with this account, at most `limit`. */
  readonly sharedChatMembers: (reader: Reader, accountId: number, limit: number) => Promise<readonly number[]>;
  /** Returns the chats that an account marked as favourites, oldest mark first. */
  readonly favoriteChatMids: (reader: Reader, accountId: number) => Promise<readonly string[]>;
}

const RECOMMENDATIONS = 300;

export function contactsHandlers(deps: ContactsDeps): Handlers<keyof typeof contacts> {
  const { store, log, clock } = deps;
  const countFollowers = createFollowerCounts(clock);

  const mids = async (query: Query<{ mid: string }>, { caller }: UserCall): Promise<string[]> =>
    (await store.read((reader) => reader.all(query, caller.accountId))).map((row) => row.mid);

  /** Runs a change and returns null. If the client repeats the request, the change does not run again. */
  const change = (call: UserCall, reqSeq: number, work: (tx: Tx) => Promise<void>): Promise<null> =>
    deps.mutations.mutate(call, reqSeq, async (tx) => {
      await work(tx);
      return null;
    });

  return {
    'TalkService.findAndAddContactsByMid': (call, reqSeq, type, ids) =>
      deps.mutations.mutate(call, reqSeq, async (tx) => {
        await addContacts(tx, deps, call, reqSeq, type, ids);
        return Object.fromEntries(await contactsByMid(tx, call.caller.accountId, ids));
      }),
    'RelationService.addFriendByMid': (call, request) =>
      deps.mutations.mutate(call, request.reqSeq ?? 0, async (tx) => {
        await addFriend(tx, deps, call, request);
        return {};
      }),
    'TalkService.blockContact': (call, reqSeq, id) =>
      change(call, reqSeq, (tx) => setBlocked(tx, log, call, reqSeq, id, true)),
    'TalkService.unblockContact': (call, reqSeq, id) =>
      change(call, reqSeq, (tx) => setBlocked(tx, log, call, reqSeq, id, false)),
    'TalkService.blockRecommendation': (call, reqSeq, id) =>
      change(call, reqSeq, (tx) => blockRecommendation(tx, log, call, reqSeq, id)),
    'TalkService.updateContactSetting': (call, reqSeq, mid, flag, value) =>
      change(call, reqSeq, (tx) => updateContactSetting(tx, deps, call, reqSeq, mid, flag, value)),

    'TalkService.getAllContactIds': (call) => mids(q.contactMids, call),
    'TalkService.getBlockedContactIds': (call) => mids(q.blockedMids, call),
    'TalkService.getBlockedRecommendationIds': (call) => mids(q.blockedRecommendationMids, call),
    'TalkService.getFavoriteMids': ({ caller }) =>
      store.read(async (reader) => {
        const contacts = await reader.all(q.favoriteMids, caller.accountId);
        const chats = await deps.favoriteChatMids(reader, caller.accountId);
        return [...contacts.map((row) => row.mid), ...chats];
      }),
    'TalkService.getRecommendationIds': ({ caller }) =>
      store.read(async (reader) => {
        const addedBy = await reader.all(q.addedByMids, caller.accountId, RECOMMENDATIONS);
        const shared = await deps.sharedChatMembers(reader, caller.accountId, RECOMMENDATIONS);
        const others = shared.filter((id) => id !== caller.accountId);
        const allowed = await reader.each(
          q.recommendable,
          others.map((id) => [caller.accountId, id]),
        );
        return [...new Set([...addedBy, ...allowed].map((row) => row.mid))].slice(0, RECOMMENDATIONS);
      }),

    'TalkService.getContactsV2': ({ caller }, { targetUserMids }) =>
      store.read(async (reader) => {
        const now = clock.now();
        const contacts = await contactsByMid(reader, caller.accountId, targetUserMids);
        return { contacts: Object.fromEntries([...contacts].map(([mid, c]) => [mid, contactEntry(c, now)])) };
      }),
    'TalkService.getContact': ({ caller }, id) =>
      store.read(async (reader) => {
        await requireUsers(reader, 'id', [id]);
        const contact = (await contactsByMid(reader, caller.accountId, [id])).get(id);
        if (!contact) throw new ApiError('NOT_FOUND', `no user ${id}`);
        return contact;
      }),
    'TalkService.getContacts': ({ caller }, ids) =>
      store.read(async (reader) => [...(await contactsByMid(reader, caller.accountId, ids)).values()]),
    'TalkService.findContactsByPhone': (call, phones) => store.read((reader) => findByPhone(reader, call, phones)),
    'TalkService.findContactByUserid': (call, searchId) => store.read((reader) => findByUserid(reader, call, searchId)),
    'RelationService.getTargetProfileNotice': (call, { targetUserMid }) =>
      store.read((reader) => targetProfileNotice(reader, call, targetUserMid)),
    'BuddyService.getBuddyDetail': (_call, buddyMid) =>
      store.read((reader) => buddyDetail(reader, countFollowers, buddyMid)),
    'BuddyService.getBuddyProfile': (call, buddyMid) => store.read((reader) => buddyProfile(reader, call, buddyMid)),
  };
}
