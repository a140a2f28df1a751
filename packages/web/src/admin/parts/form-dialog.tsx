// A dialog with a form. Refusals of the server are shown at the fields.
import { Trans, useLingui } from '@lingui/react/macro';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { faultsOf } from '../client/act.ts';
import { noteEnd } from '../client/session.ts';
import styles from '../people/create-dialog.module.css';

export interface FormDialogProps {
  readonly title: string;
  /** The text of the button: a verb that says what the button does. */
  readonly verb: string;
  readonly look?: 'primary' | 'danger';
  readonly size?: 's' | 'm';
  /** Runs when the form is submitted. Closes the dialog or shows the next step. If it throws, the dialog stays open. */
  readonly onSubmit: () => Promise<unknown>;
  readonly onClose: () => void;
  /**
   * Returns the fields of the form.
   * @param faults the faults by the names of the fields; a fault that does not belong to a field has the name ""
   */
  readonly children: (faults: Readonly<Record<string, string>>) => ReactNode;
}

export function FormDialog({ title, verb, look = 'primary', size = 'm', onSubmit, ...rest }: FormDialogProps) {
  const { onClose, children } = rest;
  const { t } = useLingui();
  const form = useId();
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setFaults({});
    try {
      await onSubmit();
    } catch (error) {
      noteEnd(error);
      setFaults(faultsOf(error));
    }
    setBusy(false);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      closeLabel={t`Close`}
      busy={busy}
      size={size}
      actions={
        <>
          <Button disabled={busy} onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" look={look} form={form} disabled={busy}>
            {verb}
          </Button>
        </>
      }
    >
      <form id={form} className={styles.form} onSubmit={(event) => void submit(event)}>
        {children(faults)}
      </form>
    </Dialog>
  );
}
