// Components that are needed on all screens but not visible at first: keyboard shortcuts, keeping the focus,
// announcements, pending unsends, and dialogs. Also follows the choices that other tabs make.
import { useEffect } from 'react';
import { keepFocus } from '../access/keep-focus.ts';
import { useKey } from '../keys/use-key.ts';
import { Announcer } from './announcer.tsx';
import { followOtherTabs } from './other-tabs.ts';
import { OverlayHost } from './overlays/overlay-host.tsx';
import { openOverlay } from './overlays/overlays.ts';
import { preloadParts } from './preload.ts';
import { useUnsendsOnLeaving } from './screens/conversation/use-unsend.ts';
import { useOpenSearch } from './use-open-search.ts';

export default function Background({ unread }: { unread: number }) {
  const openSearch = useOpenSearch();
  useUnsendsOnLeaving();
  useEffect(keepFocus, []);
  useEffect(followOtherTabs, []);
  useEffect(() => void preloadParts(), []);
  useKey('palette', () => openOverlay({ kind: 'palette' }));
  useKey('keys', () => openOverlay({ kind: 'key-sheet' }));
  useKey('search', () => openSearch());
  return (
    <>
      <Announcer unread={unread} />
      <OverlayHost />
    </>
  );
}
