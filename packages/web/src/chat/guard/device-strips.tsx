// Strips about problems of this device: its storage is full, or its clock differs from the server's. They say what the
// person can do.
import { Trans, useLingui } from '@lingui/react/macro';
import { Clock, HardDrive } from 'lucide-react';
import { timeApart } from '../../words/time-apart.ts';
import { useMirror } from '../client/context.tsx';
import styles from './strip.module.css';

export function DeviceStrips() {
  const isFull = useMirror(({ status }) => status.storageFull ?? false);
  const ahead = useMirror(({ status }) => status.clockAheadMs);
  return (
    <>
      {isFull && <FullStrip />}
      {ahead !== undefined && <ClockStrip ahead={ahead} />}
    </>
  );
}

function FullStrip() {
  const { t } = useLingui();
  return (
    <section className={styles.strip} aria-label={t`Full storage`} aria-live="assertive">
      <HardDrive aria-hidden="true" />
      <div className={styles.text}>
        <p>
          <strong>
            <Trans>This browser has no room left for your messages.</Trans>
          </strong>
        </p>
        <p>
          <Trans>
            New messages and what you write cannot be kept here. Delete files on this device, or the data of other sites
            in the settings of the browser. The page then goes on by itself.
          </Trans>
        </p>
      </div>
    </section>
  );
}

function ClockStrip({ ahead }: { ahead: number }) {
  const { t, i18n } = useLingui();
  const apart = timeApart(i18n.locale, ahead);
  return (
    <section className={styles.strip} aria-label={t`Wrong clock`} aria-live="polite">
      <Clock aria-hidden="true" />
      <div className={styles.text}>
        <p>
          <strong>
            {ahead > 0
              ? t`The clock of this device is ${apart} ahead of the server.`
              : t`The clock of this device is ${apart} behind the server.`}
          </strong>
        </p>
        <p>
          <Trans>
            Times are shown wrong, and new keys may be refused. Set date, time and time zone in the settings of this
            device. If they are right, tell the operator of the server.
          </Trans>
        </p>
      </div>
    </section>
  );
}
