// Watches over keys and devices on all screens: strips at the upper edge, and dialogs that come by themselves.
import { lazy, Suspense } from 'react';
import { useMirror } from '../client/context.tsx';
import { newAlarms } from '../safety/decisions.ts';
import { closeOverlay, useOverlay } from '../safety/overlay.ts';
import { AlarmStrip } from './alarm-strip.tsx';
import { BackupStrip } from './backup-strip.tsx';
import { KeysStrip } from './keys-strip.tsx';
import { PendingLogins } from './pending-logins.tsx';
import { useNews } from './use-news.ts';

const SafetyDialog = lazy(() => import('../overlays/safety-dialog.tsx'));
const BackupDialog = lazy(() => import('../overlays/backup-dialog.tsx'));
const KeysDialog = lazy(() => import('../overlays/keys-dialog.tsx'));
const SealDialog = lazy(() => import('../overlays/seal-dialog.tsx'));

export default function Guard() {
  const ownKey = useMirror(({ trust }) => trust.ownKey);
  const trust = useMirror((state) => state.trust);
  const alarms = newAlarms(trust);
  const { pending, readAgain } = useNews();
  return (
    <>
      {alarms[0] && <AlarmStrip key={alarms[0].id} alarm={alarms[0]} more={alarms.length - 1} />}
      {ownKey === 'missing' && <KeysStrip />}
      {alarms.length === 0 && trust.offersBackup && <BackupStrip />}
      <PendingLogins pending={pending} onDone={readAgain} />
      <Suspense>
        <OpenOverlay />
      </Suspense>
    </>
  );
}

function OpenOverlay() {
  const overlay = useOverlay();
  switch (overlay?.kind) {
    case 'safety':
      return <SafetyDialog key={overlay.mid} mid={overlay.mid} onClose={closeOverlay} />;
    case 'backup':
      return <BackupDialog onClose={closeOverlay} />;
    case 'keys':
      return <KeysDialog onClose={closeOverlay} />;
    case 'restore':
      return <KeysDialog first="backup" onClose={closeOverlay} />;
    case 'seal':
      return <SealDialog key={overlay.chatMid} chatMid={overlay.chatMid} onClose={closeOverlay} />;
    default:
      return null;
  }
}
