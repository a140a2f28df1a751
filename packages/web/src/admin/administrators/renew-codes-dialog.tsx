// The dialog that makes new recovery codes, which needs the password, and then shows them once.
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { adminClient } from '../client/session.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { CodesDialog } from './codes-dialog.tsx';
import { PasswordField } from './password-field.tsx';

export interface RenewCodesDialogProps {
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

export default function RenewCodesDialog({ onDone, onClose }: RenewCodesDialogProps) {
  const { t } = useLingui();
  const [password, setPassword] = useState('');
  const [codes, setCodes] = useState<readonly string[]>();
  if (codes) return <CodesDialog codes={codes} onClose={onClose} />;
  const renew = async (): Promise<void> => {
    setCodes((await adminClient().makeRecoveryCodes({ password })).recoveryCodes);
    await onDone();
  };
  return (
    <FormDialog
      title={t`Make new recovery codes?`}
      verb={t`Make new codes`}
      look="danger"
      size="s"
      lost={t`The server did not answer. The codes that you have kept may be void already. Make new ones again.`}
      onSubmit={renew}
      onFailed={onDone}
      onClose={onClose}
    >
      {(faults) => (
        <>
          <p>
            <Trans>The codes that you have kept become void.</Trans>
          </p>
          <PasswordField value={password} error={faults.password ?? faults['']} onValue={setPassword} />
        </>
      )}
    </FormDialog>
  );
}
