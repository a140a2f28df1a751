// The dialog that creates an account with a first password.
import { Trans, useLingui } from '@lingui/react/macro';
import { type FormEvent, useId, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Field } from '../../design/field.tsx';
import { toast } from '../../design/toast.ts';
import { faultsOf } from '../client/act.ts';
import { adminClient, noteEnd } from '../client/session.ts';
import { goTo } from '../parts/place.ts';
import styles from './create-dialog.module.css';
import { newPassword } from './new-password.ts';

export interface CreateDialogProps {
  readonly kind: 'user' | 'official';
  readonly onClose: () => void;
}

const NAMES = ['displayName', 'userid', 'password', 'email', 'phone'] as const;
type Name = (typeof NAMES)[number];

export default function CreateDialog({ kind, onClose }: CreateDialogProps) {
  const { t } = useLingui();
  const form = useId();
  const [values, setValues] = useState<Record<Name, string>>(() => ({
    ...{ displayName: '', userid: '', email: '', phone: '' },
    password: newPassword(),
  }));
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const [busy, setBusy] = useState(false);
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
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    try {
      const { email, phone, ...needed } = values;
      const made = await adminClient().createAccount({
        ...{ ...needed, kind },
        ...(email !== '' && { email }),
        ...(phone !== '' && { phone }),
      });
      toast({ text: t`The account was created.` });
      onClose();
      goTo('people', made.mid);
    } catch (error) {
      noteEnd(error);
      setFaults(faultsOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={kind === 'official' ? t`New official account` : t`New account`}
      closeLabel={t`Close`}
      busy={busy}
      actions={
        <>
          <Button disabled={busy} onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" look="primary" form={form} disabled={busy}>
            <Trans>Create</Trans>
          </Button>
        </>
      }
    >
      <form id={form} className={styles.form} onSubmit={(event) => void submit(event)}>
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
      </form>
    </Dialog>
  );
}
