// What the page itself has of an account's media goes with the session.
import { RECENT_STICKERS } from './recent-stickers.ts';
import { shelf } from './shelf.ts';

export function forgetMedia(): void {
  shelf.clear();
  localStorage.removeItem(RECENT_STICKERS);
}
