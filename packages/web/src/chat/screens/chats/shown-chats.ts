// Decides which chats the list shows, and in which order.
import { folded } from '../../../words/folded.ts';
import { type MirrorState, nameOf } from '../../client/mirror-state.ts';

/**
 * Returns the mids of the chats to show: favourites first, then chats whose first message waits or was not sent, then
 * the newest first. Hidden chats are included only if a query finds them.
 */
export function shownChats(state: MirrorState, query: string): readonly string[] {
  const { order, chats, outbox } = state;
  const wanted = folded(query.trim());
  const isFound = (name: string): boolean => folded(name).includes(wanted);
  const begun = order.filter((mid) => {
    const chat = chats.get(mid);
    return chat && (wanted === '' ? !chat.hidden : isFound(chat.name));
  });
  const others = [...outbox.keys()].filter((mid) => {
    const name = nameOf(state, mid);
    // A group that the user has left has no name here.
    return !chats.has(mid) && name !== '' && isFound(name);
  });
  const isFavorite = (mid: string): boolean => chats.get(mid)?.favorite === true;
  return [...begun.filter(isFavorite), ...others, ...begun.filter((mid) => !isFavorite(mid))];
}
