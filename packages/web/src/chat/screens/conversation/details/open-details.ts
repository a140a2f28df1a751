// Opens and closes the details of a chat. They have an address of their own, so that the browser's button "back" closes
// them.
import type { useLocation } from 'wouter';
import { chatPath, detailsPath } from '../../../routes.ts';

type Go = ReturnType<typeof useLocation>[1];

export const openDetails = (chatMid: string, go: Go): void => go(detailsPath(chatMid), { state: { above: true } });

export function closeDetails(chatMid: string, go: Go): void {
  // If the details were opened from the chat, the chat is the entry before them in the browser's history.
  const state: { readonly above?: boolean } | null = history.state;
  if (state?.above) history.back();
  else go(chatPath(chatMid), { replace: true });
}
