// Waits until a chat that a call has created is in the page's state. It gets there with an operation, which comes a
// moment after the answer to the call.
import type { Mirror } from './mirror.ts';

const PATIENCE_MS = 5_000;

/** Resolves when a chat is in the page's state, or else after five seconds. */
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
