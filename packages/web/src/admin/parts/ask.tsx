// A dialog that asks for confirmation before an action that cannot be undone.
import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';

export interface AskProps {
  readonly title: string;
  readonly children: ReactNode;
  /** The text of the button: a verb that says what the button does. */
  readonly verb: string;
  /** `primary` if the action destroys nothing. */
  readonly look?: 'primary' | 'danger';
  /** Returns false if the action failed; then the dialog stays open. */
  readonly onYes: () => Promise<boolean>;
  readonly onClose: () => void;
}

export default function Ask({ title, children, verb, look = 'danger', onYes, onClose }: AskProps) {
  const { t } = useLingui();
  const [busy, setBusy] = useState(false);
  const confirm = async (): Promise<void> => {
    setBusy(true);
    if (await onYes()) onClose();
    setBusy(false);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      closeLabel={t`Close`}
      busy={busy}
      size="s"
      actions={
        <>
          <Button disabled={busy} onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button look={look} disabled={busy} onClick={() => void confirm()}>
            {verb}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
