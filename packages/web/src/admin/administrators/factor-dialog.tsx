// The dialog that adds a second factor. It asks for a name and the password first, and then for the passkey or the code
// of the app.
import { useLingui } from '@lingui/react/macro';
import type { AdminResult, SecondFactor } from '@sealpost/sdk/admin';
import { useState } from 'react';
import { Field } from '../../design/field.tsx';
import { toast } from '../../design/toast.ts';
import { useKept } from '../client/kept.ts';
import { adminClient, setLogin } from '../client/session.ts';
import { addPasskey } from '../login/passkeys.ts';
import { TotpFields } from '../login/totp-fields.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { CodesDialog } from './codes-dialog.tsx';
import { PasswordField } from './password-field.tsx';

export interface FactorDialogProps {
  readonly kind: SecondFactor['kind'];
  readonly onAdded: () => Promise<void>;
  readonly onClose: () => void;
}

type Enrolled = AdminResult<'addTotp'>;

export default function FactorDialog({ kind, onAdded, onClose }: FactorDialogProps) {
  const { t } = useLingui();
  const isPasskey = kind === 'passkey';
  const [name, setName] = useKept('factor/name', () => (isPasskey ? t`Passkey` : t`App for codes`));
  const [totp, setTotp] = useState<AdminResult<'beginTotp'>>();
  const [codes, setCodes] = useState<readonly string[]>();
  const finish = async ({ login, recoveryCodes }: Enrolled): Promise<void> => {
    setLogin(login);
    toast({ text: t`The second factor was added.` });
    // The first second factor brings recovery codes, which must be seen before the dialog closes.
    if (recoveryCodes) setCodes(recoveryCodes);
    else onClose();
    await onAdded();
  };
  const begin = async (password: string): Promise<void> => {
    if (isPasskey) await finish(await addPasskey(name, password));
    else setTotp(await adminClient().beginTotp({ password }));
  };
  if (codes) return <CodesDialog codes={codes} onClose={onClose} />;
  if (totp) return <TotpDialog totp={totp} name={name} onAdded={finish} onFailed={onAdded} onClose={onClose} />;
  const begun = { isPasskey, name, onName: setName, onBegin: begin, onFailed: onAdded, onClose };
  return <BeginDialog {...begun} />;
}

interface BeginDialogProps {
  readonly isPasskey: boolean;
  readonly name: string;
  readonly onName: (name: string) => void;
  readonly onBegin: (password: string) => Promise<void>;
  readonly onFailed: () => Promise<void>;
  readonly onClose: () => void;
}

function BeginDialog({ isPasskey, name, onName, onBegin, onFailed, onClose }: BeginDialogProps) {
  const { t } = useLingui();
  const [password, setPassword] = useState('');
  return (
    <FormDialog
      title={isPasskey ? t`Add a passkey` : t`Add an app for codes`}
      verb={t`Continue`}
      size="s"
      onSubmit={() => onBegin(password)}
      onFailed={onFailed}
      onClose={onClose}
    >
      {(faults) => (
        <>
          <Field
            label={t`Name`}
            hint={t`Such as the device it is on.`}
            autoComplete="off"
            maxLength={100}
            required
            value={name}
            error={faults.name}
            onChange={({ target }) => onName(target.value)}
          />
          <PasswordField value={password} error={faults.password ?? faults['']} onValue={setPassword} />
        </>
      )}
    </FormDialog>
  );
}

interface TotpDialogProps {
  readonly totp: AdminResult<'beginTotp'>;
  readonly name: string;
  readonly onAdded: (enrolled: Enrolled) => Promise<void>;
  readonly onFailed: () => Promise<void>;
  readonly onClose: () => void;
}

function TotpDialog({ totp, name, onAdded, onFailed, onClose }: TotpDialogProps) {
  const { t } = useLingui();
  const [code, setCode] = useState('');
  return (
    <FormDialog
      title={t`Scan this code with the app`}
      verb={t`Add`}
      size="s"
      onSubmit={async () => onAdded(await adminClient().addTotp({ code, name }))}
      onFailed={onFailed}
      onClose={onClose}
    >
      {(faults) => <TotpFields totp={totp} code={code} fault={faults.code ?? faults['']} onCode={setCode} />}
    </FormDialog>
  );
}
