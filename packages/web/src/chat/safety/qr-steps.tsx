// The steps of a login by QR code, on the screen of the new device.
import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { QrCode } from '../../design/qr-code.tsx';
import { toast } from '../../design/toast.ts';
import { attempt } from '../client/attempt.ts';
import { useMirror, useRemote } from '../client/context.tsx';
import { Countdown } from './countdown.tsx';
import styles from './qr-steps.module.css';
import { WaitForDevice } from './wait-for-device.tsx';

export interface QrStepsProps {
  /**
   * Begins the login. The caller must pass the same function at each render, because a new function begins the login
   * again.
   */
  readonly begin: () => Promise<unknown>;
  readonly onFail: (error: unknown) => void;
}

export function QrSteps({ begin, onFail }: QrStepsProps) {
  const remote = useRemote();
  const step = useMirror((state) => state.loginStep);
  useEffect(() => {
    let current = true;
    begin().catch((error: unknown) => {
      if (current) onFail(error);
    });
    return () => {
      current = false;
      void remote.engine.cancelLogin();
    };
  }, [remote, begin, onFail]);
  if (step?.kind === 'pin') return <WaitForDevice pinCode={step.pinCode} words={step.words} />;
  if (step?.kind === 'scanned' || step?.kind === 'verified') {
    return (
      <p role="status">
        <Trans>The other device has let this one in. One moment…</Trans>
      </p>
    );
  }
  return (
    <>
      <p>
        <Trans>On a device where you are logged in, open Settings, Devices, Add a device. Scan this code there.</Trans>
      </p>
      {step?.kind === 'qr' ? <Code key={step.url} url={step.url} /> : <div className={styles.place} aria-busy="true" />}
    </>
  );
}

/** Milliseconds for which a code is valid on the server. */
const CODE_MS = 3 * 60_000;

function Code({ url }: { url: string }) {
  const { t } = useLingui();
  const [until] = useState(() => Date.now() + CODE_MS);
  const copy = async (): Promise<void> => {
    if (await attempt(() => navigator.clipboard.writeText(url))) toast({ text: t`Copied` });
  };
  return (
    <>
      <QrCode text={url} label={t`Code for the login`} />
      <Countdown until={until} />
      <details className={styles.address}>
        <summary>
          <Trans>The other device has no camera</Trans>
        </summary>
        <p>
          <Trans>Paste this address there. Send it to nobody else:</Trans>
        </p>
        <code>{url}</code>
        <Button onClick={() => void copy()}>
          <Trans>Copy the address</Trans>
        </Button>
      </details>
    </>
  );
}
