// The list of a chat's messages. It is the only part of the conversation that scrolls. Only its virtual list changes
// the scroll position.
import { useLingui } from '@lingui/react/macro';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useMirror, useMirrorActions } from '../../client/context.tsx';
import { waitingIn } from '../../client/mirror-state.ts';
import type { Waiting } from '../../client/protocol.ts';
import { ErrorBoundary } from '../../error-boundary.tsx';
import { preference } from '../../preferences.ts';
import { type Conversation, emptyConversation } from '../../rows/conversation.ts';
import { withKeyChanges } from '../../rows/key-changes.ts';
import { type Row, rowsOf } from '../../rows/rows.ts';
import { type ConversationView, ConversationViewProvider, createViewStore } from './conversation-view.ts';
import { DayLabel, NoOlder, NothingYet, Ways } from './list-edges.tsx';
import { dayAtTop, indexOfMessage, newSince, type Written, writtenNow } from './list-math.ts';
import { ListRow } from './list-row.tsx';
import styles from './message-list.module.css';
import { SelectionBar } from './selection-bar.tsx';
import { NEAR_END_PX, useEnd } from './use-end.ts';
import { useJump } from './use-jump.ts';
import { useListKeys } from './use-list-keys.ts';
import { useUnreadLine } from './use-unread-line.ts';
import { useVisibleReads } from './use-visible-reads.ts';

const ROW_PX = 56;
const NEAR_TOP_ROWS = 12;

export interface MessageListProps {
  readonly chatMid: string;
  readonly onReply: (messageId: string) => void;
}

/** Returns the local id of the newest message that was written in this browser since the chat was opened. */
function useWritten(conversation: Conversation, waiting: readonly Waiting[]): string | undefined {
  const { messages } = conversation;
  const [seen, keep] = useState<{ messages: typeof messages; waiting: typeof waiting; written: Written }>();
  const isRead = conversation !== emptyConversation;
  if (!isRead || (seen?.messages === messages && seen.waiting === waiting)) return seen?.written.last;
  const written = writtenNow(seen?.written, messages, waiting);
  keep({ messages, waiting, written });
  return written.last;
}

function useRows(chatMid: string) {
  const me = useMirror(({ status }) => status.session?.mid ?? '');
  const conversation = useMirror(({ conversations }) => conversations.get(chatMid) ?? emptyConversation);
  const waiting = useMirror((state) => waitingIn(state, chatMid));
  const { messages } = conversation;
  const written = useWritten(conversation, waiting);
  const readUpTo = useUnreadLine(chatMid, written);
  const keyChanges = useMirror(({ trust }) => trust.keyChanges);
  const members = useMirror(({ chats }) => chats.get(chatMid)?.members);
  const rows = useMemo(
    () => withKeyChanges(rowsOf({ me, messages, waiting, readUpTo }), keyChanges, members ?? [chatMid]),
    [me, messages, waiting, readUpTo, keyChanges, chatMid, members],
  );
  return { me, rows, conversation, written };
}

function useList(rows: readonly Row[]) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => rows[index]?.key ?? index,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: NEAR_END_PX,
    overscan: 8,
    paddingStart: 16,
    paddingEnd: 12,
  });
  return { scroller, virtual };
}

type List = ReturnType<typeof useList>;

/** Returns the functions of the conversation that rows can call, and a function that goes back after a jump. */
function useView({ chatMid, onReply }: MessageListProps, rows: readonly Row[], virtual: List['virtual']) {
  const latest = useRef({ rows, onReply });
  latest.current = { rows, onReply };
  const [store] = useState(createViewStore);
  const { jump, goBack } = useJump({
    chatMid,
    view: store,
    ready: rows.length > 0,
    show: (id) => virtual.scrollToIndex(Math.max(0, indexOfMessage(latest.current.rows, id)), { align: 'center' }),
  });
  const jumps = useRef(jump);
  jumps.current = jump;
  const [view] = useState<ConversationView>(() => ({
    chatMid,
    store,
    reply: (id) => latest.current.onReply(id),
    jump: (id, from) => void jumps.current(id, from),
  }));
  return { view, goBack };
}

/** Opens the list at the first unread message, or at the end. Scrolls to the end when the person writes a message. */
function usePlace(rows: readonly Row[], written: string | undefined, virtual: List['virtual']): void {
  const isLoaded = rows.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first rows decide where the list opens
  useLayoutEffect(() => {
    if (!isLoaded) return;
    const unread = rows.findIndex(({ kind }) => kind === 'unread');
    if (unread >= 0 && preference('opens') === 'unread') virtual.scrollToIndex(unread, { align: 'center' });
    else virtual.scrollToEnd();
  }, [isLoaded]);
  const lastWritten = useRef(written);
  useLayoutEffect(() => {
    if (written !== undefined && written !== lastWritten.current) virtual.scrollToEnd();
    lastWritten.current = written ?? lastWritten.current;
  }, [written, virtual]);
}

/** Reads older messages when the upper edge is near. */
function useOlder(chatMid: string, first: number, { messages, complete, loading, problem }: Conversation): void {
  const mirror = useMirrorActions();
  const isLoaded = messages.length > 0;
  useEffect(() => {
    if (isLoaded && !complete && !loading && problem === undefined && first < NEAR_TOP_ROWS)
      void mirror.loadOlder(chatMid);
  }, [isLoaded, complete, loading, problem, first, mirror, chatMid]);
}

/** Tries once more to read older messages, each time the connection is back. */
function useRetry(chatMid: string, { problem }: Conversation): void {
  const mirror = useMirrorActions();
  const isOnline = useMirror(({ status }) => status.connection.state === 'online');
  const retry = useEffectEvent(() => {
    if (problem !== undefined) void mirror.loadOlder(chatMid);
  });
  useEffect(() => {
    if (isOnline) retry();
  }, [isOnline]);
}

/** Unloads old messages when a new one comes while the end is in view, and when the person leaves the chat. */
function useLetGo(chatMid: string, newest: string | undefined, atEnd: boolean): void {
  const mirror = useMirrorActions();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new message is a reason to look
  useEffect(() => {
    if (atEnd) mirror.letGoOld(chatMid);
  }, [newest, atEnd, mirror, chatMid]);
  useEffect(() => () => mirror.letGoOld(chatMid), [mirror, chatMid]);
}

export function MessageList({ chatMid, onReply }: MessageListProps) {
  const { t } = useLingui();
  const mirror = useMirrorActions();
  const { me, rows, conversation, written } = useRows(chatMid);
  const { messages, problem } = conversation;
  const { scroller, virtual } = useList(rows);
  const { view, goBack } = useView({ chatMid, onReply }, rows, virtual);
  const { leftAt, look } = useEnd({ scroller, virtual }, messages.at(-1)?.id, view.store);
  const items = virtual.getVirtualItems();
  usePlace(rows, written, virtual);
  useOlder(chatMid, items[0]?.index ?? 0, conversation);
  useRetry(chatMid, conversation);
  useLetGo(chatMid, messages.at(-1)?.id, leftAt === undefined);
  useVisibleReads({ chatMid, scroller, rows, items });
  const onKeyDown = useListKeys({ scroller, rows, virtual });
  return (
    <ConversationViewProvider value={view}>
      <div className={styles.frame}>
        <div
          ref={scroller}
          className={styles.scroller}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
          tabIndex={0}
          role="log"
          aria-live="off"
          aria-label={t`Messages`}
          onScroll={look}
          onKeyDown={onKeyDown}
        >
          <div className={styles.content} style={{ blockSize: virtual.getTotalSize() }}>
            {items.map(({ key, index, start }) => (
              <div
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                className={styles.item}
                style={{ transform: `translateY(${start}px)` }}
              >
                <ErrorBoundary fallback={<p className={styles.line}>{t`This message could not be shown.`}</p>}>
                  {rows[index] && <ListRow row={rows[index]} chatMid={chatMid} />}
                </ErrorBoundary>
              </div>
            ))}
          </div>
        </div>
        {rows.length === 0 && conversation.complete && <NothingYet chatMid={chatMid} />}
        <DayLabel time={dayAtTop(rows, items, virtual.scrollOffset ?? 0)} shown={virtual.isScrolling} />
        {problem !== undefined && <NoOlder problem={problem} onRetry={() => void mirror.loadOlder(chatMid)} />}
        <Ways
          atEnd={leftAt === undefined}
          fresh={leftAt === undefined ? 0 : newSince(messages, leftAt, me)}
          onEnd={() => virtual.scrollToEnd()}
          onBack={goBack}
        />
        <SelectionBar messages={messages} me={me} />
      </div>
    </ConversationViewProvider>
  );
}
