// Waits until a chat that a call has created is in the page's state. The operation that adds the chat arrives a moment
// after the answer to the call.
import type { Mirror } from './mirror.ts';

const PATIENCE_MS = 5_000;

/** Resolves when a chat is in the page's state, but after five seconds at the latest. */
export function chatArrives({ store }: Pick<Mirror, 'store'>, chatMid: string): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      unsubscribe();
      resolve();
    };
    const unsubscribe = store.subscribe(({ chats }) => chats.has(chatMid) && done());
    const timer = setTimeout(done, PATIENCE_MS);
    if (store.getState().chats.has(chatMid)) done();
  });
}
