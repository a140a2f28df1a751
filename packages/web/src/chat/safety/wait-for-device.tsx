// Tells the person at the new device what to do on a device that is logged in: type the PIN, and compare the words.
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { useRemote } from '../client/context.tsx';
import { Countdown } from './countdown.tsx';
import styles from './wait-for-device.module.css';
import { Words } from './words.tsx';

/** Milliseconds that the server waits until the other device confirms the login. */
const WAITS_MS = 3 * 60_000;

export function WaitForDevice({ pinCode, words }: { pinCode: string; words?: string | undefined }) {
  const { t } = useLingui();
  const remote = useRemote();
  const [until] = useState(() => Date.now() + WAITS_MS);
  return (
    <div className={styles.wait}>
      <p>
        <Trans>Open Sealpost on a device where you are logged in, and type this PIN there:</Trans>
      </p>
      <output className={styles.pin} aria-label={t`PIN`}>
        {pinCode}
      </output>
      {words === undefined ? (
        <p>
          <Trans>If the other device offers to hand over keys, refuse: this login asked for none.</Trans>
        </p>
      ) : (
        <>
          <p>
            <Trans>It must show these words. If it shows others, refuse: somebody is between the two devices.</Trans>
          </p>
          <Words words={words} />
        </>
      )}
      <Countdown until={until} />
      <Button wide onClick={() => void remote.engine.cancelLogin()}>
        <Trans>Cancel</Trans>
      </Button>
    </div>
  );
}
