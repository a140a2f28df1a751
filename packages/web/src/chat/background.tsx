// What works on all screens and is not seen at first: keys of the page, announcements, what is to be unsent, dialogs.
import { useKey } from '../keys/use-key.ts';
import { Announcer } from './announcer.tsx';
import { askKeys, askPalette } from './overlays/message-dialogs.ts';
import { MessageOverlay } from './overlays/message-overlay.tsx';
import { useUnsendsOnLeaving } from './screens/conversation/use-unsend.ts';
import { openSearch } from './search-store.ts';

export default function Background({ unread }: { unread: number }) {
  useUnsendsOnLeaving();
  useKey('palette', askPalette);
  useKey('keys', askKeys);
  useKey('search', () => openSearch());
  return (
    <>
      <Announcer unread={unread} />
      <MessageOverlay />
    </>
  );
}
