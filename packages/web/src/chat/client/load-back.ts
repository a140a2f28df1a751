// Reads older messages of a chat, page by page, until a certain message is loaded. Also unloads old messages later.
import type { StoreApi } from 'zustand/vanilla';
import { emptyConversation, withoutOld } from '../rows/conversation.ts';
import type { MirrorState } from './mirror-state.ts';

/** Maximum number of loaded messages of a chat. Reading back to a message stops there. */
const MOST_LOADED = 20_000;

/**
 * Maximum number of loaded messages of a chat while only its end is in view. If there are more, all but the newest
 * `LEFT_AT_END` messages are unloaded.
 */
const MOST_AT_END = 1_000;
const LEFT_AT_END = 400;

interface LoadBackOptions {
  readonly chatMid: string;
  readonly messageId: string;
  readonly signal: AbortSignal;
  loadOlder(): Promise<void>;
}

/** Reads back to a message. Returns true if the message is loaded in the end. */
async function loadBack(
  store: StoreApi<Pick<MirrorState, 'conversations'>>,
  { chatMid, messageId, signal, loadOlder }: LoadBackOptions,
): Promise<boolean> {
  for (;;) {
    const conversation = store.getState().conversations.get(chatMid) ?? emptyConversation;
    const { messages, complete, loading, problem } = conversation;
    if (messages.some(({ id }) => id === messageId)) return true;
    const passed = Number(messages[0]?.id ?? Number.POSITIVE_INFINITY) < Number(messageId);
    if (signal.aborted || passed || complete || problem !== undefined || messages.length > MOST_LOADED) return false;
    if (loading || messages.length === 0) await changed(store);
    else await loadOlder();
  }
}

const changed = (store: StoreApi<Pick<MirrorState, 'conversations'>>): Promise<void> =>
  new Promise((resolve) => {
    const stop = store.subscribe(() => {
      stop();
      resolve();
    });
  });

export function createWays(store: StoreApi<MirrorState>, loadOlder: (chatMid: string) => Promise<void>) {
  /** The running reads back to a message. The messages of their chats must not be unloaded. */
  const ways = new Set<LoadBackOptions>();
  return {
    async loadBackTo(chatMid: string, messageId: string, signal: AbortSignal): Promise<boolean> {
      const way = { chatMid, messageId, signal, loadOlder: () => loadOlder(chatMid) };
      ways.add(way);
      try {
        return await loadBack(store, way);
      } finally {
        ways.delete(way);
      }
    },
    letGoOld(chatMid: string): void {
      const { conversations } = store.getState();
      const conversation = conversations.get(chatMid) ?? emptyConversation;
      if (conversation.loading || conversation.messages.length <= MOST_AT_END) return;
      if ([...ways].some((way) => way.chatMid === chatMid)) return;
      store.setState({ conversations: new Map(conversations).set(chatMid, withoutOld(conversation, LEFT_AT_END)) });
    },
  };
}
