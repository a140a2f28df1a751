// Remembers whether the search for messages is open, and for which chat. An open search takes the place of the list of
// chats.
import { createStore, useStore } from 'zustand';

interface SearchState {
  readonly open: boolean;
  /** The only chat to search; undefined for all chats. */
  readonly chatMid: string | undefined;
  /** The text in the search field when the search opens. */
  readonly query: string;
}

const closed: SearchState = { open: false, chatMid: undefined, query: '' };
const store = createStore<SearchState>(() => closed);

/** Opens the search in the messages of one chat, or of all chats. */
export const openSearch = (chatMid?: string, query = ''): void => store.setState({ open: true, chatMid, query });
export const closeSearch = (): void => store.setState(closed);
/** Searches all chats instead of one. */
export const searchEverywhere = (): void => store.setState({ chatMid: undefined });
export const useSearch = <T>(select: (state: SearchState) => T): T => useStore(store, select);
