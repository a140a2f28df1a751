// Reads older messages of a chat, page by page, until a certain one is among them. Lets go of old ones again.
import type { StoreApi } from 'zustand/vanilla';
import { emptyConversation, withoutOld } from '../rows/conversation.ts';
import type { MirrorState } from './mirror-state.ts';

/** A page keeps at most so many messages of a chat because of a jump. */
const MOST_LOADED = 20_000;

/** A chat of which only the end is shown may keep so many messages, and is then cut down to fewer. */
const MOST_AT_END = 1_000;
const LEFT_AT_END = 400;

interface LoadBackOptions {
  readonly chatMid: string;
  readonly messageId: string;
  readonly signal: AbortSignal;
  loadOlder(): Promise<void>;
}

/** Returns whether the message is loaded at the end. */
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
  /** The ways that are being read: what lies on them must stay. */
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
