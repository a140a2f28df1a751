// Decides which chats the list shows, and in which order.
import type { ChatView } from '@sealpost/sdk';

/**
 * Returns the mids of the chats to show: favourites first, then the newest first. Hidden chats are included only if a
 * query finds them.
 */
export function shownChats(
  order: readonly string[],
  chats: ReadonlyMap<string, ChatView>,
  query: string,
): readonly string[] {
  const wanted = query.trim().toLocaleLowerCase();
  const found = order.filter((mid) => {
    const chat = chats.get(mid);
    if (!chat) return false;
    return wanted === '' ? !chat.hidden : chat.name.toLocaleLowerCase().includes(wanted);
  });
  const favorites = found.filter((mid) => chats.get(mid)?.favorite);
  return favorites.length === 0 ? found : [...favorites, ...found.filter((mid) => !chats.get(mid)?.favorite)];
}
