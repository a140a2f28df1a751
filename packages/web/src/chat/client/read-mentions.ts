// Finds messages that mention the account, among the messages that were unread when the page was opened.
import type { StoreApi } from 'zustand/vanilla';
import { withMentions } from '../rows/mentioned.ts';
import type { MirrorState } from './mirror-state.ts';
import type { Remote } from './remote.ts';

/** Maximum number of unread messages of a chat that are searched for mentions. */
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
