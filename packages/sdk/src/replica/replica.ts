// The replica: the chats, messages and contacts of the account, kept on this device. Lists and records are in memory.
// Messages are read from the store, and older ones from the server.
import type { Contact, Profile, Settings } from '@sealpost/contract';
import { Listeners } from '../listeners.ts';
import type { SealingClient } from '../sealing/sealing-client.ts';
import type { Change, LocalState } from '../store/local-state.ts';
import { type ChatView, chatView, nameOf } from './chat-view.ts';
import { isClosed } from './closed.ts';
import { addOlder } from './message-window.ts';
import {
  boxes,
  chatOf,
  chats,
  contacts,
  cursors,
  type Draft,
  drafts,
  ME,
  marks,
  messageIdOf,
  messageKey,
  messages,
  profiles,
  type Readers,
  readers,
  type StoredMessage,
  settings,
  windows,
} from './tables.ts';

/** The changes of one commit, by mid. */
export interface ReplicaChanges {
  /** Chats whose view changed: name, unread messages, newest message, draft. */
  readonly chats: ReadonlySet<string>;
  /**
   * The kept messages that changed, by chat and message id. A message that is not kept any more is undefined. Also
   * contains messages that are not kept, if a caller got them sealed and they could be opened later.
   */
  readonly messages: ReadonlyMap<string, ReadonlyMap<string, StoredMessage | undefined>>;
  /** Chats in which a member has read more messages. */
  readonly readers: ReadonlySet<string>;
  readonly contacts: ReadonlySet<string>;
  readonly profile: boolean;
  readonly settings: boolean;
  /** Chats whose messages in the outbox changed. */
  readonly outbox: ReadonlySet<string>;
}

export interface ReplicaDeps {
  readonly me: string;
  readonly state: LocalState;
  readonly sealing: Pick<SealingClient, 'history'>;
  readonly now: () => number;
  /** Gets the errors of listeners. */
  readonly onListenerError: (error: unknown) => void;
}

export interface Page {
  /** Only messages older than the one with this id. */
  readonly before?: string | undefined;
  readonly limit?: number | undefined;
}

const PAGE = 50;
/** Maximum number of remembered messages that a caller got while they were still sealed. */
const MOST_CLOSED = 5_000;

export class Replica {
  readonly #deps: ReplicaDeps;
  readonly #listeners: Listeners<ReplicaChanges>;
  readonly #views = new Map<string, ChatView | undefined>();
  #list: readonly ChatView[] | undefined;
  /** The chats that changed after the list was made. */
  readonly #moved = new Set<string>();
  readonly #closed = new Set<string>();

  constructor(deps: ReplicaDeps) {
    this.#deps = deps;
    this.#listeners = new Listeners(deps.onListenerError);
    deps.state.onCommit((changes) => this.#committed(changes));
  }

  /** The revision of the operation log up to which everything was applied; undefined before the first read. */
  get revision(): string | undefined {
    return this.#deps.state.get(cursors, ME)?.revision;
  }

  /** The ids of messages that stayed sealed when they were read from the server, the newest last. */
  get closed(): Iterable<string> {
    return this.#closed;
  }

  /** True if no record is waiting to be read again from the server. */
  get settled(): boolean {
    return this.revision !== undefined && this.#deps.state.all(marks).size === 0;
  }

  get profile(): Profile | undefined {
    return this.#deps.state.get(profiles, ME);
  }

  get settings(): Settings | undefined {
    return this.#deps.state.get(settings, ME);
  }

  /** Returns the record of a contact, or of a member of a chat. */
  contact(mid: string): Contact | undefined {
    return this.#deps.state.get(contacts, mid);
  }

  contacts(): readonly Contact[] {
    return [...this.#deps.state.all(contacts).values()];
  }

  /**
   * Returns the name that this account has for a user; an empty string if this device does not have the user's record
   * yet.
   */
  nameOf(mid: string): string {
    return nameOf(this.#deps.state, this.#deps.me, mid);
  }

  chat(mid: string): ChatView | undefined {
    if (!this.#views.has(mid)) this.#views.set(mid, chatView(this.#deps.state, this.#deps.me, mid));
    return this.#views.get(mid);
  }

  /** Returns all chats, the newest first. The same list is returned until a chat changes. */
  chats(): readonly ChatView[] {
    const moved = [...this.#moved].flatMap((mid) => this.chat(mid) ?? []);
    if (!this.#list)
      this.#list = this.#mids()
        .flatMap((mid) => this.chat(mid) ?? [])
        .sort(newestFirst);
    else if (this.#moved.size > 0)
      this.#list = merged(
        this.#list.filter(({ mid }) => !this.#moved.has(mid)),
        moved,
      );
    this.#moved.clear();
    return this.#list;
  }

  /**
   * Returns messages of a chat, the newest first: from the store if it has them, otherwise from the server.
   * @throws NetworkError, GatewayError if the server must be asked
   */
  async messages(chatMid: string, { before, limit = PAGE }: Page = {}): Promise<StoredMessage[]> {
    const kept = await this.keptMessages(chatMid, { before, limit });
    if (kept.length >= limit) return kept;
    const oldest = kept.at(-1)?.id ?? before;
    const { state, sealing } = this.#deps;
    const [window] = await state.list(windows, { prefix: chatMid, limit: 1 });
    if (window?.[1].complete && window[1].oldestId === oldest) return kept;
    const wanted = limit - kept.length;
    const older = await sealing.history(chatMid, wanted, kept.at(-1) ?? (await this.#boundary(chatMid, before)));
    const page = { before: oldest, messages: older, complete: older.length < wanted };
    this.#noteClosed(older);
    await state.change((tx) => addOlder(tx, chatMid, page));
    return [...kept, ...older];
  }

  /**
   * Tells the listeners about a message that a caller got sealed and that could be opened now. The message is not kept
   * on this device.
   */
  opened(message: StoredMessage): void {
    if (isClosed(message) || !this.#closed.delete(message.id)) return;
    const messages = new Map([[chatOf(message, this.#deps.me), new Map([[message.id, message]])]]);
    this.#listeners.tell({ ...noChanges(), messages });
  }

  /** Returns messages of a chat that are kept on this device, the newest first. Sends nothing to the server. */
  async keptMessages(chatMid: string, { before, limit }: Page = {}): Promise<StoredMessage[]> {
    const options = {
      prefix: `${chatMid}/`,
      reverse: true,
      ...(limit !== undefined && { limit }),
      ...(before !== undefined && { below: messageKey(chatMid, before) }),
    };
    return (await this.#deps.state.list(messages, options)).map(([, message]) => message);
  }

  /** Returns how far the members of a chat have read: message ids by mid. */
  async readers(chatMid: string): Promise<Readers> {
    const [found] = await this.#deps.state.list(readers, { prefix: chatMid, limit: 1 });
    return found?.[1] ?? {};
  }

  /** Stores the unfinished text of a chat; undefined removes it. */
  async setDraft(chatMid: string, draft: Omit<Draft, 'time'> | undefined): Promise<void> {
    await this.#deps.state.change(async (tx) => {
      if (draft) tx.put(drafts, chatMid, { ...draft, time: this.#deps.now() });
      else tx.delete(drafts, chatMid);
    });
  }

  /**
   * Calls the listener after each commit, and tells it what changed. Returns the function that removes the listener.
   */
  onChange(listener: (changes: ReplicaChanges) => void): () => void {
    return this.#listeners.add(listener);
  }

  /**
   * Returns the message with an id if it is kept, because its time makes the boundary exact. Otherwise returns only the
   * id.
   */
  async #boundary(chatMid: string, id: string | undefined): Promise<StoredMessage | string | undefined> {
    if (id === undefined || !/^\d+$/.test(id)) return id;
    const [message] = await this.keptMessages(chatMid, { before: String(BigInt(id) + 1n), limit: 1 });
    return message?.id === id ? message : id;
  }

  #noteClosed(read: readonly StoredMessage[]): void {
    for (const message of read) if (isClosed(message)) this.#closed.add(message.id);
    for (const id of this.#closed) {
      if (this.#closed.size <= MOST_CLOSED) break;
      this.#closed.delete(id);
    }
  }

  #mids(): string[] {
    const { state } = this.#deps;
    return [...new Set([...state.all(chats).keys(), ...state.all(boxes).keys(), ...state.all(drafts).keys()])];
  }

  #committed(changes: readonly Change[]): void {
    const changed = noChanges();
    for (const { table, id, record } of changes) {
      const chatMid = id.split('/', 1)[0] as string;
      if (table === chats.name || table === boxes.name || table === drafts.name) changed.chats.add(id);
      else if (table === messages.name) {
        const ofChat = changed.messages.get(chatMid) ?? new Map<string, StoredMessage | undefined>();
        changed.messages.set(chatMid, ofChat.set(messageIdOf(id), record as StoredMessage | undefined));
      } else if (table === readers.name) changed.readers.add(id);
      else if (table === contacts.name) changed.contacts.add(id);
      else if (table === profiles.name) changed.profile = true;
      else if (table === settings.name) changed.settings = true;
      else if (table === 'outgoing') changed.outbox.add(chatMid);
    }
    this.#forgetViews(changed);
    this.#listeners.tell(changed);
  }

  /**
   * Forgets the views that a change makes wrong. If a user's record changed, these are the views of all chats with this
   * user.
   */
  #forgetViews({ chats: changedChats, contacts: people, profile }: ReplicaChanges & { chats: Set<string> }): void {
    if (profile || people.size > 0) {
      for (const [mid, view] of this.#views) {
        const shown = view?.members.concat(view.invitees, mid) ?? [mid];
        if (profile || shown.some((user) => people.has(user))) changedChats.add(mid);
      }
    }
    for (const mid of changedChats) {
      this.#views.delete(mid);
      this.#moved.add(mid);
    }
  }
}

const noChanges = () => ({
  chats: new Set<string>(),
  messages: new Map<string, Map<string, StoredMessage | undefined>>(),
  readers: new Set<string>(),
  contacts: new Set<string>(),
  profile: false,
  settings: false,
  outbox: new Set<string>(),
});

const newestFirst = (a: ChatView, b: ChatView): number => b.time - a.time || (a.mid < b.mid ? -1 : 1);

/**
 * Inserts moved views into a sorted list. Usually only a few views move at a time, so this is faster than sorting the
 * whole list.
 */
function merged(list: readonly ChatView[], moved: readonly ChatView[]): readonly ChatView[] {
  const views = [...list];
  for (const view of moved) {
    let [from, to] = [0, views.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      const other = views[middle];
      if (other && newestFirst(other, view) < 0) from = middle + 1;
      else to = middle;
    }
    views.splice(from, 0, view);
  }
  return views;
}
