// The message that a conversation should show because another part of the page asks for it, such as the search.
import { createStore, useStore } from 'zustand';

interface Wanted {
  readonly chatMid: string;
  readonly messageId: string;
}

const store = createStore<{ readonly wanted: Wanted | undefined }>(() => ({ wanted: undefined }));

/** Asks the conversation of a chat to show a message. The chat must be opened as well. */
export const wantMessage = (chatMid: string, messageId: string): void =>
  store.setState({ wanted: { chatMid, messageId } });

export const messageIsShown = (): void => store.setState({ wanted: undefined });

/** Returns the id of the message that a chat should show; undefined if there is none. */
export const useWantedMessage = (chatMid: string): string | undefined =>
  useStore(store, ({ wanted }) => (wanted?.chatMid === chatMid ? wanted.messageId : undefined));
