// The dialog that gives an account a new password.
import { Trans, useLingui } from '@lingui/react/macro';
import { Field } from '../../design/field.tsx';
import { toast } from '../../design/toast.ts';
import { useKept } from '../client/kept.ts';
import { adminClient } from '../client/session.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { newPassword } from './new-password.ts';

export interface ResetDialogProps {
  readonly account: string;
  readonly name: string;
  readonly onClose: () => void;
  readonly onDone: () => Promise<void>;
}

export default function ResetDialog({ account, name, onClose, onDone }: ResetDialogProps) {
  const { t } = useLingui();
  const [password, setPassword] = useKept(`person/${account}/password`, newPassword);
  const reset = async (): Promise<void> => {
    await adminClient().resetPassword({ account, password });
    toast({ text: t`${name} has the new password.` });
    onClose();
    await onDone();
  };
  return (
    <FormDialog
      title={t`New password for ${name}`}
      verb={t`Set the password`}
      look="danger"
      lost={t`The server did not answer. ${name} may have this password already. Set it again to be sure: twice does no harm.`}
      onSubmit={reset}
      onFailed={onDone}
      onClose={onClose}
    >
      {(faults) => (
        <>
          <p>
            <Trans>All sessions end, and devices that were trusted must be confirmed again.</Trans>
          </p>
          <Field
            label={t`Password`}
            hint={t`Tell it to the person. It is not shown again.`}
            error={faults.password ?? faults['']}
            autoComplete="off"
            required
            value={password}
            onChange={({ target }) => setPassword(target.value)}
          />
        </>
      )}
    </FormDialog>
  );
}
