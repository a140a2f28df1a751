// Reads messages of chats into the page's copy. What is read may be older than changes that came meanwhile, so those are
// made once more.
import type { StoredMessage } from '@sealpost/sdk';
import type { StoreApi } from 'zustand/vanilla';
import { addOlder, type Conversation, emptyConversation, withNewest } from '../rows/conversation.ts';
import type { ConversationChange, MirrorState } from './mirror-state.ts';
import type { Remote } from './remote.ts';

const PAGE = 50;
/** The size of a page on the way to a certain message. */
export const FAR_PAGE = 200;
/** How many messages above the first unread one are read at once. */
const SEEN_BEFORE = 20;

type Changes = ReadonlyMap<string, ConversationChange>;
type Store = Pick<StoreApi<MirrorState>, 'getState' | 'setState'>;

/** Returns the functions that change the copy of one conversation. */
function writerOf(store: Store) {
  const reads = new Set<(changes: Changes) => void>();
  const put = (chatMid: string, change: ConversationChange): void =>
    store.setState(({ conversations }) => ({
      conversations: new Map(conversations).set(chatMid, change(conversations.get(chatMid) ?? emptyConversation)),
    }));
  return {
    put,
    /** Notes what changes conversations, for what is being read of them. */
    note(changes: Changes): void {
      for (const noted of reads) noted(changes);
    },
    /** Waits for messages of a chat, and puts them. */
    async putRead(
      chatMid: string,
      read: Promise<readonly StoredMessage[]>,
      withPage: (conversation: Conversation, page: readonly StoredMessage[]) => Conversation,
    ): Promise<readonly StoredMessage[]> {
      const missed: ConversationChange[] = [];
      const noted = (changes: Changes): void => {
        const change = changes.get(chatMid);
        if (change) missed.push(change);
      };
      reads.add(noted);
      try {
        const page = await read;
        put(chatMid, (conversation) => missed.reduce((now, change) => change(now), withPage(conversation, page)));
        return page;
      } finally {
        reads.delete(noted);
      }
    },
  };
}

export function createReads(store: Store, { replica, messaging }: Remote) {
  const { put, putRead, note } = writerOf(store);
  const putReaders = (chatMid: string, readers: Conversation['readers']): void =>
    put(chatMid, (conversation) => ({ ...conversation, readers: { ...conversation.readers, ...readers } }));

  async function readReaders(chatMid: string): Promise<void> {
    putReaders(chatMid, await replica.readers(chatMid));
  }

  async function loadOlder(chatMid: string, limit = PAGE): Promise<void> {
    const { loading, complete, messages } = store.getState().conversations.get(chatMid) ?? emptyConversation;
    if (loading || complete) return;
    put(chatMid, (conversation) => ({ ...conversation, loading: true, problem: undefined }));
    const before = messages[0]?.id;
    try {
      await putRead(chatMid, replica.messages(chatMid, { before, limit }), (conversation, page) =>
        // Otherwise the page does not follow what is loaded now, and is read again.
        conversation.messages[0]?.id === before
          ? addOlder(conversation, page, page.length < limit)
          : { ...conversation, loading: false },
      );
    } catch (error) {
      put(chatMid, (conversation) => ({ ...conversation, loading: false, problem: (error as Error).message }));
    }
  }

  async function reload(chatMid: string): Promise<void> {
    // What this device has is shown at once; what the server must be asked for follows.
    // All unread messages are read, so that the chat can be opened at the first of them.
    const unread = store.getState().chats.get(chatMid)?.unread ?? 0;
    const limit = Math.min(FAR_PAGE, Math.max(PAGE, unread + SEEN_BEFORE));
    const kept = await putRead(chatMid, replica.keptMessages(chatMid, { limit }), (conversation, page) =>
      withNewest(conversation, page, limit),
    );
    await readReaders(chatMid);
    // Marks from before this login are on the server only.
    messaging.readers(chatMid).then(
      (readers) => putReaders(chatMid, readers),
      () => {},
    );
    if (kept.length < limit) await loadOlder(chatMid);
  }

  return { note, readReaders, loadOlder, reload };
}
