// Opens and closes the details of a chat. They have an address of their own, so that the button "back" closes them.
import type { useLocation } from 'wouter';
import { chatPath, detailsPath } from '../../../routes.ts';

type Go = ReturnType<typeof useLocation>[1];

export const openDetails = (chatMid: string, go: Go): void => go(detailsPath(chatMid), { state: { above: true } });

export function closeDetails(chatMid: string, go: Go): void {
  // The chat is below in the history if the details were opened from it.
  const state: { readonly above?: boolean } | null = history.state;
  if (state?.above) history.back();
  else go(chatPath(chatMid), { replace: true });
}
