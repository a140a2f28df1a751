// Reads messages of chats into the page's state. Changes that come during a read may be newer than what was read. So
// they are applied once more after the read.
import type { StoredMessage } from '@sealpost/sdk';
import type { StoreApi } from 'zustand/vanilla';
import { addOlder, type Conversation, emptyConversation, withNewest } from '../rows/conversation.ts';
import type { ConversationChange, MirrorState } from './mirror-state.ts';
import type { Remote } from './remote.ts';

const PAGE = 50;
/**
 * Number of messages that are read at once when older messages are loaded up to a certain message. Also the maximum
 * when a chat is opened.
 */
export const FAR_PAGE = 200;
/** Number of messages before the first unread message that are read when a chat is opened. */
const SEEN_BEFORE = 20;

type Changes = ReadonlyMap<string, ConversationChange>;
type Store = Pick<StoreApi<MirrorState>, 'getState' | 'setState'>;

/** Returns the functions that change the page's copy of a conversation. */
function writerOf(store: Store) {
  const reads = new Set<(changes: Changes) => void>();
  const put = (chatMid: string, change: ConversationChange): void =>
    store.setState(({ conversations }) => ({
      conversations: new Map(conversations).set(chatMid, change(conversations.get(chatMid) ?? emptyConversation)),
    }));
  return {
    put,
    /** Passes changes of conversations to the reads that are still running. */
    note(changes: Changes): void {
      for (const noted of reads) noted(changes);
    },
    /**
     * Waits for messages of a chat and adds them to its conversation. Then applies changes that came during the read.
     */
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
        // If the oldest loaded message has changed, adding the messages that were read would leave a gap. They are
        // dropped, and read again later.
        conversation.messages[0]?.id === before
          ? addOlder(conversation, page, page.length < limit)
          : { ...conversation, loading: false },
      );
    } catch (problem) {
      put(chatMid, (conversation) => ({ ...conversation, loading: false, problem }));
    }
  }

  async function reload(chatMid: string): Promise<void> {
    // Messages that this device has are shown at once; messages from the server follow. The unread messages are
    // included, up to a limit, so that the chat can be opened at the first of them.
    const unread = store.getState().chats.get(chatMid)?.unread ?? 0;
    const limit = Math.min(FAR_PAGE, Math.max(PAGE, unread + SEEN_BEFORE));
    const kept = await putRead(chatMid, replica.keptMessages(chatMid, { limit }), (conversation, page) =>
      withNewest(conversation, page, limit),
    );
    await readReaders(chatMid);
    // Only the server knows how far members had read before this login.
    messaging.readers(chatMid).then(
      (readers) => putReaders(chatMid, readers),
      () => {},
    );
    if (kept.length < limit) await loadOlder(chatMid);
  }

  return { note, readReaders, loadOlder, reload };
}
