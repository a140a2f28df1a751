// A dialog that makes a backup of the keys, protected by a passphrase.
import { Trans, useLingui } from '@lingui/react/macro';
import { BadgeCheck } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { useRemote } from '../client/context.tsx';
import { RecoveryProblem, reasonOf } from '../safety/recovery-problem.tsx';
import styles from './backup-dialog.module.css';
import { OwnPassphrase } from './own-passphrase.tsx';
import { PassphraseSheet } from './passphrase-sheet.tsx';

export default function BackupDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const { passphrase, choose, busy, failed, done, make } = useBackup();
  const [own, setOwn] = useState(false);
  const isOther = failed !== undefined && reasonOf(failed) === 'other-passphrase';
  if (done) return <BackupDone onClose={onClose} />;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t`Keep your keys safe`}
      closeLabel={t`Close`}
      actions={
        <>
          <Button onClick={onClose}>
            <Trans>Later</Trans>
          </Button>
          {isOther && (
            <Button look="danger" disabled={busy} onClick={() => void make(true)}>
              <Trans>Replace the old backup</Trans>
            </Button>
          )}
          <Button look="primary" disabled={busy || passphrase === undefined} onClick={() => void make(false)}>
            {busy ? t`Making the backup…` : t`Make the backup`}
          </Button>
        </>
      }
    >
      <div className={styles.content}>
        <p>
          <Trans>
            Your messages are sealed with keys that only your devices have. If you lose all your devices, only a backup
            brings your old messages back.
          </Trans>
        </p>
        <p>
          <Trans>
            The backup is kept by the server, which cannot open it. Whoever has the passphrase can. Nobody can reset it.
          </Trans>
        </p>
        {own ? <OwnPassphrase onPassphrase={choose} /> : <PassphraseSheet onPassphrase={choose} />}
        <Button look="quiet" onClick={() => setOwn(!own)}>
          {own ? t`Use a made-up passphrase` : t`Use a passphrase of my own`}
        </Button>
        {failed !== undefined && (
          <p role="alert" className={styles.problem}>
            <RecoveryProblem error={failed} />
          </p>
        )}
      </div>
    </Dialog>
  );
}

function useBackup() {
  const remote = useRemote();
  /**
   * The passphrase to use; undefined while it is too weak, or until the person has confirmed that it is written down.
   */
  const [passphrase, setPassphrase] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<unknown>();
  const [done, setDone] = useState(false);
  return {
    passphrase,
    choose: setPassphrase,
    busy,
    failed,
    done,
    async make(replace: boolean): Promise<void> {
      if (passphrase === undefined) return;
      setBusy(true);
      setFailed(undefined);
      try {
        await remote.engine.backUp(passphrase, replace);
        setDone(true);
      } catch (error) {
        setFailed(error);
      } finally {
        setBusy(false);
      }
    },
  };
}

function BackupDone({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  return (
    <Dialog
      open
      onClose={onClose}
      title={t`The backup is made`}
      closeLabel={t`Close`}
      actions={
        <Button look="primary" onClick={onClose}>
          <Trans>Done</Trans>
        </Button>
      }
    >
      <p className={styles.done} role="status">
        <BadgeCheck aria-hidden="true" />
        <Trans>
          It was stored, read back, and opened. Keep the passphrase where you find it, away from your devices.
        </Trans>
      </p>
    </Dialog>
  );
}
