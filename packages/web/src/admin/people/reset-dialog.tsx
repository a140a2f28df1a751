// The dialog that gives an account a new password.
import { Trans, useLingui } from '@lingui/react/macro';
import { type FormEvent, useId, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Field } from '../../design/field.tsx';
import { toast } from '../../design/toast.ts';
import { reasonOf } from '../client/act.ts';
import { adminClient, noteEnd } from '../client/session.ts';
import styles from './create-dialog.module.css';
import { newPassword } from './new-password.ts';

export interface ResetDialogProps {
  readonly account: string;
  readonly name: string;
  readonly onClose: () => void;
  readonly onDone: () => Promise<void>;
}

export default function ResetDialog({ account, name, onClose, onDone }: ResetDialogProps) {
  const { t } = useLingui();
  const form = useId();
  const [password, setPassword] = useState(newPassword);
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    try {
      await adminClient().resetPassword({ account, password });
      toast({ text: t`${name} has the new password.` });
      onClose();
      await onDone();
    } catch (error) {
      noteEnd(error);
      setFault(reasonOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t`New password for ${name}`}
      closeLabel={t`Close`}
      busy={busy}
      actions={
        <>
          <Button disabled={busy} onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" look="danger" form={form} disabled={busy}>
            <Trans>Set the password</Trans>
          </Button>
        </>
      }
    >
      <form id={form} className={styles.form} onSubmit={(event) => void submit(event)}>
        <p>
          <Trans>All sessions end, and devices that were trusted must be confirmed again.</Trans>
        </p>
        <Field
          label={t`Password`}
          hint={t`Tell it to the person. It is not shown again.`}
          error={fault}
          autoComplete="off"
          required
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
      </form>
    </Dialog>
  );
}
