// Reads older messages of a chat, page by page, until a certain one is among them.
import type { StoreApi } from 'zustand/vanilla';
import { emptyConversation } from '../rows/conversation.ts';
import type { MirrorState } from './mirror-state.ts';

/** A page keeps at most so many messages of a chat because of a jump. */
const MOST_LOADED = 20_000;

export interface LoadBackOptions {
  readonly chatMid: string;
  readonly messageId: string;
  readonly signal: AbortSignal;
  loadOlder(): Promise<void>;
}

/** Returns whether the message is loaded at the end. */
export async function loadBack(
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
