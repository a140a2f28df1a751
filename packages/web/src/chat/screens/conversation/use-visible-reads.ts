// Marks messages as read if a person could see them. The page must have the focus, and the lower edge of the message
// must be visible for half a second.
import type { VirtualItem } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useRef } from 'react';
import { useMirror, useRemote } from '../../client/context.tsx';
import type { Row } from '../../rows/rows.ts';
import { isInFront, useFocusedPage } from './use-focused-page.ts';
import { newestVisible, seenTwice } from './visible-reads.ts';

const LOOK_MS = 500;

export interface VisibleReads {
  readonly chatMid: string;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly rows: readonly Row[];
  readonly items: readonly VirtualItem[];
}

export function useVisibleReads({ chatMid, scroller, rows, items }: VisibleReads): void {
  const remote = useRemote();
  const focused = useFocusedPage();
  const me = useMirror(({ status }) => status.session?.mid ?? '');
  const isOnline = useMirror(({ status }) => status.connection.state === 'online');
  const hasUnread = useMirror(({ chats }) => (chats.get(chatMid)?.unread ?? 0) > 0);
  const shown = useRef({ rows, items });
  shown.current = { rows, items };
  useEffect(() => {
    if (!focused || !isOnline || !hasUnread) return;
    let before: string | undefined;
    let marked = 0;
    // A message counts as seen if it is visible at two consecutive checks. New messages do not restart this timer.
    // Otherwise a busy chat would never be marked as read.
    const look = (): void => {
      const { scrollTop = 0, clientHeight = 0 } = scroller.current ?? {};
      // In a narrow window the details of the chat cover its messages.
      const isUncovered = scroller.current?.checkVisibility({ visibilityProperty: true }) ?? false;
      const seen =
        isInFront() && isUncovered
          ? newestVisible(shown.current.rows, shown.current.items, scrollTop + clientHeight, me)
          : undefined;
      const stayed = seenTwice(before, seen);
      before = seen;
      if (stayed === undefined || Number(stayed) <= marked) return;
      marked = Number(stayed);
      // If this call fails, the next seen message or the next connection causes another attempt.
      remote.messaging.markRead(chatMid, stayed).catch(() => undefined);
    };
    look();
    const timer = setInterval(look, LOOK_MS);
    return () => clearInterval(timer);
  }, [focused, isOnline, hasUnread, chatMid, remote, scroller, me]);
}
