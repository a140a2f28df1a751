// Decides where the line above unread messages stands. A chat that is opened with unread messages has a line. The first
// message that arrives while the page has no focus also adds a line. The line is removed when the user writes a
// message.
import { useState } from 'react';
import { useMirror } from '../../client/context.tsx';
import { nextLine, type UnreadLine } from './list-math.ts';
import { useFocusedPage } from './use-focused-page.ts';

/** @param written the local id of the newest message that was written in this browser since the chat was opened */
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
  // The state is set while rendering, so that the line appears together with the message below it. A line that came
  // later would move that message out of view.
  const now = { unread, seenId, focused, written: written ?? before.written };
  const next = wrote ? undefined : nextLine(line, before, now);
  keep({ line: next, before: now });
  return next;
}
