// The line above unread messages: where it stood when the chat was opened, or when the first message came while nobody
// looked. Writing something takes it away.
import { useEffect, useRef, useState } from 'react';
import { useMirror } from '../../client/context.tsx';
import { type LineInput, nextLine, type UnreadLine } from './list-math.ts';
import { useFocusedPage } from './use-focused-page.ts';

/** @param written the id of the newest message that this account wrote here and that waits */
export function useUnreadLine(chatMid: string, written: string | undefined): UnreadLine {
  const focused = useFocusedPage();
  const unread = useMirror(({ chats }) => chats.get(chatMid)?.unread ?? 0);
  const seenId = useMirror(({ chats }) => chats.get(chatMid)?.seenId ?? '0');
  const [line, setLine] = useState<UnreadLine>(unread > 0 ? seenId : undefined);
  const before = useRef<LineInput>({ unread, seenId, focused });
  const lastWritten = useRef(written);
  useEffect(() => {
    const now = { unread, seenId, focused };
    const old = before.current;
    before.current = now;
    setLine((current) => nextLine(current, old, now));
  }, [unread, seenId, focused]);
  useEffect(() => {
    if (written !== undefined && written !== lastWritten.current) setLine(undefined);
    lastWritten.current = written ?? lastWritten.current;
  }, [written]);
  return line;
}
