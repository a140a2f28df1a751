// Whether messages are being searched, and where. The list pane then shows the search in the place of the chats.
import { createStore, useStore } from 'zustand';

interface SearchState {
  readonly open: boolean;
  /** Only in this chat. */
  readonly chatMid: string | undefined;
  /** What the field has when the search opens. */
  readonly query: string;
}

const closed: SearchState = { open: false, chatMid: undefined, query: '' };
const store = createStore<SearchState>(() => closed);

/** Opens the search: of one chat, or of all. */
export const openSearch = (chatMid?: string, query = ''): void => store.setState({ open: true, chatMid, query });
export const closeSearch = (): void => store.setState(closed);
/** Searches all chats instead of one. */
export const searchEverywhere = (): void => store.setState({ chatMid: undefined });
export const useSearch = <T>(select: (state: SearchState) => T): T => useStore(store, select);
