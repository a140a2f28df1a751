// The messages of a chat. Nothing else scrolls here, and nothing else moves the scroll position.
import { Trans, useLingui } from '@lingui/react/macro';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { IconButton } from '../../../design/button.tsx';
import { dayName } from '../../../words/dates.ts';
import { useMirror, useMirrorActions } from '../../client/context.tsx';
import { waitingIn } from '../../client/mirror-state.ts';
import { ErrorBoundary } from '../../error-boundary.tsx';
import { preference } from '../../preferences.ts';
import { emptyConversation } from '../../rows/conversation.ts';
import { withKeyChanges } from '../../rows/key-changes.ts';
import { type Row, rowsOf } from '../../rows/rows.ts';
import { NewKeyLine } from '../../safety/new-key-line.tsx';
import { Message } from './message.tsx';
import styles from './message-list.module.css';
import { useVisibleReads } from './use-visible-reads.ts';
import { WaitingMessage } from './waiting-message.tsx';

const ROW_PX = 56;
const NEAR_TOP_ROWS = 12;
const AT_END_PX = 80;

export interface MessageListProps {
  readonly chatMid: string;
  readonly onReply: (messageId: string) => void;
}

export function MessageList({ chatMid, onReply }: MessageListProps) {
  const { t } = useLingui();
  const mirror = useMirrorActions();
  const { conversation, rows } = useRows(chatMid);
  const { complete, loading, problem } = conversation;

  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => (rows[index] as Row).key,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: AT_END_PX,
    overscan: 8,
    paddingStart: 16,
    paddingEnd: 12,
  });
  const [atEnd, setAtEnd] = useState(true);
  const isLoaded = rows.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first rows decide where the list opens
  useLayoutEffect(() => {
    if (!isLoaded) return;
    const unread = rows.findIndex(({ kind }) => kind === 'unread');
    if (unread >= 0 && preference('opens') === 'unread') virtual.scrollToIndex(unread, { align: 'center' });
    else virtual.scrollToEnd();
  }, [isLoaded]);

  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  useEffect(() => {
    if (isLoaded && !complete && !loading && problem === undefined && first < NEAR_TOP_ROWS)
      void mirror.loadOlder(chatMid);
  }, [isLoaded, complete, loading, problem, first, mirror, chatMid]);
  useVisibleReads({ chatMid, scroller, rows, items });

  return (
    <div className={styles.frame}>
      <div
        ref={scroller}
        className={styles.scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label={t`Messages`}
        onScroll={() => setAtEnd(virtual.isAtEnd())}
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
                <ListRow row={rows[index] as Row} chatMid={chatMid} onReply={onReply} />
              </ErrorBoundary>
            </div>
          ))}
        </div>
      </div>
      {problem !== undefined && <NoOlder onRetry={() => void mirror.loadOlder(chatMid)} />}
      {!atEnd && (
        <IconButton className={styles.toEnd} label={t`To the newest message`} onClick={() => virtual.scrollToEnd()}>
          <ArrowDown />
        </IconButton>
      )}
    </div>
  );
}

function NoOlder({ onRetry }: { onRetry: () => void }) {
  return (
    <p className={styles.problem} role="status">
      <Trans>Older messages are not here without a connection.</Trans>{' '}
      <button type="button" onClick={onRetry}>
        <Trans>Try again</Trans>
      </button>
    </p>
  );
}

function ListRow({ row, chatMid, onReply }: { row: Row; chatMid: string; onReply: (messageId: string) => void }) {
  const { i18n } = useLingui();
  switch (row.kind) {
    case 'day':
      return (
        <p className={styles.line}>
          <span>{dayName(i18n.locale, row.time, Date.now())}</span>
        </p>
      );
    case 'unread':
      return (
        <p className={styles.unread}>
          <span>
            <Trans>New messages</Trans>
          </span>
        </p>
      );
    case 'new-key':
      return <NewKeyLine mid={row.mid} />;
    case 'message':
      return <Message message={row.message} chatMid={chatMid} first={row.first} last={row.last} onReply={onReply} />;
    case 'waiting':
      return <WaitingMessage waiting={row.waiting} first={row.first} last={row.last} />;
  }
}

/** Returns what the list shows. */
function useRows(chatMid: string) {
  const me = useMirror(({ status }) => status.session?.mid ?? '');
  const conversation = useMirror(({ conversations }) => conversations.get(chatMid) ?? emptyConversation);
  const waiting = useMirror((state) => waitingIn(state, chatMid));
  const { messages } = conversation;
  const readUpTo = useReadMarkAtOpening(chatMid);
  const keyChanges = useMirror(({ trust }) => trust.keyChanges);
  const members = useMirror(({ chats }) => chats.get(chatMid)?.members);
  const rows = useMemo(
    () => withKeyChanges(rowsOf({ me, messages, waiting, readUpTo }), keyChanges, members ?? [chatMid]),
    [me, messages, waiting, readUpTo, keyChanges, chatMid, members],
  );
  return { conversation, rows };
}

/** Returns the read mark of the account as it was when the chat was opened; undefined if nothing is unread. */
function useReadMarkAtOpening(chatMid: string): string | undefined {
  const unread = useMirror(({ chats }) => chats.get(chatMid)?.unread ?? 0);
  const seenId = useMirror(({ chats }) => chats.get(chatMid)?.seenId);
  const [mark] = useState(unread > 0 ? seenId : undefined);
  return mark;
}
