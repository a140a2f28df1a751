// The dialog of `ask`, which asks for confirmation before something that cannot be undone.
import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { closeOverlay, type Question } from './overlays.ts';

export default function AskDialog({ question }: { question: Question }) {
  const { t } = useLingui();
  const { title, text, action, onAnswer } = question;
  const doIt = (): void => {
    onAnswer(true);
    closeOverlay();
  };
  return (
    <Dialog
      open
      size="s"
      onClose={closeOverlay}
      title={title}
      closeLabel={t`Close`}
      actions={
        <>
          <Button onClick={closeOverlay}>
            <Trans>Cancel</Trans>
          </Button>
          <Button look="danger" onClick={doIt}>
            {action}
          </Button>
        </>
      }
    >
      <p>{text}</p>
    </Dialog>
  );
}
