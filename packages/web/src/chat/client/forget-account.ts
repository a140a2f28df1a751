// Removes what the page keeps of an account: its media, the files in composers, and small notes in the browser. Called when
// the session ends.
import { setPending } from '../guard/pending-store.ts';
import { forgetSeenNews } from '../guard/seen-news.ts';
import { forgetAsking } from '../keep-storage.ts';
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
  forgetAsking();
}
