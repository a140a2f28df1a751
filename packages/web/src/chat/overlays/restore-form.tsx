// A form that restores the keys from the backup. If this browser already has all keys, it only checks the passphrase.
import { Trans, useLingui } from '@lingui/react/macro';
import { type FormEvent, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/field.tsx';
import { toast } from '../../design/toast.ts';
import { useRemote } from '../client/context.tsx';
import { RecoveryProblem } from '../safety/recovery-problem.tsx';
import styles from './backup-dialog.module.css';

export function RestoreForm({ onDone }: { onDone: () => void }) {
  const { t } = useLingui();
  const remote = useRemote();
  const [passphrase, setPassphrase] = useState('');
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<unknown>();
  const restore = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setFailed(undefined);
    try {
      const { addedKeyIds, missingKeyIds } = await remote.engine.restore(passphrase);
      if (missingKeyIds.length > 0) {
        toast({
          text: t`The backup opens, but your newest keys are not in it. Get them from another device.`,
          stays: 15_000,
        });
      } else if (addedKeyIds.length === 0) toast({ text: t`The passphrase opens the backup, and it is complete.` });
      else toast({ text: t`Your keys are here now. Old messages open again.` });
      onDone();
    } catch (error) {
      setFailed(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className={styles.own} onSubmit={(event) => void restore(event)}>
      <Field
        label={t`Passphrase of the backup`}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        value={passphrase}
        onChange={(event) => setPassphrase(event.target.value)}
        hint={t`The words that you wrote down when you made the backup. Large or small letters do not matter.`}
      />
      {failed !== undefined && (
        <p role="alert" className={styles.problem}>
          <RecoveryProblem error={failed} />
        </p>
      )}
      <Button type="submit" look="primary" disabled={busy}>
        {busy ? <Trans>Opening the backup…</Trans> : <Trans>Open the backup</Trans>}
      </Button>
    </form>
  );
}
