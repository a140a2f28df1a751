// A dialog that asks for confirmation before something is destroyed, and then does it.
import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { attempt } from '../client/attempt.ts';

export interface ConfirmProps {
  readonly title: string;
  readonly children: ReactNode;
  /** The text of the button: what it does, as a verb. */
  readonly confirmLabel: string;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}

export default function Confirm({ title, children, confirmLabel, onConfirm, onClose }: ConfirmProps) {
  const { t } = useLingui();
  const [busy, setBusy] = useState(false);
  const confirm = async (): Promise<void> => {
    setBusy(true);
    const done = await attempt(onConfirm);
    setBusy(false);
    if (done) onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      closeLabel={t`Close`}
      size="s"
      actions={
        <>
          <Button onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button look="danger" disabled={busy} onClick={() => void confirm()}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
