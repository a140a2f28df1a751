// A dialog with a form. Refusals of the server are shown at the fields.
import { Trans, useLingui } from '@lingui/react/macro';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { faultsOf, isLost, lostText } from '../client/act.ts';
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
  /** The text for a call without an answer: what the server may have done, and what to do now. */
  readonly lost?: string;
  /** Runs after a failure, because the server may have done it, or somebody else may have been faster. */
  readonly onFailed?: () => Promise<unknown>;
  /**
   * Returns the fields of the form.
   * @param faults the faults by the names of the fields; a fault that does not belong to a field has the name ""
   */
  readonly children: (faults: Readonly<Record<string, string>>) => ReactNode;
}

export function FormDialog({ title, verb, look = 'primary', size = 'm', onSubmit, ...rest }: FormDialogProps) {
  const { onClose, lost, onFailed, children } = rest;
  const { t } = useLingui();
  const form = useId();
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const [isUnheard, setUnheard] = useState(false);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setFaults({});
    setUnheard(false);
    try {
      await onSubmit();
    } catch (error) {
      setUnheard(isLost(error));
      if (!isLost(error)) setFaults(faultsOf(error));
      if (!(await noteEnd(error))) void onFailed?.();
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
        {isUnheard && <p role="alert">{lost ?? lostText()}</p>}
        {children(faults)}
      </form>
    </Dialog>
  );
}
