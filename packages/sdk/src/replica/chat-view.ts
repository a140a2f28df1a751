// A chat in the form in which a list of chats shows it. It is made from the chat, its message box, its people and its
// draft.
import { type Chat, type Contact, chatTypes, contactSettings, midPrefix } from '@sealpost/contract';
import type { LocalState } from '../store/local-state.ts';
import { membersOf } from './server-state.ts';
import { boxes, chats, contacts, type Draft, drafts, ME, profiles, type StoredMessage } from './tables.ts';

export interface ChatView {
  readonly mid: string;
  readonly kind: 'user' | 'group' | 'room';
  /** The name of the group. If the group has no name, the names of the other people in the chat. */
  readonly name: string;
  readonly picturePath?: string;
  /** The members of a group or room, including the account itself; both parties of a one-to-one chat. */
  readonly members: readonly string[];
  readonly invitees: readonly string[];
  /** True if the account is invited and has not answered. */
  readonly invited: boolean;
  readonly unread: number;
  /** The id of the newest message that the account has read. */
  readonly seenId: string;
  readonly last?: StoredMessage;
  /** The time when the chat last changed, in epoch milliseconds. Lists are ordered by this time. */
  readonly time: number;
  readonly muted: boolean;
  readonly favorite: boolean;
  /** True if the user hid the chat until a newer message comes. */
  readonly hidden: boolean;
  readonly draft?: Draft;
}

/** Returns the view of a chat; undefined if the account has none with that mid. */
export function chatView(state: LocalState, me: string, mid: string): ChatView | undefined {
  const chat = state.get(chats, mid);
  const box = state.get(boxes, mid);
  const draft = state.get(drafts, mid);
  if (!chat && !box && !draft) return undefined;
  const contact = state.get(contacts, mid);
  const last = box?.last;
  const common = {
    mid,
    unread: box?.unread ?? 0,
    seenId: box?.seenId ?? '0',
    time: Math.max(Number(last?.createdTime ?? 0), Number(chat?.createdTime ?? 0), draft?.time ?? 0),
    hidden: box?.hidden ?? false,
    ...(last && { last }),
    ...(draft && { draft }),
  };
  return chat ? { ...common, ...ofGroup(state, me, chat) } : { ...common, ...ofUser(state, me, mid, contact) };
}

function ofUser(state: LocalState, me: string, mid: string, contact: Contact | undefined) {
  const settings = Number(contact?.settings ?? 0);
  const picturePath = mid === me ? state.get(profiles, ME)?.picturePath : contact?.picturePath;
  return {
    kind: mid.startsWith(midPrefix.user) ? 'user' : kindOf(mid),
    name: nameOf(state, me, mid),
    members: [me, mid],
    invitees: [],
    invited: false,
    muted: (settings & contactSettings.CONTACT_SETTING_NOTIFICATION_DISABLE) !== 0,
    favorite: Number(contact?.favoriteTime ?? 0) > 0,
    ...(picturePath && { picturePath }),
  } as const;
}

function ofGroup(state: LocalState, me: string, chat: Chat) {
  const members = chat.extra?.groupExtra?.memberMids ?? [];
  const invitees = chat.extra?.groupExtra?.inviteeMids ?? [];
  const others = membersOf(chat).filter((member) => member !== me);
  return {
    kind: chat.type === chatTypes.ROOM ? 'room' : 'group',
    name: chat.chatName || others.map((member) => nameOf(state, me, member)).join(', '),
    members,
    invitees,
    invited: invitees.includes(me),
    muted: chat.notificationDisabled,
    favorite: Number(chat.favoriteTimestamp) > 0,
    ...(chat.picturePath && { picturePath: chat.picturePath }),
  } as const;
}

const kindOf = (mid: string): 'group' | 'room' => (mid.startsWith(midPrefix.room) ? 'room' : 'group');

/**
 * Returns the name that this account has for a user; an empty string if this device does not have the user's record
 * yet.
 */
export function nameOf(state: LocalState, me: string, mid: string): string {
  if (mid === me) return state.get(profiles, ME)?.displayName ?? '';
  const contact = state.get(contacts, mid);
  return contact?.displayNameOverridden || contact?.displayName || '';
}
