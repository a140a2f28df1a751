// Chats as one account sees them, in the protocol's form. A chat is left out if the account is neither a member nor an
// invitee.
import { type Chat, type Contact, chatTypes, isMid, type Room } from '@sealpost/contract';
import { answerRoom } from '../../platform/rpc/answer-room.ts';
import type { Caller } from '../../platform/rpc/call.ts';
import type { Reader } from '../../platform/store/store.ts';
import { isRoom } from './lock-chat.ts';
import * as q from './queries.ts';

export interface WantedLists {
  readonly members: boolean;
  readonly invitees: boolean;
}

/** Returns the contact records of some accounts, as the owner of the contact list sees these accounts. */
export type ContactsOf = (
  reader: Reader,
  ownerId: number,
  accountIds: readonly number[],
) => Promise<readonly Contact[]>;

interface SeenChat {
  readonly chat: q.ChatRow;
  readonly own: q.OwnRow;
}

/**
 * Returns the chats in the order of the mids, each once. A chat of other people takes as long to look up as an absent
 * chat, because only the account's own memberships are read.
 */
async function seenChats(reader: Reader, accountId: number, mids: readonly string[]): Promise<SeenChat[]> {
  const wanted = [...new Set(mids)].filter(isMid);
  const owns = await reader.each(
    q.ownSides,
    wanted.map((mid) => [mid, accountId]),
  );
  const chats = await reader.each(
    q.chatsByMid,
    owns.map((own) => [own.mid]),
  );
  const chatOf = new Map(chats.map((chat) => [chat.mid, chat]));
  const ownOf = new Map(owns.map((own) => [own.mid, own]));
  return wanted.flatMap((mid) => {
    const chat = chatOf.get(mid);
    const own = ownOf.get(mid);
    return chat && own ? [{ chat, own }] : [];
  });
}

async function partiesByChat(reader: Reader, seen: readonly SeenChat[]): Promise<ReadonlyMap<number, q.MemberRow[]>> {
  const rows = await reader.each(
    q.partiesOf,
    seen.map(({ chat }) => [chat.chat_id]),
  );
  return Map.groupBy(rows, (row) => row.chat_id);
}

export async function chatsFor(
  reader: Reader,
  caller: Caller,
  mids: readonly string[],
  wanted: WantedLists,
): Promise<Chat[]> {
  const seen = await seenChats(reader, caller.accountId, mids);
  const parties =
    wanted.members || wanted.invitees ? await partiesByChat(reader, seen) : new Map<number, q.MemberRow[]>();
  return seen.map(({ chat, own }) => {
    const midsOf = (members: boolean) =>
      (parties.get(chat.chat_id) ?? []).filter((party) => q.isMember(party.joined) === members).map(({ mid }) => mid);
    return {
      type: isRoom(chat.mid) ? chatTypes.ROOM : chatTypes.GROUP,
      chatMid: chat.mid,
      createdTime: String(chat.created_time),
      notificationDisabled: own.notification_disabled === 1,
      favoriteTimestamp: String(own.favorite_time),
      chatName: chat.name,
      ...(chat.picture_path !== '' && { picturePath: chat.picture_path }),
      extra: {
        groupExtra: {
          creator: chat.creator_mid,
          creatorMid: chat.creator_mid,
          preventedJoinByTicket: chat.prevented_join_by_ticket === 1,
          invitationTicket: chat.invitation_ticket,
          ...(wanted.members && { memberMids: midsOf(true) }),
          ...(wanted.invitees && { inviteeMids: midsOf(false) }),
          addFriendDisabled: false,
          ticketDisabled: false,
          autoName: chat.name === '',
        },
      },
    };
  });
}

export async function roomsFor(
  reader: Reader,
  caller: Caller,
  mids: readonly string[],
  contactsOf: ContactsOf,
): Promise<Room[]> {
  const seen = await seenChats(reader, caller.accountId, mids.filter(isRoom));
  const parties = await partiesByChat(reader, seen);
  const rooms: Room[] = [];
  const space = answerRoom('members');
  /** The records of members, also as JSON. Many rooms have the same members. */
  const known = new Map<string, { readonly contact: Contact; readonly json: string }>();
  for (const { chat, own } of seen) {
    const members = parties.get(chat.chat_id) ?? [];
    const others = members.filter(({ account_id: id }) => id !== caller.accountId);
    const unknown = others.filter(({ mid }) => !known.has(mid)).map(({ account_id: id }) => id);
    for (const contact of await contactsOf(reader, caller.accountId, unknown)) {
      known.set(contact.mid, { contact, json: JSON.stringify(contact) });
    }
    const contacts = others.flatMap(({ mid }) => known.get(mid) ?? []);
    for (const { json } of contacts) space.take(json);
    rooms.push({
      mid: chat.mid,
      createdTime: String(chat.created_time),
      contacts: contacts.map(({ contact }) => contact),
      notificationDisabled: own.notification_disabled === 1,
      memberMids: members.map((member) => member.mid),
    });
  }
  return rooms;
}
