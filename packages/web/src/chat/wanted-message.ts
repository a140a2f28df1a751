// The message that another part of the page wants to be shown: a search, a list of media, a link.
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

/** Returns the message of a chat that is wanted. */
export const useWantedMessage = (chatMid: string): string | undefined =>
  useStore(store, ({ wanted }) => (wanted?.chatMid === chatMid ? wanted.messageId : undefined));
