// The page's copy of the engine's state: records by id, and the messages of chats that were opened. It changes at most
// once per frame of the screen, even if many events arrive.
import { createStore, type StoreApi } from 'zustand/vanilla';
import { createReads, FAR_PAGE } from './conversation-reads.ts';
import { createWays } from './load-back.ts';
import { applied, conversationChanges, initialState, type MirrorState, ofSnapshot } from './mirror-state.ts';
import type { EngineEvent } from './protocol.ts';
import { readMentions } from './read-mentions.ts';
import type { EngineLine } from './remote.ts';

export interface Mirror {
  readonly store: StoreApi<MirrorState>;
  /** Reads the newest messages of a chat, unless they are already loaded. */
  openConversation(chatMid: string): Promise<void>;
  /** Reads the next older messages of a chat. */
  loadOlder(chatMid: string): Promise<void>;
  /** Reads older messages until a certain one is loaded. Returns true if it is. Stops when the signal is aborted. */
  loadBackTo(chatMid: string, messageId: string, signal: AbortSignal): Promise<boolean>;
  /**
   * Unloads the oldest messages of a chat if many are loaded. May be called only while the end of the chat is in view.
   */
  letGoOld(chatMid: string): void;
  dismissNotice(key: number): void;
}

export interface MirrorDeps {
  readonly line: EngineLine;
  /** The build of this page. */
  readonly build: string;
  /** Calls `run` before the next frame of the screen, or soon if the page is hidden. */
  nextFrame(run: () => void): void;
}

export function createMirror({ line, build, nextFrame }: MirrorDeps): Mirror {
  const store = createStore<MirrorState>()(() => initialState);
  const { remote } = line;
  const { note, reload, loadOlder, readReaders } = createReads(store, remote);
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

  /** Reads the whole state from the engine. Reads opened conversations again, because new messages may have arrived. */
  async function start(): Promise<void> {
    const snapshot = await remote.engine.snapshot();
    const opened = snapshot.status.phase === 'open' ? [...store.getState().conversations.keys()] : [];
    store.setState({
      ...ofSnapshot(snapshot),
      ...(opened.length === 0 && { conversations: new Map() }),
      ready: true,
    });
    await Promise.all(opened.map(reload));
    await readMentions(store, remote);
  }

  void start();
  return {
    store,
    async openConversation(chatMid) {
      if (!store.getState().conversations.has(chatMid)) await reload(chatMid);
    },
    loadOlder: (chatMid) => loadOlder(chatMid),
    ...createWays(store, (chatMid) => loadOlder(chatMid, FAR_PAGE)),
    dismissNotice: (key) =>
      store.setState(({ notices }) => ({ notices: notices.filter((notice) => notice.key !== key) })),
  };
}
