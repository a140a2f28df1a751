// The dialog that shows new recovery codes, once.
import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { CodeList } from '../login/code-list.tsx';
import styles from '../people/create-dialog.module.css';

export interface CodesDialogProps {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

export function CodesDialog({ codes, onClose }: CodesDialogProps) {
  const { t } = useLingui();
  return (
    <Dialog
      open
      onClose={onClose}
      title={t`Keep these recovery codes`}
      closeLabel={t`Close`}
      size="s"
      actions={
        <Button look="primary" onClick={onClose}>
          <Trans>I have kept them</Trans>
        </Button>
      }
    >
      <div className={styles.form}>
        <p>
          <Trans>Each logs you in once if you lose your second factor. They are not shown again.</Trans>
        </p>
        <CodeList codes={codes} />
      </div>
    </Dialog>
  );
}
