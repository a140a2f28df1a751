// Opens and closes the details of a chat. The details have a separate address, so that the browser's button "back"
// closes them.
import type { useLocation } from 'wouter';
import { chatPath, detailsPath } from '../../../routes.ts';

type Go = ReturnType<typeof useLocation>[1];

export const openDetails = (chatMid: string, go: Go): void => go(detailsPath(chatMid), { state: { above: true } });

export function closeDetails(chatMid: string, go: Go): void {
  // If the details were opened from the chat, the previous entry in the browser's history is the chat.
  const state: { readonly above?: boolean } | null = history.state;
  if (state?.above) history.back();
  else go(chatPath(chatMid), { replace: true });
}
