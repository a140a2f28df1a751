// Finds who mentioned the account in unread messages that came before the page was opened.
import type { StoreApi } from 'zustand/vanilla';
import { withMentions } from '../rows/mentioned.ts';
import type { MirrorState } from './mirror-state.ts';
import type { Remote } from './remote.ts';

/** At most so many unread messages of a chat are looked at. */
const MOST = 200;

export async function readMentions(store: StoreApi<MirrorState>, { replica }: Remote): Promise<void> {
  for (const { mid, kind, unread } of store.getState().chats.values()) {
    if (kind === 'user' || unread === 0) continue;
    const kept = await replica.keptMessages(mid, { limit: Math.min(MOST, unread) });
    store.setState(({ mentioned, status }) => ({
      mentioned: withMentions(mentioned, { [mid]: kept }, status.session?.mid ?? ''),
    }));
  }
}
