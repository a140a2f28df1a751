// Reads state from the server and stores it in the replica: single records that an operation has changed, and
// everything at the start.
import type { Chat, Contact, MessageBox, Profile, Settings } from '@sealpost/contract';
import { midPrefix } from '@sealpost/contract';
import type { BaseClient } from '../base-client.ts';
import { GatewayError } from '../gateway/errors.ts';
import type { OpenedMessage } from '../sealing/open.ts';
import type { SealingClient } from '../sealing/sealing-client.ts';
import type { LocalState, Tx } from '../store/local-state.ts';
import { type ClientLimits, readLimits } from './client-limits.ts';
import { markIfClosed } from './closed.ts';
import { type MarkKind, mark, marked } from './marks.ts';
import { addOlder, forgetMessages, openKept, replaceMessage } from './message-window.ts';
import {
  type Box,
  boxes,
  chatOf,
  chats,
  contacts,
  cursors,
  ME,
  marks,
  profiles,
  readers,
  settings,
  windows,
} from './tables.ts';
import { setText } from './texts.ts';

export interface ServerStateDeps {
  readonly me: string;
  readonly client: BaseClient;
  readonly sealing: Pick<SealingClient, 'openAll'>;
  readonly state: LocalState;
  /** Called with a message that was read again, if this device does not keep the message. */
  onUnkept(message: OpenedMessage): void;
}

/**
 * A function that stores the record that was read for an id. If the server's answer lacks the id, the function deletes
 * the record.
 */
export type StoreRead = (tx: Tx, id: string) => Promise<void> | void;

type ReadKind = Exclude<MarkKind, 'all'>;

interface OpenedBox extends Omit<MessageBox, 'lastMessages'> {
  readonly last?: OpenedMessage;
}

export class ServerState {
  readonly #deps: ServerStateDeps;
  #limits: ClientLimits | undefined;

  constructor(deps: ServerStateDeps) {
    this.#deps = deps;
  }

  /** Returns the server's limits; asks the server only once. */
  async limits(): Promise<ClientLimits> {
    this.#limits ??= await readLimits(this.#deps.client);
    return this.#limits;
  }

  /** Returns the maximum number of ids of a kind in one call. */
  async pageOf(kind: ReadKind): Promise<number> {
    const { midsPerCall, syncMessageBoxes, syncMessages } = await this.limits();
    const pages = {
      profile: 1,
      settings: 1,
      contact: midsPerCall,
      chat: midsPerCall,
      box: syncMessageBoxes,
      message: syncMessages,
    };
    return pages[kind];
  }

  /** Reads records of one kind. Returns the function that stores each of them. */
  async read(kind: ReadKind, ids: readonly string[]): Promise<StoreRead> {
    switch (kind) {
      case 'profile': {
        const profile = await this.#profile();
        return (tx) => tx.put(profiles, ME, profile);
      }
      case 'settings': {
        const read = await this.#settings();
        return (tx) => tx.put(settings, ME, read);
      }
      case 'contact': {
        const found = await this.#contacts(ids);
        return (tx, id) => storeContact(tx, id, found.get(id));
      }
      case 'chat': {
        const found = await this.#chats(ids);
        return (tx, id) => storeChat(tx, id, found.get(id));
      }
      case 'box': {
        const found = await this.#boxes(ids);
        return (tx, id) => storeBox(tx, id, found.get(id));
      }
      case 'message': {
        const found = await this.#messages(ids);
        return async (tx, id) => {
          const message = found.get(id);
          const isKept = await replaceMessage(tx, id, message);
          if (!message || isKept) return;
          await setText(tx, chatOf(message, this.#deps.me), id, message);
          this.#deps.onUnkept(message);
        };
      }
    }
  }

  /**
   * Reads everything that the account sees, and stores it. The stored revision is the one that the log had before the
   * reading, so operations from the time of the reading are still applied. Drafts and the outbox stay. Kept messages
   * are forgotten, because there may be a gap after them.
   */
  async readAll(): Promise<void> {
    const { TalkService } = this.#deps.client;
    const revision = await this.head();
    const profile = await this.#profile();
    const own = await this.#settings();
    const { memberChatMids, invitedChatMids } = await TalkService.getAllChatMids({
      withMemberChats: true,
      withInvitedChats: true,
    });
    const foundChats = await this.#inPages('chat', [...memberChatMids, ...invitedChatMids], (ids) => this.#chats(ids));
    const foundBoxes = await this.#allBoxes();
    const mids = new Set([
      ...(await TalkService.getAllContactIds()),
      ...(await TalkService.getBlockedContactIds()),
      ...[...foundBoxes.keys()].filter((id) => id.startsWith(midPrefix.user)),
      ...[...foundChats.values()].flatMap(membersOf),
    ]);
    const foundContacts = await this.#inPages('contact', [...mids], (ids) => this.#contacts(ids));
    await this.#deps.state.change((tx) =>
      storeAll(tx, { revision, profile, settings: own, chats: foundChats, boxes: foundBoxes, contacts: foundContacts }),
    );
  }

  /** Returns the newest revision of the operation log. */
  async head(): Promise<string> {
    const revision = await this.#deps.client.TalkService.getLastOpRevision();
    if (!/^\d+$/.test(revision)) throw wrong('getLastOpRevision', `${revision}, which is no revision`);
    return revision;
  }

  async #profile(): Promise<Profile> {
    const profile = await this.#deps.client.TalkService.getProfile();
    if (profile?.mid !== this.#deps.me) throw wrong('getProfile', `the profile of ${profile?.mid}`);
    return profile;
  }

  async #settings(): Promise<Settings> {
    const read = await this.#deps.client.TalkService.getSettings();
    if (typeof read !== 'object' || read === null) throw wrong('getSettings', 'no settings');
    return read;
  }

  async #inPages<T>(
    kind: ReadKind,
    ids: readonly string[],
    read: (page: readonly string[]) => Promise<ReadonlyMap<string, T>>,
  ): Promise<Map<string, T>> {
    const size = await this.pageOf(kind);
    const found = new Map<string, T>();
    for (let at = 0; at < ids.length; at += size) {
      for (const [id, record] of await read(ids.slice(at, at + size))) found.set(id, record);
    }
    return found;
  }

  async #contacts(ids: readonly string[]): Promise<Map<string, Contact>> {
    const answer = await this.#deps.client.TalkService.getContactsV2({ targetUserMids: [...ids] });
    const entries = Object.entries(answer.contacts);
    return new Map(entries.flatMap(([mid, { contact }]) => (contact ? [[mid, contact] as const] : [])));
  }

  async #chats(ids: readonly string[]): Promise<Map<string, Chat>> {
    const request = { chatMids: [...ids], withMembers: true, withInvitees: true };
    const answer = await this.#deps.client.TalkService.getChats(request);
    return new Map(answer.chats.map((chat) => [chat.chatMid, chat]));
  }

  async #boxes(ids: readonly string[]): Promise<Map<string, OpenedBox>> {
    const request = { messageBoxIds: [...ids], withUnreadCount: true, lastMessagesCount: 1 };
    const answer = await this.#deps.client.TalkService.getMessageBoxesByIds(request);
    return this.#opened(Object.values(answer.messageBoxesByIds));
  }

  async #allBoxes(): Promise<Map<string, OpenedBox>> {
    const { syncMessageBoxes } = await this.limits();
    const found = new Map<string, OpenedBox>();
    for (let minChatId = ''; ; ) {
      const answer = await this.#deps.client.TalkService.getMessageBoxes({
        minChatId,
        messageBoxCountLimit: syncMessageBoxes,
        withUnreadCount: true,
        lastMessagesPerMessageBoxCount: 1,
      });
      for (const [id, box] of await this.#opened(answer.messageBoxes)) found.set(id, box);
      const last = answer.messageBoxes.at(-1);
      if (!answer.hasNext || !last || last.id === minChatId) return found;
      minChatId = last.id;
    }
  }

  async #opened(read: readonly MessageBox[]): Promise<Map<string, OpenedBox>> {
    const last = read.flatMap(({ lastMessages }) => lastMessages?.slice(0, 1) ?? []);
    const opened = new Map((await this.#deps.sealing.openAll(last)).map((message) => [message.id, message]));
    return new Map(
      read.map(({ lastMessages, ...box }) => {
        const message = opened.get(lastMessages?.[0]?.id ?? '');
        return [box.id, { ...box, ...(message && { last: message }) }];
      }),
    );
  }

  async #messages(ids: readonly string[]): Promise<Map<string, OpenedMessage>> {
    const found = await this.#deps.client.TalkService.getMessagesByIds([...ids]);
    return new Map((await this.#deps.sealing.openAll(found)).map((message) => [message.id, message]));
  }
}

/**
 * The error for an answer that cannot be right, for example from a proxy that mixes up its users. The same call may
 * succeed later.
 */
const wrong = (method: string, what: string): GatewayError =>
  new GatewayError(method, 502, { message: `the answer has ${what}` });

/** Returns the members and invitees of a group or room. */
export const membersOf = ({ extra }: Chat): string[] => [
  ...(extra?.groupExtra?.memberMids ?? []),
  ...(extra?.groupExtra?.inviteeMids ?? []),
];

function storeContact(tx: Tx, id: string, contact: Contact | undefined): void {
  if (contact) tx.put(contacts, id, contact);
  else tx.delete(contacts, id);
}

async function storeChat(tx: Tx, id: string, chat: Chat | undefined): Promise<void> {
  if (!chat) return tx.delete(chats, id);
  tx.put(chats, id, chat);
  const revision = (await tx.get(cursors, ME))?.revision ?? '0';
  for (const mid of membersOf(chat)) {
    if ((await tx.get(contacts, mid)) === undefined) mark(tx, 'contact', mid, revision);
  }
}

async function storeBox(tx: Tx, id: string, read: OpenedBox | undefined): Promise<void> {
  if (!read) {
    tx.delete(boxes, id);
    tx.delete(readers, id);
    return forgetMessages(tx, id);
  }
  tx.put(boxes, id, boxFrom(read));
  if (read.last) {
    await markIfClosed(tx, 'box', id, read.last);
    await openKept(tx, id, read.last);
  }
  if (read.last && (await tx.get(windows, id)) === undefined) {
    await addOlder(tx, id, { before: undefined, messages: [read.last], complete: false });
  }
}

const boxFrom = (read: OpenedBox): Box => ({
  chatMid: read.id,
  unread: Number(read.unreadCount ?? 0),
  newestId: read.lastDeliveredMessageId?.messageId ?? '0',
  seenId: read.lastSeenMessageId ?? '0',
  hidden: read.hiddenAtMessageId !== undefined,
  ...(read.last && { last: read.last }),
});

interface Everything {
  readonly revision: string;
  readonly profile: Profile;
  readonly settings: Settings;
  readonly chats: ReadonlyMap<string, Chat>;
  readonly boxes: ReadonlyMap<string, OpenedBox>;
  readonly contacts: ReadonlyMap<string, Contact>;
}

async function storeAll(tx: Tx, read: Everything): Promise<void> {
  // The marks of messages stay, because messages that stayed sealed may still be shown somewhere.
  for (const [id] of await tx.list(marks)) if (marked(id).kind !== 'message') tx.delete(marks, id);
  for (const [id] of await tx.list(boxes)) if (!read.boxes.has(id)) await storeBox(tx, id, undefined);
  for (const [id] of await tx.list(chats)) if (!read.chats.has(id)) tx.delete(chats, id);
  for (const [id] of await tx.list(contacts)) if (!read.contacts.has(id)) tx.delete(contacts, id);
  tx.put(cursors, ME, { revision: read.revision });
  tx.put(profiles, ME, read.profile);
  tx.put(settings, ME, read.settings);
  for (const [id, contact] of read.contacts) tx.put(contacts, id, contact);
  for (const [id, chat] of read.chats) tx.put(chats, id, chat);
  for (const [id, box] of read.boxes) {
    await forgetMessages(tx, id);
    await storeBox(tx, id, box);
  }
}
