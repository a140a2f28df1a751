// Opens the search for messages, where it can be seen: it stands in the place of the list of chats.
import { useLocation } from 'wouter';
import { routes, sectionOf } from './routes.ts';
import { openSearch } from './search-store.ts';

/** Returns a function that opens the search of one chat, or of all chats. */
export function useOpenSearch(): (chatMid?: string) => void {
  const [path, go] = useLocation();
  return (chatMid) => {
    openSearch(chatMid);
    // A phone shows only one pane at a time, and the other sections have lists of their own.
    if (sectionOf(path) !== 'chats' || matchMedia('(max-width: 700px)').matches) go(routes.chats);
  };
}
