// The settings page for the keys of the account (backup, fingerprint, warnings), and for the logout.
import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { Button } from '../../../design/button.tsx';
import { toast } from '../../../design/toast.ts';
import { attempt } from '../../client/attempt.ts';
import { useMirror, useRemote } from '../../client/context.tsx';
import { openOverlay } from '../../overlays/overlays.ts';
import { AlarmList } from './alarm-list.tsx';
import { BackupSection } from './backup-section.tsx';
import { LogoutSection } from './logout-section.tsx';
import styles from './security-page.module.css';

export function SecurityPage() {
  return (
    <>
      <KeysSection />
      <BackupSection />
      <AlarmList />
      <LogoutSection />
    </>
  );
}

function KeysSection() {
  const { t } = useLingui();
  const remote = useRemote();
  const ownKey = useMirror(({ trust }) => trust.ownKey);
  const [fingerprint, setFingerprint] = useState<string>();
  const [busy, setBusy] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another key has another fingerprint
  useEffect(() => {
    remote.engine.fingerprint().then(setFingerprint, () => undefined);
  }, [remote, ownKey]);
  const check = async (): Promise<void> => {
    setBusy(true);
    if (await attempt(() => remote.trust.checkOwnKeys())) toast({ text: t`Your keys and the public record agree.` });
    setBusy(false);
  };
  return (
    // The section has no accessible name, because the strip about missing keys has the same one and may be shown too.
    <section>
      <h3>
        <Trans>Your keys</Trans>
      </h3>
      {ownKey === 'ready' && (
        <p>
          <Trans>
            This browser has the keys of your account. What you write is sealed where everybody can open it.
          </Trans>
        </p>
      )}
      {ownKey === 'off' && (
        <p>
          <Trans>
            Sealing is turned off for your account. What you write can be read by the operator of the server.
          </Trans>
        </p>
      )}
      {ownKey === 'missing' && (
        <>
          <p>
            <Trans>This browser does not have your keys.</Trans>
          </p>
          <Button look="primary" onClick={() => openOverlay({ kind: 'keys' })}>
            <Trans>Get your keys</Trans>
          </Button>
        </>
      )}
      {fingerprint !== undefined && (
        <details className={styles.details}>
          <summary>
            <Trans>Fingerprint of your newest key</Trans>
          </summary>
          <code className={styles.fingerprint}>{fingerprint}</code>
          <p className={styles.quiet}>
            <Trans>
              The server keeps a public record of all keys. This browser looks in it for keys in your name that you did
              not make.
            </Trans>
          </p>
          <Button disabled={busy} onClick={() => void check()}>
            <Trans>Check the record now</Trans>
          </Button>
        </details>
      )}
    </section>
  );
}
