// Components that are needed on all screens but not visible at first: keyboard shortcuts, keeping the focus,
// announcements, pending unsends, and dialogs. Also follows the choices that other tabs make, keeps notifications on, and
// asks the browser to keep what is stored.
import { useEffect, useRef } from 'react';
import { keepFocus } from '../access/keep-focus.ts';
import { useKey } from '../keys/use-key.ts';
import { Announcer } from './announcer.tsx';
import { useMirror, useMirrorActions, useRemote } from './client/context.tsx';
import { keepStorage } from './keep-storage.ts';
import { followOtherTabs } from './other-tabs.ts';
import { OverlayHost } from './overlays/overlay-host.tsx';
import { openOverlay } from './overlays/overlays.ts';
import { preloadParts } from './preload.ts';
import { forgetNotifications, keepOn } from './push-state.ts';
import { useUnsendsOnLeaving } from './unsend/use-unsend.ts';
import { useOpenSearch } from './use-open-search.ts';

export default function Background({ unread }: { unread: number }) {
  const openSearch = useOpenSearch();
  useUnsendsOnLeaving();
  useNotifications();
  useEffect(keepFocus, []);
  useEffect(followOtherTabs, []);
  useEffect(() => void preloadParts(), []);
  useEffect(() => void keepStorage().catch(() => undefined), []);
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

/**
 * Keeps notifications on after a new login, and ends them when the account leaves this browser. Tries once, and again
 * after a failure when there is a connection again.
 */
function useNotifications(): void {
  const { push } = useRemote();
  const { store } = useMirrorActions();
  const online = useMirror(({ status }) => status.connection.state === 'online' && status.session?.mid);
  const isDone = useRef(false);
  useEffect(() => {
    if (!online || isDone.current) return;
    isDone.current = true;
    keepOn(push, online).catch(() => {
      isDone.current = false;
    });
  }, [push, online]);
  useEffect(
    () => () => {
      // A session that another device has ended stays known. Its account may log in again.
      const { phase, session } = store.getState().status;
      if (phase === 'signed-out' && !session) forgetNotifications();
    },
    [store],
  );
}
