// The line above unread messages: where it stood when the chat was opened, or when the first message came while nobody
// looked. Writing something takes it away.
import { useState } from 'react';
import { useMirror } from '../../client/context.tsx';
import { nextLine, type UnreadLine } from './list-math.ts';
import { useFocusedPage } from './use-focused-page.ts';

/** @param written the id of the newest message that this account wrote here and that waits */
export function useUnreadLine(chatMid: string, written: string | undefined): UnreadLine {
  const focused = useFocusedPage();
  const unread = useMirror(({ chats }) => chats.get(chatMid)?.unread ?? 0);
  const seenId = useMirror(({ chats }) => chats.get(chatMid)?.seenId ?? '0');
  const [{ line, before }, keep] = useState({
    line: unread > 0 ? seenId : undefined,
    before: { unread, seenId, focused, written },
  });
  const wrote = written !== undefined && written !== before.written;
  if (!wrote && before.unread === unread && before.seenId === seenId && before.focused === focused) return line;
  // The line comes with the message below it. In a later rendering it would move that message out of view.
  const now = { unread, seenId, focused, written: written ?? before.written };
  const next = wrote ? undefined : nextLine(line, before, now);
  keep({ line: next, before: now });
  return next;
}
