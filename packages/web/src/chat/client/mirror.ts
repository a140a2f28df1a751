// The page's copy of what the engine has: records by id, and the messages of chats that were opened. It changes at most
// once per frame, however much comes in.
import { createStore, type StoreApi } from 'zustand/vanilla';
import { addOlder, type Conversation, emptyConversation, withNewest } from '../rows/conversation.ts';
import { createWays } from './load-back.ts';
import {
  applied,
  type ConversationChange,
  conversationChanges,
  initialState,
  type MirrorState,
  ofSnapshot,
} from './mirror-state.ts';
import type { EngineEvent } from './protocol.ts';
import { readMentions } from './read-mentions.ts';
import type { EngineLine, Remote } from './remote.ts';

const PAGE = 50;
/** The size of a page on the way to a certain message. */
const FAR_PAGE = 200;
/** How many messages above the first unread one are read at once. */
const SEEN_BEFORE = 20;

export interface Mirror {
  readonly store: StoreApi<MirrorState>;
  /** Reads the newest messages of a chat, unless they are here already. */
  openConversation(chatMid: string): Promise<void>;
  /** Reads the next older messages of a chat. */
  loadOlder(chatMid: string): Promise<void>;
  /** Reads older messages until a message is among them. Returns whether it is. Stops when the signal says so. */
  loadBackTo(chatMid: string, messageId: string, signal: AbortSignal): Promise<boolean>;
  /** Lets go of the oldest messages of a chat, if there are many. Only its end may be in view. */
  letGoOld(chatMid: string): void;
  dismissNotice(key: number): void;
}

export interface MirrorDeps {
  readonly line: EngineLine;
  /** The build of this page. */
  readonly build: string;
  /** Calls back before the next frame, or soon if the page is hidden. */
  nextFrame(run: () => void): void;
}

/** Returns the functions that change the copy of one conversation. */
function writerOf(store: StoreApi<MirrorState>) {
  /** What changes conversations while messages of them are read. */
  const reads = new Set<(change: ReadonlyMap<string, ConversationChange>) => void>();
  const put = (chatMid: string, change: (conversation: Conversation) => Conversation): void =>
    store.setState(({ conversations }) => ({
      conversations: new Map(conversations).set(chatMid, change(conversations.get(chatMid) ?? emptyConversation)),
    }));
  const putReaders = (chatMid: string, readers: Conversation['readers']): void =>
    put(chatMid, (conversation) => ({ ...conversation, readers: { ...conversation.readers, ...readers } }));
  /** Notes what changes conversations, for what is being read of them. */
  const note = (changes: ReadonlyMap<string, ConversationChange>): void => {
    for (const noted of reads) noted(changes);
  };
  /** Reads messages of a chat, and puts them. What was read may be older than changes that came meanwhile. */
  async function putRead<T>(
    chatMid: string,
    read: Promise<T>,
    store: (conversation: Conversation, read: T) => Conversation,
  ): Promise<T> {
    const missed: ConversationChange[] = [];
    const noted = (changes: ReadonlyMap<string, ConversationChange>): void => {
      const change = changes.get(chatMid);
      if (change) missed.push(change);
    };
    reads.add(noted);
    try {
      const page = await read;
      put(chatMid, (conversation) => missed.reduce((now, change) => change(now), store(conversation, page)));
      return page;
    } finally {
      reads.delete(noted);
    }
  }
  return { put, putReaders, putRead, note };
}

export function createMirror({ line, build, nextFrame }: MirrorDeps): Mirror {
  const store = createStore<MirrorState>()(() => initialState);
  const { remote } = line;
  const { put, putReaders, putRead, note } = writerOf(store);
  let waiting: EngineEvent[] = [];

  line.onEvent((event) => {
    waiting.push(event);
    if (waiting.length === 1) nextFrame(applyAll);
  });

  function applyAll(): void {
    const events = waiting;
    waiting = [];
    const before = store.getState();
    const after = events.reduce((state, event) => {
      if (event.kind === 'changes') note(conversationChanges(state.chats, event.changes));
      return applied(state, event, build);
    }, before);
    if (after !== before) store.setState(after, true);
    if (events.some(({ kind }) => kind === 'leads' || kind === 'reset')) void start();
    const read = new Set(events.flatMap((event) => (event.kind === 'changes' ? event.changes.readers : [])));
    for (const chatMid of read) if (after.conversations.has(chatMid)) void readReaders(chatMid);
  }

  /** Reads everything anew. Opened conversations are read again, since messages may have come in between. */
  async function start(): Promise<void> {
    const snapshot = await remote.engine.snapshot();
    const opened = snapshot.status.phase === 'open' ? [...store.getState().conversations.keys()] : [];
    store.setState({
      ...ofSnapshot(snapshot),
      ...(opened.length === 0 && { conversations: new Map() }),
      ready: true,
    });
    await Promise.all(opened.map((chatMid) => reload(chatMid, remote)));
    await readMentions(store, remote);
  }

  async function reload(chatMid: string, { replica }: Remote): Promise<void> {
    // What this device has is shown at once; what the server must be asked for follows.
    // All unread messages are read, so that the chat can be opened at the first of them.
    const unread = store.getState().chats.get(chatMid)?.unread ?? 0;
    const limit = Math.min(FAR_PAGE, Math.max(PAGE, unread + SEEN_BEFORE));
    const kept = await putRead(chatMid, replica.keptMessages(chatMid, { limit }), (conversation, page) =>
      withNewest(conversation, page, limit),
    );
    await readReaders(chatMid);
    // Marks from before this login are on the server only.
    remote.messaging.readers(chatMid).then(
      (readers) => putReaders(chatMid, readers),
      () => {},
    );
    if (kept.length < limit) await loadOlder(chatMid);
  }

  async function readReaders(chatMid: string): Promise<void> {
    putReaders(chatMid, await remote.replica.readers(chatMid));
  }

  async function loadOlder(chatMid: string, limit = PAGE): Promise<void> {
    const { loading, complete, messages } = store.getState().conversations.get(chatMid) ?? emptyConversation;
    if (loading || complete) return;
    put(chatMid, (conversation) => ({ ...conversation, loading: true, problem: undefined }));
    try {
      const before = messages[0]?.id;
      await putRead(chatMid, remote.replica.messages(chatMid, { before, limit }), (conversation, page) =>
        // Otherwise the page does not follow what is loaded now, and is read again.
        conversation.messages[0]?.id === before
          ? addOlder(conversation, page, page.length < limit)
          : { ...conversation, loading: false },
      );
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
    loadOlder: (chatMid) => loadOlder(chatMid),
    ...createWays(store, (chatMid) => loadOlder(chatMid, FAR_PAGE)),
    dismissNotice: (key) =>
      store.setState(({ notices }) => ({ notices: notices.filter((notice) => notice.key !== key) })),
  };
}
