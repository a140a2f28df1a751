// Login by a code that a device scans which is logged in already.
import { Trans, useLingui } from '@lingui/react/macro';
import encodeQR from 'qr';
import { useEffect, useMemo, useState } from 'react';
import { Button } from '../../../design/button.tsx';
import { useMirror, useRemote } from '../../client/context.tsx';
import { loginProblem } from './login-problem.ts';
import styles from './login-screen.module.css';
import { WaitForDevice } from './wait-for-device.tsx';

export function QrLogin({ onBack }: { onBack: () => void }) {
  const remote = useRemote();
  const step = useMirror((state) => state.loginStep);
  const [url, setUrl] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt begins a new login
  useEffect(() => {
    let current = true;
    setProblem(undefined);
    remote.engine.loginByQr().catch((error: unknown) => {
      if (current) setProblem(loginProblem(error));
    });
    return () => {
      current = false;
      void remote.engine.cancelLogin();
    };
  }, [remote, attempt]);
  useEffect(() => {
    if (step?.kind === 'qr') setUrl(step.url);
  }, [step]);

  return (
    <div className={styles.form}>
      {problem !== undefined ? (
        <>
          <p role="alert">{problem}</p>
          <Button look="primary" wide onClick={() => setAttempt(attempt + 1)}>
            <Trans>Show a new code</Trans>
          </Button>
        </>
      ) : (
        <QrStep url={url} />
      )}
      <Button look="quiet" wide onClick={onBack}>
        <Trans>Log in with a password</Trans>
      </Button>
    </div>
  );
}

function QrStep({ url }: { url: string | undefined }) {
  const step = useMirror((state) => state.loginStep);
  if (step?.kind === 'pin') return <WaitForDevice pinCode={step.pinCode} words={step.words} />;
  if (step?.kind === 'scanned' || step?.kind === 'verified') {
    return (
      <p role="status">
        <Trans>The code was scanned. Confirm on the other device.</Trans>
      </p>
    );
  }
  return (
    <>
      <p>
        <Trans>On a device where you are logged in, open Settings, Devices, Add a device. Scan this code there.</Trans>
      </p>
      {url === undefined ? <div className={styles.qr} aria-busy="true" /> : <QrCode text={url} />}
    </>
  );
}

function QrCode({ text }: { text: string }) {
  const { t } = useLingui();
  const rows = useMemo(() => encodeQR(text, 'raw', { ecc: 'medium', border: 2 }), [text]);
  const path = rows.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <>
      <svg
        className={styles.qr}
        viewBox={`0 0 ${rows.length} ${rows.length}`}
        role="img"
        aria-label={t`Code for the login`}
      >
        <path d={path} />
      </svg>
      <details className={styles.address}>
        <summary>
          <Trans>The other device has no camera</Trans>
        </summary>
        <p>
          <Trans>Paste this address there:</Trans>
        </p>
        <code>{text}</code>
      </details>
    </>
  );
}
