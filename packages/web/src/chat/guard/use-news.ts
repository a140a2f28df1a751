// Handles notices about devices and keys: reads the logins that wait for a confirmation, and shows other notices as
// short messages.
import { useLingui } from '@lingui/react/macro';
import { useCallback, useEffect } from 'react';
import { useLocation } from 'wouter';
import { toast } from '../../design/toast.ts';
import { useMirror, useMirrorActions, useRemote } from '../client/context.tsx';
import { nameOf } from '../client/mirror-state.ts';
import type { Notice } from '../client/protocol.ts';
import { openOverlay } from '../overlays/overlays.ts';
import { settingsPath } from '../routes.ts';
import { waitingLogins } from '../safety/approval.ts';
import { setPending } from './pending-store.ts';

const STAYS_MS = 12_000;

/** Returns a function that reads the waiting logins again. */
export function useNews(): () => void {
  const remote = useRemote();
  const mirror = useMirrorActions();
  const notices = useMirror((state) => state.notices);
  const tell = useTell();
  const readAgain = useCallback((): void => {
    // Without a connection, no login can be confirmed anyway. The next notice about a device reads the logins again.
    remote.devices.pending().then(
      (found) => setPending(waitingLogins(found)),
      () => undefined,
    );
  }, [remote]);
  useEffect(readAgain, [readAgain]);
  useEffect(() => {
    for (const notice of notices) {
      if (notice.kind === 'device') readAgain();
      tell(notice);
      mirror.dismissNotice(notice.key);
    }
  }, [notices, readAgain, tell, mirror]);
  return readAgain;
}

/** Returns a function that shows a notice as a short message. It ignores notices for which there is no message. */
function useTell(): (notice: Notice) => void {
  const { t } = useLingui();
  const remote = useRemote();
  const { store } = useMirrorActions();
  const [, go] = useLocation();
  return useCallback(
    (notice) => {
      const devices = { label: t`Devices`, run: () => go(settingsPath('devices')) };
      if (notice.kind === 'new-key') {
        const { mid } = notice;
        const name = nameOf(store.getState(), mid) || t`Somebody`;
        const text = t`${name}’s key changed: a new device, or somebody else. Compare the safety number.`;
        toast({
          about: `key of ${mid}`,
          text,
          action: { label: t`Compare`, run: () => openOverlay({ kind: 'safety', mid }) },
          stays: STAYS_MS,
        });
      } else if (notice.news === 'failed') {
        const { id: count } = notice;
        const from = notice.about.remoteAddress ?? '';
        toast({
          about: notice.news,
          text: t`Somebody typed a wrong password of yours (${count} today, last from ${from}).`,
          stays: STAYS_MS,
        });
      } else if (notice.news === 'approved') {
        // This notice comes when another device allows the login, and again when the new device is logged in. Only the
        // second notice has a session.
        if (notice.about.loginSessionId === undefined) return;
        const name = notice.about.systemName || t`another device`;
        toast({ text: t`A device was let into your account: ${name}`, action: devices, stays: STAYS_MS });
      } else if (notice.news.startsWith('backup-')) {
        // If the sessions cannot be read, the news is still told, without the name of the device.
        const known = remote.devices.sessions().catch(() => []);
        void known.then((sessions) => {
          const by = sessions.find(({ loginSessionId }) => loginSessionId === notice.id);
          if (by?.current) return;
          const name = by?.name || by?.systemName || t`another device`;
          const texts: Record<string, string> = {
            'backup-stored': t`The backup of your keys was made anew by ${name}.`,
            'backup-read': t`The backup of your keys was opened by ${name}.`,
            'backup-deleted': t`The backup of your keys was deleted by ${name}.`,
          };
          toast({ about: notice.news, text: texts[notice.news] ?? '', action: devices, stays: STAYS_MS });
        });
      }
    },
    [t, remote, store, go],
  );
}
