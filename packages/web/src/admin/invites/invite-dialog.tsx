// The dialog that makes an invite.
import { useLingui } from '@lingui/react/macro';
import type { CreatedInvite } from '@sealpost/sdk/admin';
import { Field } from '../../design/field.tsx';
import { useKept } from '../client/kept.ts';
import { adminClient } from '../client/session.ts';
import { FormDialog } from '../parts/form-dialog.tsx';

export interface InviteDialogProps {
  readonly onClose: () => void;
  readonly onCreated: (invite: CreatedInvite) => void;
  /** Runs after a failure. The invite may have been made. */
  readonly onFailed: () => Promise<void>;
}

const MOST_USES = 10_000;
const MOST_DAYS = 3650;

export default function InviteDialog({ onClose, onCreated, onFailed }: InviteDialogProps) {
  const { t } = useLingui();
  const fields = useFields();
  const [values, setValues] = useKept('invite/values', () => ({ uses: '1', days: '14', name: '', from: '', note: '' }));
  const create = async (): Promise<void> => {
    const { uses, days, ...texts } = values;
    const some = Object.entries(texts).filter(([, value]) => value.trim() !== '');
    onCreated(
      await adminClient().createInvite({ uses: Number(uses), days: Number(days), ...Object.fromEntries(some) }),
    );
  };
  return (
    <FormDialog
      title={t`New invite`}
      verb={t`Create`}
      lost={t`The server did not answer. The invite may have been made, but its link cannot be shown again. If it is in the list, revoke it, and make another.`}
      onSubmit={create}
      onFailed={onFailed}
      onClose={onClose}
    >
      {(faults) => (
        <>
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
        </>
      )}
    </FormDialog>
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
