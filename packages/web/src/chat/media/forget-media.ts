// Removes the media and the recent stickers of an account from the page. Called when the session ends.
import { RECENT_STICKERS } from './recent-stickers.ts';
import { shelf } from './shelf.ts';

export function forgetMedia(): void {
  shelf.clear();
  localStorage.removeItem(RECENT_STICKERS);
}
