// The dialog that creates an account with a first password.
import { useLingui } from '@lingui/react/macro';
import { Field } from '../../design/field.tsx';
import { toast } from '../../design/toast.ts';
import { useKept } from '../client/kept.ts';
import { adminClient } from '../client/session.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { goTo } from '../parts/place.ts';
import { newPassword } from './new-password.ts';

export interface CreateDialogProps {
  readonly kind: 'user' | 'official';
  readonly onClose: () => void;
  /** Runs after a failure. The account may have been created. */
  readonly onFailed: () => Promise<void>;
}

const NAMES = ['displayName', 'userid', 'password', 'email', 'phone'] as const;
type Name = (typeof NAMES)[number];

export default function CreateDialog({ kind, onClose, onFailed }: CreateDialogProps) {
  const { t } = useLingui();
  const [values, setValues] = useKept<Record<Name, string>>('account/values', () => ({
    ...{ displayName: '', userid: '', email: '', phone: '' },
    password: newPassword(),
  }));
  const labels: Readonly<Record<Name, string>> = {
    displayName: t`Name`,
    userid: t`User id`,
    password: t`Password`,
    email: t`E-mail (optional)`,
    phone: t`Phone (optional)`,
  };
  const hints: Partial<Record<Name, string>> = {
    userid: t`For the login: letters, digits, dots, dashes and underscores.`,
    password: t`Tell it to the person. It is not shown again.`,
    phone: t`With the country code, such as +49 30 1234567.`,
  };
  const create = async (): Promise<void> => {
    const { email, phone, ...needed } = values;
    const made = await adminClient().createAccount({
      ...{ ...needed, kind },
      ...(email !== '' && { email }),
      ...(phone !== '' && { phone }),
    });
    toast({ text: t`The account was created.` });
    onClose();
    goTo('people', made.mid);
  };
  return (
    <FormDialog
      title={kind === 'official' ? t`New official account` : t`New account`}
      verb={t`Create`}
      lost={t`The server did not answer. The account may exist already, with this password. Look for it in the list before you create it again.`}
      onSubmit={create}
      onFailed={onFailed}
      onClose={onClose}
    >
      {(faults) => (
        <>
          {faults[''] !== undefined && <p role="alert">{faults['']}</p>}
          {NAMES.map((name) => (
            <Field
              key={name}
              label={labels[name]}
              hint={hints[name]}
              error={faults[name]}
              autoComplete="off"
              required={name !== 'email' && name !== 'phone'}
              value={values[name]}
              onChange={({ target }) => setValues({ ...values, [name]: target.value })}
            />
          ))}
        </>
      )}
    </FormDialog>
  );
}
