// The backup of the keys: whether there is one, how old it is, and what can be done with it.

import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { RecoveryStatus } from '@sealpost/sdk';
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { Button } from '../../../design/button.tsx';
import { fullTime } from '../../../words/full-times.ts';
import { problemOf } from '../../client/attempt.ts';
import { useRemote } from '../../client/context.tsx';
import { openOverlay, useOverlay } from '../../overlays/overlays.ts';
import styles from './security-page.module.css';

const Confirm = lazy(() => import('../../overlays/confirm.tsx'));

export function BackupSection() {
  const { status, problem, readAgain } = useBackupStatus();
  return (
    // The section has no accessible name, because the strip that offers a backup has the same one and may be shown too.
    <section className={styles.backup} aria-busy={!status && problem === undefined}>
      <h3>
        <Trans>Backup of your keys</Trans>
      </h3>
      {problem !== undefined && <p role="alert">{problem}</p>}
      {status && (status.backup ? <Kept status={status} onChanged={readAgain} /> : <None />)}
    </section>
  );
}

function useBackupStatus() {
  const remote = useRemote();
  const isOpen = useOverlay() !== undefined;
  const [status, setStatus] = useState<RecoveryStatus>();
  const [problem, setProblem] = useState<string>();
  const readAgain = useCallback(async (): Promise<void> => {
    try {
      setStatus(await remote.recovery.status());
      setProblem(undefined);
    } catch (error) {
      setProblem(problemOf(error));
    }
  }, [remote]);
  useEffect(() => {
    if (!isOpen) void readAgain();
  }, [isOpen, readAgain]);
  return { status, problem, readAgain };
}

function None() {
  return (
    <>
      <p>
        <Trans>There is no backup. If you lose all your devices, nobody can bring your old messages back.</Trans>
      </p>
      <Button look="primary" onClick={() => openOverlay({ kind: 'backup' })}>
        <Trans>Make a backup</Trans>
      </Button>
    </>
  );
}

function Kept({ status, onChanged }: { status: RecoveryStatus; onChanged: () => Promise<void> }) {
  const { t, i18n } = useLingui();
  const remote = useRemote();
  const [deletes, setDeletes] = useState(false);
  const time = fullTime(i18n.locale, Number(status.backup?.updatedTime));
  const lacking = status.notInBackup?.length ?? 0;
  const close = (): void => {
    setDeletes(false);
    void onChanged();
  };
  return (
    <>
      <p>
        <Trans>The backup was made on {time}.</Trans>
      </p>
      {lacking > 0 && (
        <p className={styles.warning}>
          <Plural
            value={lacking}
            one="It lacks your newest key. Make it anew."
            other="It lacks # of your keys. Make it anew."
          />
        </p>
      )}
      <div className={styles.buttons}>
        <Button onClick={() => openOverlay({ kind: 'restore' })}>
          <Trans>Try the passphrase</Trans>
        </Button>
        <Button onClick={() => openOverlay({ kind: 'backup' })}>
          <Trans>Make it anew</Trans>
        </Button>
        <Button look="quiet" onClick={() => setDeletes(true)}>
          <Trans>Delete the backup</Trans>
        </Button>
      </div>
      {deletes && (
        <Suspense>
          <Confirm
            title={t`Delete the backup of your keys?`}
            confirmLabel={t`Delete`}
            onClose={close}
            onConfirm={() => remote.engine.deleteBackup()}
          >
            <Trans>If you lose all your devices after that, nobody can bring your old messages back.</Trans>
          </Confirm>
        </Suspense>
      )}
    </>
  );
}
