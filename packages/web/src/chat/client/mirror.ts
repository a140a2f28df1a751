// The page's copy of what the engine has: records by id, and the messages of chats that were opened. It changes at most
// once per frame, however much comes in.
import type { Contact } from '@sealpost/contract';
import type { ChatView } from '@sealpost/sdk';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { addOlder, type Conversation, emptyConversation, withChanges, withNewest } from '../rows/conversation.ts';
import type { Changes, EngineEvent, LoginStep, Notice, Snapshot, Status, Waiting } from './protocol.ts';
import type { EngineLine, Remote } from './remote.ts';

export interface MirrorState {
  readonly status: Status;
  /** Whether the first snapshot is here. */
  readonly ready: boolean;
  readonly chats: ReadonlyMap<string, ChatView>;
  /** The mids of all chats, the newest first. */
  readonly order: readonly string[];
  readonly contacts: ReadonlyMap<string, Contact>;
  /** Messages that wait to be sent, by chat. */
  readonly outbox: ReadonlyMap<string, readonly Waiting[]>;
  readonly conversations: ReadonlyMap<string, Conversation>;
  readonly loginStep: LoginStep | undefined;
  readonly notices: readonly (Notice & { readonly key: number })[];
  /** Whether another tab runs a newer or older build of the page. */
  readonly otherBuild: boolean;
}

const PAGE = 50;
const NONE: readonly Waiting[] = [];

const initial: MirrorState = {
  status: { phase: 'starting', connection: { state: 'connecting' } },
  ready: false,
  chats: new Map(),
  order: [],
  contacts: new Map(),
  outbox: new Map(),
  conversations: new Map(),
  loginStep: undefined,
  notices: [],
  otherBuild: false,
};

export interface Mirror {
  readonly store: StoreApi<MirrorState>;
  /** Reads the newest messages of a chat, unless they are here already. */
  openConversation(chatMid: string): Promise<void>;
  /** Reads the next older messages of a chat. */
  loadOlder(chatMid: string): Promise<void>;
  dismissNotice(key: number): void;
}

export interface MirrorDeps {
  readonly line: EngineLine;
  /** The build of this page. */
  readonly build: string;
  /** Calls back before the next frame, or soon if the page is hidden. */
  nextFrame(run: () => void): void;
}

export function createMirror({ line, build, nextFrame }: MirrorDeps): Mirror {
  const store = createStore<MirrorState>()(() => initial);
  const { remote } = line;
  let waiting: EngineEvent[] = [];
  let noticeKey = 0;

  line.onEvent((event) => {
    waiting.push(event);
    if (waiting.length === 1) nextFrame(applyAll);
  });

  function applyAll(): void {
    const events = waiting;
    waiting = [];
    const before = store.getState();
    const after = events.reduce(apply, before);
    if (after !== before) store.setState(after, true);
    if (events.some(({ kind }) => kind === 'leads' || kind === 'reset')) void start();
    const read = new Set(events.flatMap((event) => (event.kind === 'changes' ? event.changes.readers : [])));
    for (const chatMid of read) if (after.conversations.has(chatMid)) void readReaders(chatMid);
  }

  function apply(state: MirrorState, event: EngineEvent): MirrorState {
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
      case 'notice':
        return { ...state, notices: [...state.notices, { ...event.notice, key: ++noticeKey }] };
    }
  }

  /** Reads everything anew. Opened conversations are read again, since messages may have come in between. */
  async function start(): Promise<void> {
    const snapshot = await remote.engine.snapshot();
    const state = store.getState();
    const opened = snapshot.status.phase === 'open' ? [...state.conversations.keys()] : [];
    store.setState({
      ...ofSnapshot(snapshot),
      ...(opened.length === 0 && { conversations: new Map() }),
      ready: true,
    });
    await Promise.all(opened.map((chatMid) => reload(chatMid, remote)));
  }

  const put = (chatMid: string, change: (conversation: Conversation) => Conversation): void =>
    store.setState(({ conversations }) => ({
      conversations: new Map(conversations).set(chatMid, change(conversations.get(chatMid) ?? emptyConversation)),
    }));

  async function reload(chatMid: string, { replica }: Remote): Promise<void> {
    // What this device has is shown at once; what the server must be asked for follows.
    const kept = await replica.keptMessages(chatMid, { limit: PAGE });
    put(chatMid, (conversation) => withNewest(conversation, kept, PAGE));
    await readReaders(chatMid);
    if (kept.length < PAGE) await loadOlder(chatMid);
  }

  async function readReaders(chatMid: string): Promise<void> {
    const readers = await remote.replica.readers(chatMid);
    put(chatMid, (conversation) => ({ ...conversation, readers }));
  }

  async function loadOlder(chatMid: string): Promise<void> {
    const { loading, complete, messages } = store.getState().conversations.get(chatMid) ?? emptyConversation;
    if (loading || complete) return;
    put(chatMid, (conversation) => ({ ...conversation, loading: true, problem: undefined }));
    try {
      const page = await remote.replica.messages(chatMid, { before: messages[0]?.id, limit: PAGE });
      put(chatMid, (conversation) => addOlder(conversation, page, page.length < PAGE));
    } catch (error) {
      put(chatMid, (conversation) => ({ ...conversation, loading: false, problem: (error as Error).message }));
    }
  }

  void start();
  return {
    store,
    async openConversation(chatMid) {
      if (!store.getState().conversations.has(chatMid)) await reload(chatMid, remote);
    },
    loadOlder,
    dismissNotice: (key) =>
      store.setState(({ notices }) => ({ notices: notices.filter((notice) => notice.key !== key) })),
  };
}

function ofSnapshot({ status, chats, contacts, outbox }: Snapshot): Partial<MirrorState> {
  const byMid = new Map(chats.map((chat) => [chat.mid, chat]));
  return {
    status,
    chats: byMid,
    order: inOrder(byMid),
    contacts: new Map(contacts.map((contact) => [contact.mid, contact])),
    outbox: byChat(outbox),
  };
}

function withEngineChanges(state: MirrorState, changes: Changes): MirrorState {
  const chats = patched(state.chats, changes.chats, changes.goneChats);
  const contacts = patched(state.contacts, changes.contacts, changes.goneContacts);
  const conversations = new Map(state.conversations);
  for (const [chatMid, messages] of Object.entries(changes.messages)) {
    const conversation = conversations.get(chatMid);
    if (conversation) conversations.set(chatMid, withChanges(conversation, messages, chats.get(chatMid)?.last));
  }
  return {
    ...state,
    chats,
    contacts,
    conversations,
    order: chats === state.chats ? state.order : inOrder(chats),
    outbox: changes.outbox ? byChat(changes.outbox) : state.outbox,
  };
}

/** Returns the map with changed records; the same map if there are none. */
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
