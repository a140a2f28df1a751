// Removes the media, the files in composers and the recent stickers of an account from the page, and which news it has
// seen. Called when the session ends.
import { setPending } from '../guard/pending-store.ts';
import { forgetSeenNews } from '../guard/seen-news.ts';
import { RECENT_STICKERS } from '../media/recent-stickers.ts';
import { shelf } from '../media/shelf.ts';
import { closeOverlay } from '../overlays/overlays.ts';
import { forgetAttachments } from '../screens/conversation/composer/kept-attachments.ts';

export function forgetAccount(): void {
  closeOverlay();
  setPending([]);
  shelf.clear();
  forgetAttachments();
  localStorage.removeItem(RECENT_STICKERS);
  forgetSeenNews();
}
