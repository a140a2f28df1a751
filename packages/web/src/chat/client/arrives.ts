// Waits until the state has what a call has made: its operation comes a moment after the answer.
import type { Mirror } from './mirror.ts';

const PATIENCE_MS = 5_000;

/** Resolves when a chat is in the state, or after some seconds. */
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
