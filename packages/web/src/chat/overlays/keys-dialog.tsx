// A dialog for a browser that lacks the keys of the account. It gets them from another device, restores them from the
// backup, or makes new ones.
import { Trans, useLingui } from '@lingui/react/macro';
import { useCallback, useEffect, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Dialog, useIsOpen } from '../../design/dialog.tsx';
import { toast } from '../../design/toast.ts';
import { attempt } from '../client/attempt.ts';
import { useRemote } from '../client/context.tsx';
import styles from './backup-dialog.module.css';
import { KeysFromDevice } from './keys-from-device.tsx';
import { RestoreForm } from './restore-form.tsx';

export type Way = 'device' | 'backup' | 'new';

export default function KeysDialog({ onClose, first }: { onClose: () => void; first?: Way | undefined }) {
  const { t } = useLingui();
  const [way, setWay] = useState(first);
  const isOpen = useIsOpen();
  const done = useCallback(() => {
    if (isOpen()) onClose();
  }, [isOpen, onClose]);
  return (
    <Dialog open onClose={onClose} title={t`Your keys`} closeLabel={t`Close`}>
      <div className={styles.content}>
        {way === undefined && <Ways onWay={setWay} />}
        {way === 'device' && <KeysFromDevice onDone={done} />}
        {way === 'backup' && <RestoreForm onDone={done} />}
        {way === 'new' && <NewKeys onDone={done} />}
        {way !== undefined && first === undefined && (
          <Button look="quiet" onClick={() => setWay(undefined)}>
            <Trans>Back</Trans>
          </Button>
        )}
      </div>
    </Dialog>
  );
}

function Ways({ onWay }: { onWay: (way: Way) => void }) {
  const remote = useRemote();
  const [hasBackup, setHasBackup] = useState<boolean>();
  useEffect(
    () => void attempt(async () => setHasBackup((await remote.recovery.status()).backup !== undefined)),
    [remote],
  );
  return (
    <>
      <p>
        <Trans>
          Your messages are sealed with keys that only your devices have. This browser does not have them, so it can
          open no sealed messages, and cannot seal what you write.
        </Trans>
      </p>
      <button type="button" className={styles.choice} onClick={() => onWay('device')}>
        <strong>
          <Trans>Get them from another device</Trans>
        </strong>
        <span>
          <Trans>You need a device where you are logged in and your messages open.</Trans>
        </span>
      </button>
      <button type="button" className={styles.choice} disabled={hasBackup === false} onClick={() => onWay('backup')}>
        <strong>
          <Trans>Restore the backup</Trans>
        </strong>
        <span>
          {hasBackup === false ? (
            <Trans>Your account has no backup.</Trans>
          ) : (
            <Trans>You need the passphrase that you wrote down.</Trans>
          )}
        </span>
      </button>
      <button type="button" className={styles.choice} onClick={() => onWay('new')}>
        <strong>
          <Trans>Make new keys</Trans>
        </strong>
        <span>
          <Trans>If you have neither. Old messages stay closed.</Trans>
        </span>
      </button>
    </>
  );
}

function NewKeys({ onDone }: { onDone: () => void }) {
  const { t } = useLingui();
  const remote = useRemote();
  const [busy, setBusy] = useState(false);
  const renew = async (): Promise<void> => {
    setBusy(true);
    const done = await attempt(() => remote.engine.renewKey());
    setBusy(false);
    if (!done) return;
    toast({ text: t`You have new keys. Your contacts are told.` });
    onDone();
  };
  return (
    <>
      <p>
        <Trans>With new keys you can write and read from now on. This is what it means:</Trans>
      </p>
      <ul className={styles.means}>
        <li>
          <Trans>Messages that were sealed for your old keys stay closed here.</Trans>
        </li>
        <li>
          <Trans>Your contacts see that your key has changed, and safety numbers must be compared again.</Trans>
        </li>
        <li>
          <Trans>Your other devices need the new keys too: log in there again, and let this browser confirm it.</Trans>
        </li>
      </ul>
      <Button look="danger" disabled={busy} onClick={() => void renew()}>
        <Trans>Make new keys</Trans>
      </Button>
    </>
  );
}
