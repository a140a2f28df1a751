// The dialog that makes an invite.
import { Trans, useLingui } from '@lingui/react/macro';
import type { CreatedInvite } from '@sealpost/sdk/admin';
import { type FormEvent, useId, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Field } from '../../design/field.tsx';
import { faultsOf } from '../client/act.ts';
import { adminClient, noteEnd } from '../client/session.ts';
import styles from '../people/create-dialog.module.css';

export interface InviteDialogProps {
  readonly onClose: () => void;
  readonly onCreated: (invite: CreatedInvite) => void;
}

const MOST_USES = 10_000;
const MOST_DAYS = 3650;

export default function InviteDialog({ onClose, onCreated }: InviteDialogProps) {
  const { t } = useLingui();
  const form = useId();
  const fields = useFields();
  const [values, setValues] = useState({ uses: '1', days: '14', name: '', from: '', note: '' });
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    const { uses, days, ...texts } = values;
    const some = Object.entries(texts).filter(([, value]) => value.trim() !== '');
    try {
      onCreated(
        await adminClient().createInvite({ uses: Number(uses), days: Number(days), ...Object.fromEntries(some) }),
      );
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
      title={t`New invite`}
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
        {fields.map(({ name, ...field }) => (
          <Field
            key={name}
            {...field}
            value={values[name]}
            error={faults[name]}
            onChange={({ target }) => setValues({ ...values, [name]: target.value })}
          />
        ))}
      </form>
    </Dialog>
  );
}

/** Returns the fields of the form in the order of the page. */
function useFields() {
  const { t } = useLingui();
  const number = { type: 'number', required: true };
  return [
    { ...number, name: 'uses', label: t`How many accounts`, min: 1, max: MOST_USES },
    {
      ...number,
      name: 'days',
      label: t`Days until it expires`,
      min: 0,
      max: MOST_DAYS,
      hint: t`With 0 it never expires.`,
    },
    { name: 'name', label: t`For whom (optional)`, hint: t`The person can change this name.`, maxLength: 100 },
    { name: 'from', label: t`Who invites (optional)`, maxLength: 100 },
    { name: 'note', label: t`Note (optional)`, hint: t`Only administrators see it.`, maxLength: 500 },
  ] as const;
}
