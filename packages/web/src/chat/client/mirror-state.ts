// The page's copy of the engine's state, and how the engine's events change it.
import type { Contact } from '@sealpost/contract';
import type { ChatView } from '@sealpost/sdk';
import { shownName } from '../../words/shown-name.ts';
import { type Conversation, cleared, withChanges } from '../rows/conversation.ts';
import { withMentions } from '../rows/mentioned.ts';
import type {
  Changes,
  EngineEvent,
  LoginStep,
  Notice,
  Snapshot,
  Status,
  Transfer,
  Trust,
  Waiting,
} from './protocol.ts';

export interface MirrorState {
  readonly status: Status;
  /** True after the first snapshot of the engine has come. */
  readonly ready: boolean;
  readonly chats: ReadonlyMap<string, ChatView>;
  /** The mids of all chats, the newest first. */
  readonly order: readonly string[];
  readonly contacts: ReadonlyMap<string, Contact>;
  /** Messages that wait to be sent, by chat. */
  readonly outbox: ReadonlyMap<string, readonly Waiting[]>;
  readonly conversations: ReadonlyMap<string, Conversation>;
  /**
   * The id of the newest message that mentions the account, by chat. Messages that were read before the page was opened
   * do not count.
   */
  readonly mentioned: ReadonlyMap<string, string>;
  readonly loginStep: LoginStep | undefined;
  /** The running uploads and downloads, by id. */
  readonly transfers: ReadonlyMap<string, Transfer>;
  readonly notices: readonly (Notice & { readonly key: number })[];
  readonly trust: Trust;
  /** True if the tab with the engine has a newer or older build of the page. */
  readonly otherBuild: boolean;
}

const NONE: readonly Waiting[] = [];

const noTrust: Trust = { ownKey: 'unknown', offersBackup: false, alarms: [], keyChanges: {} };

export const initialState: MirrorState = {
  status: { phase: 'starting', connection: { state: 'connecting' } },
  ready: false,
  chats: new Map(),
  order: [],
  contacts: new Map(),
  outbox: new Map(),
  conversations: new Map(),
  mentioned: new Map(),
  loginStep: undefined,
  transfers: new Map(),
  notices: [],
  trust: noTrust,
  otherBuild: false,
};

let noticeKey = 0;

/**
 * Returns the state after an event of the engine.
 * @param build the build of this page
 */
export function applied(state: MirrorState, event: EngineEvent, build: string): MirrorState {
  switch (event.kind) {
    case 'leads':
      return event.build === build ? state : { ...state, otherBuild: true };
    case 'reset':
      return { ...state, loginStep: undefined };
    case 'status':
      return { ...state, status: event.status };
    case 'changes':
      return withEngineChanges(state, event.changes);
    case 'login':
      return { ...state, loginStep: event.step };
    case 'trust':
      return { ...state, trust: event.trust };
    case 'transfer':
      return { ...state, transfers: withTransfer(state.transfers, event.transfer) };
    case 'notice':
      return { ...state, notices: [...state.notices, { ...event.notice, key: ++noticeKey }] };
  }
}

function withTransfer(transfers: MirrorState['transfers'], transfer: Transfer): MirrorState['transfers'] {
  const next = new Map(transfers);
  if (transfer.done < transfer.total) next.set(transfer.id, transfer);
  else next.delete(transfer.id);
  return next;
}

export function ofSnapshot({ status, chats, contacts, outbox, trust = noTrust }: Snapshot): Partial<MirrorState> {
  const byMid = new Map(chats.map((chat) => [chat.mid, shownChat(chat)]));
  return {
    status,
    chats: byMid,
    order: inOrder(byMid),
    contacts: new Map(contacts.map((contact) => [contact.mid, shownContact(contact)])),
    outbox: byChat(outbox),
    trust,
  };
}

function withEngineChanges(state: MirrorState, changes: Changes): MirrorState {
  const chats = patched(state.chats, changes.chats.map(shownChat), changes.goneChats);
  const contacts = patched(state.contacts, changes.contacts.map(shownContact), changes.goneContacts);
  const conversations = new Map(state.conversations);
  for (const [chatMid, change] of conversationChanges(state.chats, changes)) {
    const conversation = conversations.get(chatMid);
    if (conversation) conversations.set(chatMid, change(conversation));
  }
  return {
    ...state,
    chats,
    contacts,
    conversations,
    mentioned: withMentions(state.mentioned, changes.messages, state.status.session?.mid ?? ''),
    order: chats === state.chats ? state.order : inOrder(chats),
    outbox: changes.outbox ? byChat(changes.outbox) : state.outbox,
  };
}

export type ConversationChange = (conversation: Conversation) => Conversation;

/**
 * Returns functions that apply changes to conversations, by chat. If a chat had a newest message before and has none
 * now, its conversation is cleared.
 * @param before the chats before the changes
 */
export function conversationChanges(
  before: MirrorState['chats'],
  { messages, chats, goneChats }: Changes,
): ReadonlyMap<string, ConversationChange> {
  const found = new Map<string, ConversationChange>(
    Object.entries(messages).map(([chatMid, changed]) => [
      chatMid,
      (conversation) => withChanges(conversation, changed),
    ]),
  );
  const emptied = chats.filter(({ mid, last }) => !last && before.get(mid)?.last).map(({ mid }) => mid);
  for (const chatMid of [...goneChats, ...emptied]) found.set(chatMid, cleared);
  return found;
}

const shownChat = (chat: ChatView): ChatView => ({ ...chat, name: shownName(chat.name) });

/** Returns a contact whose names are safe to show inside sentences of the page. */
export function shownContact(contact: Contact): Contact {
  const { displayName, displayNameOverridden } = contact;
  return {
    ...contact,
    displayName: shownName(displayName),
    ...(displayNameOverridden !== undefined && { displayNameOverridden: shownName(displayNameOverridden) }),
  };
}

/** Returns a copy of a map with records changed and removed, or the given map if there is nothing to change. */
function patched<T extends { readonly mid: string }>(
  records: ReadonlyMap<string, T>,
  changed: readonly T[],
  gone: readonly string[],
): ReadonlyMap<string, T> {
  if (changed.length === 0 && gone.length === 0) return records;
  const next = new Map(records);
  for (const record of changed) next.set(record.mid, record);
  for (const mid of gone) next.delete(mid);
  return next;
}

const inOrder = (chats: ReadonlyMap<string, ChatView>): string[] =>
  [...chats.values()].sort((a, b) => b.time - a.time || (a.mid < b.mid ? -1 : 1)).map(({ mid }) => mid);

function byChat(outbox: readonly Waiting[]): ReadonlyMap<string, readonly Waiting[]> {
  const found = new Map<string, Waiting[]>();
  for (const row of outbox) found.set(row.chatMid, [...(found.get(row.chatMid) ?? []), row]);
  return found;
}

/** Returns the messages of a chat that wait to be sent. */
export const waitingIn = ({ outbox }: MirrorState, chatMid: string): readonly Waiting[] => outbox.get(chatMid) ?? NONE;

/** Returns the name that this account uses for a user. */
export function nameOf({ contacts, status }: MirrorState, mid: string): string {
  if (mid === status.session?.mid) return status.profile?.displayName ?? '';
  const contact = contacts.get(mid);
  return contact?.displayNameOverridden || contact?.displayName || '';
}

/** Returns the path of the picture of a chat or user; undefined or an empty text if there is none. */
export const picturePathOf = ({ chats, contacts, status }: MirrorState, mid: string): string | undefined =>
  chats.get(mid)?.picturePath ??
  (status.session?.mid === mid ? status.profile?.picturePath : contacts.get(mid)?.picturePath);
