// The dialog that removes a second factor, which needs the password.
import { Trans, useLingui } from '@lingui/react/macro';
import type { SecondFactor } from '@sealpost/sdk/admin';
import { useState } from 'react';
import { toast } from '../../design/toast.ts';
import { adminClient } from '../client/session.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { PasswordField } from './password-field.tsx';

export interface RemoveFactorDialogProps {
  readonly factor: SecondFactor;
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

export default function RemoveFactorDialog({ factor: { id, name }, onDone, onClose }: RemoveFactorDialogProps) {
  const { t } = useLingui();
  const [password, setPassword] = useState('');
  const remove = async (): Promise<void> => {
    await adminClient().removeSecondFactor({ factor: id, password });
    toast({ text: t`${name} was removed.` });
    onClose();
    await onDone();
  };
  return (
    <FormDialog
      title={t`Remove ${name}?`}
      verb={t`Remove`}
      look="danger"
      size="s"
      onSubmit={remove}
      onFailed={onDone}
      onClose={onClose}
    >
      {(faults) => (
        <>
          <p>
            <Trans>You can no longer log in with it. To use it again, add it anew.</Trans>
          </p>
          <PasswordField value={password} error={faults.password ?? faults['']} onValue={setPassword} />
        </>
      )}
    </FormDialog>
  );
}
