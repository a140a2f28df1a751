// Shows warnings about keys and devices, and news of the operator, on all screens, as strips at the upper edge of the
// page. Shows a dialog when a new device wants to log in.
import { useMirror } from '../client/context.tsx';
import { newAlarms } from '../safety/decisions.ts';
import { AlarmStrip } from './alarm-strip.tsx';
import { BackupStrip } from './backup-strip.tsx';
import { DeviceStrips } from './device-strips.tsx';
import { KeysStrip } from './keys-strip.tsx';
import { NewsStrip } from './news-strip.tsx';
import { PendingLogins } from './pending-logins.tsx';
import { useNews } from './use-news.ts';

export default function Guard() {
  const ownKey = useMirror(({ trust }) => trust.ownKey);
  const trust = useMirror((state) => state.trust);
  const alarms = newAlarms(trust);
  const readAgain = useNews();
  return (
    <>
      <DeviceStrips />
      {alarms[0] && <AlarmStrip key={alarms[0].id} alarm={alarms[0]} more={alarms.length - 1} />}
      {ownKey === 'missing' && <KeysStrip />}
      {alarms.length === 0 && trust.offersBackup && <BackupStrip />}
      <NewsStrip />
      <PendingLogins onDone={readAgain} />
    </>
  );
}
