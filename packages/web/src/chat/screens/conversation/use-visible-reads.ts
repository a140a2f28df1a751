// Marks messages as read that a person could see. The page must be in front, and the lower edge of the message visible
// for half a second.
import type { VirtualItem } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useRef } from 'react';
import { useMirror, useRemote } from '../../client/context.tsx';
import type { Row } from '../../rows/rows.ts';
import { useFocusedPage } from './use-focused-page.ts';
import { newestVisible } from './visible-reads.ts';

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
  const unread = useMirror(({ chats }) => chats.get(chatMid)?.unread ?? 0);
  const marked = useRef('0');
  useEffect(() => {
    if (!focused || unread === 0) return;
    const timer = setTimeout(() => {
      const { scrollTop = 0, clientHeight = 0 } = scroller.current ?? {};
      const seen = newestVisible(rows, items, scrollTop + clientHeight, me);
      if (seen === undefined || Number(seen) <= Number(marked.current)) return;
      marked.current = seen;
      // If it fails, the next message that is seen moves the mark.
      remote.messaging.markRead(chatMid, seen).catch(() => {
        marked.current = '0';
      });
    }, LOOK_MS);
    return () => clearTimeout(timer);
  }, [focused, unread, rows, items, chatMid, remote, scroller, me]);
}
