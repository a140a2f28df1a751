// The dialog that changes the user's own password.
import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Field } from '../../design/field.tsx';
import { toast } from '../../design/toast.ts';
import { adminClient } from '../client/session.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { PasswordField } from './password-field.tsx';

export default function ChangePasswordDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useLingui();
  const [password, setPassword] = useState('');
  const [newPassword, setNewPassword] = useState('');
  const change = async (): Promise<void> => {
    await adminClient().changePassword({ password, newPassword });
    toast({ text: t`You have a new password.` });
    onClose();
  };
  return (
    <FormDialog
      title={t`Change the password`}
      verb={t`Set the password`}
      size="s"
      lost={t`The server did not answer. You may have the new password already. If you must log in again, try it first.`}
      onSubmit={change}
      onClose={onClose}
    >
      {(faults) => (
        <>
          <PasswordField value={password} error={faults['']} onValue={setPassword} />
          <Field
            label={t`New password`}
            hint={t`At least 8 characters, and not a common one.`}
            type="password"
            autoComplete="new-password"
            minLength={8}
            required
            value={newPassword}
            // The server's check of new passwords names its field "password".
            error={faults.newPassword ?? faults.password}
            onChange={({ target }) => setNewPassword(target.value)}
          />
        </>
      )}
    </FormDialog>
  );
}
